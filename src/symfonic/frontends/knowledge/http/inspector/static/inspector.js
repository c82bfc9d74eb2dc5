// Everything here only saves a press of a button: without it the same forms show the same pages.
import { followCeilings } from "./ceilings.js";
import { streamAnswers } from "./answers.js";

const form = document.querySelector("#ask");
if (form) {
  followCeilings(form);
  streamAnswers(form);
}
