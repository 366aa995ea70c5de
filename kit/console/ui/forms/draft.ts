// What stands in a form, and the values of the API that it means. A number stays the
// digits that were typed, so that none is rounded; text that is no number is sent as it
// is, and the API says what is wrong with it.
import type { Detail } from "../api/client";
import { list, members, number, parse, print, text, type Members, type Value } from "../api/json";
import type { Field } from "../api/service";
import { digitsOf } from "../rows/amount";

/** Texts, but for objects, which are drafts themselves. */
export type Draft = string | Drafts[];
export interface Drafts { [name: string]: Draft }

/** The drafts of a row that is not there yet. */
export const begin = (fields: Field[]): Drafts =>
  Object.fromEntries(fields.map((one) => [one.name, one.has_default && one.default !== undefined ? draftOf(one, one.default as Value) : initial(one)]));

function initial(one: Field): Draft {
  if (one.kind === "objects") return one.limits?.min_items && one.members ? [begin(one.members)] : [];
  return one.kind === "bool" && !one.nullable ? "false" : "";
}

/** A value as it stands in a form, of an amount with the decimals of the currency that the row has. */
export function draftOf(one: Field, value: Value | undefined, row: Members = {}): Draft {
  if (one.kind === "objects") return list(value).map((row) => Object.fromEntries((one.members ?? []).map((member) => [member.name, draftOf(member, members(row)[member.name], members(row))])));
  if (value === null || value === undefined) return "";
  switch (one.kind) {
    case "strings": return list(value).map(text).join("\n");
    case "json": return print(value, "  ");
    case "time": return local(text(value));
    case "money": return digitsOf(one, { ...row, [one.name]: value });
  }
  return text(value);
}

export interface Input { body: Members; problems: Detail[] }

/** What a form with nothing before it sends: what was filled in. */
export function values(fields: Field[], drafts: Drafts, at = ""): Input {
  const input: Input = { body: {}, problems: [] };
  const empty = begin(fields);
  for (const one of fields) {
    const draft = drafts[one.name] ?? "";
    const untouched = JSON.stringify(draft) === JSON.stringify(empty[one.name]) && one.create !== "required" && one.kind !== "objects";
    if (untouched || draft === "" || (Array.isArray(draft) && draft.length === 0 && one.create !== "required")) continue;
    take(input, one, draft, at);
  }
  return input;
}

/** What a form over a row sends: what differs from it. */
export function changes(fields: Field[], drafts: Drafts, before: Members): Input {
  const input: Input = { body: {}, problems: [] };
  for (const one of fields) {
    const draft = drafts[one.name] ?? "";
    if (JSON.stringify(draft) === JSON.stringify(draftOf(one, before[one.name], before))) continue;
    if (draft === "" && (one.nullable || one.kind !== "string")) input.body[one.name] = null;
    else take(input, one, draft, "");
  }
  return input;
}

function take(input: Input, one: Field, draft: Draft, at: string): void {
  const field = at + one.name;
  if (Array.isArray(draft)) {
    const rows = draft.map((row, i) => values(one.members ?? [], row, `${field}[${i}].`));
    input.body[one.name] = rows.map((row) => row.body);
    input.problems.push(...rows.flatMap((row) => row.problems));
    return;
  }
  switch (one.kind) {
    case "bool": input.body[one.name] = draft === "true"; return;
    case "strings": input.body[one.name] = draft.split("\n").map((line) => line.trim()).filter((line) => line !== ""); return;
    case "int": case "float": case "money": case "id": case "ref": {
      const digits = one.kind === "money" ? draft.trim().replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "") : draft.trim();
      input.body[one.name] = /^-?\d+(\.\d+)?$/.test(digits) ? number(digits) : draft.trim();
      return;
    }
    case "time": input.body[one.name] = universal(draft); return;
    case "json":
      try {
        input.body[one.name] = parse(draft);
      } catch (err) {
        input.problems.push({ field, message: err instanceof Error ? err.message : String(err) });
      }
      return;
  }
  input.body[one.name] = draft;
}

/** A time of the API as <input type="datetime-local"> has it, where the reader is. */
function local(value: string): string {
  const at = new Date(value);
  if (Number.isNaN(at.getTime())) return value;
  const two = (n: number): string => String(n).padStart(2, "0");
  return `${String(at.getFullYear()).padStart(4, "0")}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

function universal(draft: string): string {
  const at = new Date(draft);
  return Number.isNaN(at.getTime()) ? draft : at.toISOString();
}
