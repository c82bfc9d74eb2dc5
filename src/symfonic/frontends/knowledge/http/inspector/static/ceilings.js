// Sliders beside the numbers, and the selection run again while they move.
import { announce, fieldsOf, instead, isSignedOut, partsOf, problemIn } from "./pages.js";

const PAUSE = 140; // milliseconds between the last movement and the question

export function followCeilings(form) {
  let waiting = 0;
  const again = () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      // What is being answered is read to its end: nothing takes its place.
      if (!form.hasAttribute("data-answering")) runAgain(form, instead());
    }, PAUSE);
  };
  for (const slider of form.querySelectorAll("input[type=range]")) {
    const number = form.elements[slider.dataset.for];
    slider.hidden = false;
    slider.addEventListener("input", () => {
      number.value = slider.value;
      again();
    });
    number.addEventListener("input", () => {
      slider.value = number.value;
      again();
    });
  }
}

async function runAgain(form, signal) {
  const results = document.querySelector("#results");
  if (!form.elements.question.value.trim() || !form.reportValidity()) return;
  results.setAttribute("aria-busy", "true");
  try {
    const response = await fetch("/inspector/results", { method: "POST", body: fieldsOf(form), signal });
    if (isSignedOut(response)) return;
    const html = response.headers.get("content-type")?.startsWith("text/html") ? await response.text() : "";
    if (html) show(results, html);
    else problemIn(results, `The service answered ${response.status}. Ask again in a moment.`);
  } catch (error) {
    if (error.name === "AbortError") return;
    problemIn(results, "The service could not be reached. Ask again in a moment.");
  }
  results.removeAttribute("aria-busy");
}

/** Outcome in words of each passage, by the key it keeps from one question to the next. */
function outcomesIn(results) {
  const rows = [...results.querySelectorAll("tbody[data-key]")].filter((row) => row.dataset.key);
  return new Map(rows.map((row) => [row.dataset.key, row.querySelector(".badge").textContent]));
}

/** Say beside each passage whose outcome changed what it was before. */
function tellChanges(results, before) {
  for (const [key, now] of outcomesIn(results)) {
    const was = before.get(key);
    if (was === undefined || was === now) continue;
    const words = document.createElement("span");
    words.className = "was";
    words.textContent = `before: ${was}`;
    results.querySelector(`tbody[data-key="${key}"] .badge`).after(words);
  }
}

function show(results, html) {
  const shown = results.querySelector("[name=shown]:checked")?.value;
  const opened = [...results.querySelectorAll("details[open]")].map((one) => one.closest("tbody")?.id);
  const before = outcomesIn(results);
  results.replaceChildren(...partsOf(html));
  tellChanges(results, before);
  const filter = [...results.querySelectorAll("[name=shown]")].find((one) => one.value === shown);
  if (filter) filter.checked = true;
  for (const id of opened) results.querySelector(`#${CSS.escape(id)} details`)?.setAttribute("open", "");
  announce(results.querySelector("[data-summary]")?.textContent ?? results.textContent.trim());
}
