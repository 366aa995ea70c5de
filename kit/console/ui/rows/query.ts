// What a list asks for. The address of the page has the parameters of the API, under
// their own names: fields, sort, search, cursor, limit, include_deleted, and filters.
import type { Asking } from "../api/client";
import type { Entity, Field, Service } from "../api/service";
import { namedEdge, walk } from "./place";

const own = new Set(["fields", "sort", "search", "cursor", "limit", "include_deleted", "expand"]);

/** The filters of an address, which are all parameters that have no other meaning. */
export function filters(query: URLSearchParams): [string, string][] {
  return [...query].filter(([name]) => !own.has(name));
}

/** The fields that are columns where nothing was chosen. */
export function usual(entity: Entity): string[] {
  const currencies = new Set((entity.fields ?? []).map((one) => one.currency)); // they stand beside their amounts
  const plain = (entity.fields ?? []).filter((one) => showable(one) && !currencies.has(one.name) && !one.long && !one.on_request && one.kind !== "json" && one.kind !== "objects"
    && one.name !== entity.version && one.name !== entity.id && !/^(updated|deleted)_?at$/i.test(one.name));
  const title = plain.filter((one) => one.name === entity.title);
  const others = plain.filter((one) => one.name !== entity.title);
  const created = others.filter((one) => /^created_?at$/i.test(one.name));
  const telling = others.filter((one) => !created.includes(one)).sort((a, b) => rank(a) - rank(b)).slice(0, 4);
  return [...title, ...others.filter((one) => telling.includes(one)), ...created].map((one) => one.name);
}

/** How little a field tells of a row, by its kind. */
function rank(one: Field): number {
  const order = ["enum", "money", "ref", "bool", "string", "date", "int", "float", "strings", "time"].indexOf(one.kind);
  return (order < 0 ? 20 : order) + (one.derived ? 20 : 0) + (/_?count$/i.test(one.name) ? 10 : 0);
}

/** Whether an index serves the order. One that descends has the rows without a value last, which indexes of PostgreSQL have first. */
export const served = (one: Field, descending: boolean): boolean => !one.scans && !(descending && one.nullable);

/** The columns of an address, else those that were kept, else the usual ones. */
export function columns(entity: Entity, query: URLSearchParams): Field[] {
  const known = new Map((entity.fields ?? []).filter(showable).map((one) => [one.name, one]));
  const named = (query.get("fields") ?? kept(entity) ?? "").split(",").filter((name) => known.has(name));
  return (named.length > 0 ? named : usual(entity)).map((name) => known.get(name)!);
}

/** What the client asks for, for a page of rows, where wanted with the rows above each in a tree. */
export function request(service: Service, entity: Entity, query: URLSearchParams, paths = false): Asking {
  const fields = new Set([entity.id, entity.key]);
  if (entity.title) fields.add(entity.title);
  const expand: string[] = [];
  const shown = columns(entity, query);
  const up = paths && shown.some((one) => one.name === entity.title) ? walk(entity, "up") : undefined;
  if (up) {
    expand.push(up.name);
    for (const name of new Set([entity.id, entity.key, entity.title])) fields.add(`${up.name}.${name}`);
  }
  for (const one of shown) {
    fields.add(one.name);
    if (one.currency) fields.add(one.currency);
    const named = one.kind === "ref" ? namedEdge(service, entity, one.name) : undefined;
    if (!named) continue;
    expand.push(named.edge.name);
    for (const name of new Set([named.target.id, named.target.key, named.title])) fields.add(`${named.edge.name}.${name}`);
  }
  const limit = Number(query.get("limit"));
  return {
    where: Object.fromEntries(filters(query)), fields: [...fields], includeDeleted: query.get("include_deleted") === "true",
    ...(expand.length > 0 && { expand }), ...(query.get("sort") && { sort: query.get("sort")! }), ...(query.get("search") && { search: query.get("search")! }), ...(limit > 0 && { limit }),
  };
}

/** Whether a field says something of the row, and not of what its reader may do. */
export const showable = (one: Field): boolean => !one.secret && one.name !== "actions" && !/^viewer_?[a-z]/i.test(one.name);

// The columns that were chosen last, on this machine.

const shelf = (entity: Entity): string => `console.columns.${entity.plural}`;

function kept(entity: Entity): string | null {
  try { return localStorage.getItem(shelf(entity)); } catch { return null; }
}

export function keep(entity: Entity, names: string[]): void {
  try { localStorage.setItem(shelf(entity), names.join(",")); } catch { /* a browser that keeps nothing */ }
}
