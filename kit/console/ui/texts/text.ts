// The texts of the console: English as the sources write them, and German by the catalog. A
// text that the catalog lacks is an error of its type. What the service says of itself, such
// as labels and descriptions, is in the language of its schema.
import type { ComponentChildren } from "preact";
import { german } from "./german";

/** A text of the console, with {0}, {1} … where something else is to stand. */
export type Text = keyof typeof german;

// mirrored is English in brackets from right to left, to see what is not in the catalog and
// whether the pages can be mirrored.
const languages = { en: "English", de: "Deutsch", mirrored: "" } as const;

export type Language = keyof typeof languages;

export const offered: [Language, string][] = Object.entries(languages).filter(([, name]) => name !== "") as [Language, string][];

const shelf = "console.language";

/** The language that was chosen, else the first of the browser's that there is. */
function wanted(): Language {
  const known = (name: string): name is Language => Object.hasOwn(languages, name);
  try {
    const kept = localStorage.getItem(shelf);
    if (kept !== null && known(kept)) return kept;
  } catch { /* a browser that keeps nothing */ }
  return navigator.languages.map((one) => one.split("-")[0]!).find((one) => known(one) && languages[one] !== "") as Language | undefined ?? "en";
}

/** What is called when another language was chosen. */
export const spoken = { language: wanted(), changed: (): void => {} };

export function speak(language: Language): void {
  spoken.language = language;
  try { localStorage.setItem(shelf, language); } catch { /* a browser that keeps nothing */ }
  tell();
  spoken.changed();
}

/** Says to the browser what the page is written in. */
export function tell(): void {
  document.documentElement.lang = locale() ?? navigator.language;
  document.documentElement.dir = spoken.language === "mirrored" ? "rtl" : "ltr";
}

/** How numbers and times are written: as the browser does, where that speaks the language. */
export const locale = (): string | undefined =>
  spoken.language === "mirrored" || navigator.language.startsWith(spoken.language) ? undefined : spoken.language;

const said = (text: Text): string => (spoken.language === "de" ? german[text] : spoken.language === "mirrored" ? `⟦${text}⟧` : text);

/** The text in the language of the reader. */
export const t = (text: Text, ...given: (string | number)[]): string =>
  said(text).replace(/\{(\d)\}/g, (_, i: string) => String(given[Number(i)] ?? ""));

/** The text with elements in it. */
export const tx = (text: Text, ...given: ComponentChildren[]): ComponentChildren[] =>
  said(text).split(/\{(\d)\}/).map((part, i) => (i % 2 === 0 ? part : given[Number(part)]));

/** One text for one, and another for all other numbers, each with {0} for the number. */
export const tn = (n: number, one: Text, many: Text, ...given: (string | number)[]): string => t(n === 1 ? one : many, n.toLocaleString(locale()), ...given);
