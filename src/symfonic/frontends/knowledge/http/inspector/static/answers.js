// An answer as it comes: one JSON document a line, each with spans whose references were judged before they were sent.
import { announce, fieldsOf, instead, isSignedOut, partsOf, problemIn } from "./pages.js";

export function streamAnswers(form) {
  form.addEventListener("submit", (event) => {
    if (!event.submitter?.hasAttribute("data-answer")) return;
    event.preventDefault();
    event.submitter.disabled = true;
    stream(form).finally(() => {
      event.submitter.disabled = false;
    });
  });
}

async function stream(form) {
  const results = document.querySelector("#results");
  announce("The model is asked.");
  form.setAttribute("data-answering", "");
  results.setAttribute("aria-busy", "true");
  try {
    const response = await fetch("/inspector/answer/stream", { method: "POST", body: fieldsOf(form), signal: instead() });
    if (isSignedOut(response)) return;
    const kind = response.headers.get("content-type") ?? "";
    if (kind.startsWith("text/html")) results.replaceChildren(...partsOf(await response.text()));
    else if (!response.ok) problemIn(results, `The service answered ${response.status}. Ask again in a moment.`);
    else for await (const line of linesOf(response.body)) if (line) take(results, JSON.parse(line));
  } catch (error) {
    if (error.name === "AbortError") return;
    results.querySelector("#said")?.setAttribute("aria-busy", "false");
    const place = results.querySelector("#report") ?? results;
    problemIn(place, "The connection broke off; what is shown of the answer is not all of it.");
  } finally {
    form.removeAttribute("data-answering");
    results.removeAttribute("aria-busy");
  }
}

async function* linesOf(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (rest + part.value).split("\n");
    rest = lines.pop();
    yield* lines;
  }
  if (rest) yield rest;
}

function take(results, event) {
  if (event.html) {
    results.replaceChildren(...partsOf(event.html));
    results.removeAttribute("aria-busy");
  }
  if (event.spans) results.querySelector("#said").append(...event.spans.map(spanOf));
  if (event.report) end(results, event);
}

function spanOf(span) {
  if (span.kind === "text") return document.createTextNode(span.text);
  const mark = document.createElement(span.source === null ? "span" : "a");
  mark.className = `ref ${span.kind}`;
  mark.title = span.name;
  mark.textContent = span.text;
  if (span.source !== null) {
    mark.href = `#source-${span.source}`;
    const source = document.querySelector(`#source-${span.source}`);
    source?.classList.replace("unused", "cited");
    const state = source?.querySelector(".state");
    if (state) state.textContent = "cited";
  }
  return mark;
}

function end(results, event) {
  results.querySelector("#report").replaceChildren(...partsOf(event.report));
  results.querySelector("#said").setAttribute("aria-busy", "false");
  for (const state of results.querySelectorAll(".sources .unused .state")) state.textContent = "unused";
  announce(`The answer has ended. ${results.querySelector("#report .counts")?.textContent ?? ""}`);
}
