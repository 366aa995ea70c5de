// What the console says instead of rows: that it waits, that there is nothing, that
// something went wrong. And in passing, that something was done.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ApiError } from "../api/client";
import { href } from "../router";
import { t, tx, type Text } from "../texts/text";

export function Loading({ what }: { what: string }) {
  return (
    <div class="loading" role="status">
      <span class="hidden">{t("Loading {0}…", what)}</span>
      <i /><i /><i />
    </div>
  );
}

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

const titles: Record<number, Text> = {
  0: "No answer", 401: "Sign in first", 403: "Not allowed", 404: "Not found", 409: "Not possible now",
  410: "Gone", 412: "Changed meanwhile", 429: "Too many requests", 503: "Overloaded",
};

export function Failed({ error, again }: { error: unknown; again?: () => void }) {
  const refusal = error instanceof ApiError ? error : undefined;
  return (
    <div class="failed" role="alert">
      <p class="failed-title">{t(titles[refusal?.status ?? -1] ?? "Something went wrong")}</p>
      <p>{error instanceof Error ? error.message : String(error)}</p>
      {refusal?.details.map((one) => <p key={one.field}><code>{one.field}</code> {one.message}</p>)}
      {refusal?.retryAfter !== undefined && <p>{t("Try again in {0} seconds.", Math.ceil(refusal.retryAfter))}</p>}
      {refusal?.requestId && <p class="muted">{tx("Request {0}", <a href={href(["requests", refusal.requestId])}><code>{refusal.requestId}</code></a>)}</p>}
      {again && <button type="button" onClick={again}>{t("Try again")}</button>}
    </div>
  );
}

interface Note { id: number; text: string; bad: boolean }
let notes: Note[] = [];
let render = (): void => {};

/** Says in passing what was done, or why it was not. */
export function say(text: string, bad = false): void {
  const note = { id: Math.random(), text, bad };
  notes = [...notes.slice(-2), note];
  render();
  setTimeout(() => dismiss(note.id), bad ? 12_000 : 5_000);
}

function dismiss(id: number): void {
  notes = notes.filter((one) => one.id !== id);
  render();
}

export function Notes() {
  const [, again] = useState({});
  useEffect(() => { render = () => again({}); }, []);
  return (
    <div class="notes" role="status" aria-live="polite">
      {notes.map((one) => (
        <p key={one.id} class={one.bad ? "note bad" : "note"}>
          <span>{one.text}</span>
          <button type="button" class="quiet" aria-label={t("Dismiss")} onClick={() => dismiss(one.id)}>×</button>
        </p>
      ))}
    </div>
  );
}

/** The message of what was thrown. */
export const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));
