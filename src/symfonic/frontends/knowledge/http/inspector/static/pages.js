// Parts of pages that the server made, put where they belong. The server escaped them; no text of ours becomes markup.

/** The elements of a piece of HTML from the server, as they stand in no document yet. */
export function partsOf(html) {
  return new DOMParser().parseFromString(html, "text/html").body.childNodes;
}

/** Say something to who cannot see that the page changed. */
export function announce(words) {
  const place = document.querySelector("#summary");
  if (place) place.textContent = words;
}

/** Fields of a form as they are sent. */
export function fieldsOf(form) {
  return new URLSearchParams([...new FormData(form)].filter(([, value]) => typeof value === "string"));
}

let running = null;

/** Begin a request in place of the one that runs, which is given up; the signal of the new one. */
export function instead() {
  running?.abort();
  running = new AbortController();
  return running.signal;
}

/** Show a problem in place of results. */
export function problemIn(place, words) {
  const box = document.createElement("div");
  box.className = "problem";
  box.setAttribute("role", "alert");
  const title = document.createElement("h2");
  title.textContent = "That did not work";
  const text = document.createElement("p");
  text.textContent = words;
  box.append(title, text);
  place.replaceChildren(box);
}

/** Where to go when the session is over; true where that is so. */
export function isSignedOut(response) {
  if (response.status !== 401) return false;
  location.assign("/inspector/sign-in");
  return true;
}
