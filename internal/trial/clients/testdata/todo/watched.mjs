// The to-do list with notes of what its screen shows, for the test.
import { LiveList } from "entwine-client";
import { text } from "./notes.mjs";
import "./todo.tsx";

/** What the service has said by when, and what stood on the screen while no write was on its way. */
const notes = (globalThis.notes = { rows: [], frames: [] });
let list;

const heard = LiveList.prototype.heard;
LiveList.prototype.heard = function (event, said) {
  list = this;
  const known = heard.call(this, event, said);
  if (known) notes.rows.push({ event, text: text(this.rows), position: this.position });
  return known;
};

requestAnimationFrame(function frame() {
  if (list?.getSnapshot() && list.drafts.size === 0) {
    const shown = JSON.stringify([...document.querySelectorAll("li")].map((li) => [Number(li.dataset.id), li.querySelector("span").textContent, li.dataset.done === "true"]));
    if (shown !== notes.frames.at(-1)) notes.frames.push(shown);
  }
  requestAnimationFrame(frame);
});
