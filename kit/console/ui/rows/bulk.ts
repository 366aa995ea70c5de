// What can be done to several rows at once: deleting and restoring them, and actions that
// need no input. Where the API has an operation for many rows it is called once; else the
// operation of one row is called for each, one after the other.
import { ApiError, client, newKey, type Detail } from "../api/client";
import { list, members, text, type Members, type Value } from "../api/json";
import { labelOf, verb, type Action, type Call, type Entity } from "../api/service";
import { filled } from "./place";
import { t } from "../texts/text";

/** What became of one row: a reason where it was refused. */
export interface Outcome { row: Members; status: number; reason?: string }

export interface Bulk {
  name: string;
  label: string;
  danger: boolean;
  /** Whether the row is one that the caller may do it to now, as far as the row says. */
  can: (row: Members) => boolean;
  /** Does it, and says after each answer how many are done. It stops where it is told to. */
  run: (rows: Members[], done: (n: number) => void, signal: AbortSignal) => Promise<Outcome[]>;
}

/** Fields that rows need so that it can be said what can be done to them. */
export function telling(entity: Entity): string[] {
  return entity.fields.map((one) => one.name).filter((name) => name === "actions" || /^viewer_?can_?delete$/i.test(name) || /^deleted_?at$/i.test(name));
}

const member = (row: Members, pattern: RegExp): Value | undefined => row[Object.keys(row).find((name) => pattern.test(name)) ?? ""];
const isDeleted = (row: Members): boolean => text(member(row, /^deleted_?at$/i)) !== "";

export function bulks(entity: Entity): Bulk[] {
  const ofMany = (name: string): Call | undefined => entity.verbs?.find((one) => one.name === "act_many" && one.verb === name);
  const all: Bulk[] = (entity.actions ?? []).filter(simple).map((action) => ({
    name: action.name, label: labelOf(action), danger: false,
    can: (row) => list(row.actions).some((one) => text(members(one).name) === action.name),
    run: (rows, done, signal) => ofMany(action.name) ? together(entity, ofMany(action.name)!, rows, done) : each(rows, done, signal, (row) => ({ method: action.method, path: filled(action.path, text(row[entity.key])), keyed: action.idempotent === true })),
  }));
  const restore = verb(entity, "restore");
  if (restore) {
    all.push({
      name: "restore", label: t("Restore"), danger: false, can: isDeleted,
      run: (rows, done, signal) => each(rows, done, signal, (row) => ({ method: restore.method, path: filled(restore.path, text(row[entity.key])), keyed: true })),
    });
  }
  const many = verb(entity, "delete_many"), one = verb(entity, "delete");
  if (many ?? one) {
    all.push({
      name: "delete", label: t("Delete"), danger: true, can: (row) => !isDeleted(row) && member(row, /^viewer_?can_?delete$/i) !== false,
      run: (rows, done, signal) => (many ? together(entity, many, rows, done) : each(rows, done, signal, (row) => ({ method: "DELETE", path: filled(one!.path, text(row[entity.key])) }))),
    });
  }
  return all;
}

/** Actions of a row that its list of actions offers and that take nothing. */
const simple = (one: Action): boolean => (one.scope ?? "row") === "row" && one.offered === true && (one.input ?? []).length === 0 && one.result !== "answer" && (one.answer ?? []).length === 0;

/** Calls for each row. After the first refusal of the session or of the caller the others are not tried. */
async function each(rows: Members[], done: (n: number) => void, signal: AbortSignal, call: (row: Members) => { method: string; path: string; keyed?: boolean }): Promise<Outcome[]> {
  const all: Outcome[] = [];
  for (const row of rows) {
    if (signal.aborted) break;
    try {
      const { status } = await client.call({ ...call(row), options: { idempotencyKey: newKey() } });
      all.push({ row, status });
    } catch (err) {
      const status = err instanceof ApiError ? err.status : 0;
      all.push({ row, status, reason: told(err) });
      if (status === 401) break;
    }
    done(all.length);
  }
  return all;
}

/** Calls once for all. The answer, 207, has a result for each in the order of the request. */
async function together(entity: Entity, many: Call, rows: Members[], done: (n: number) => void): Promise<Outcome[]> {
  const { body } = await client.call({ method: many.method, path: many.path, keyed: many.idempotent === true, body: { ids: rows.map((row) => row[entity.id]!) }, options: { idempotencyKey: newKey() } });
  done(rows.length);
  return list((body as Members).results).map((one, i) => {
    const { status, error, message } = members(one);
    const code = Number(text(status));
    if (code < 400) return { row: rows[i]!, status: code };
    const said = members(error);
    const details = list(said.details).map((detail) => `${text(members(detail).field)} ${text(members(detail).message)}`);
    return { row: rows[i]!, status: code, reason: [text(said.message) || text(message) || text(error), ...details].join("; ") };
  });
}

function told(err: unknown): string {
  if (!(err instanceof Error)) return String(err);
  const details: readonly Detail[] = err instanceof ApiError ? err.details : [];
  return [err.message, ...details.map((one) => `${one.field} ${one.message}`)].join("; ");
}
