// The manifest: what the service has, as the one who signed in may see it.
import { call } from "./http";
import type { Members, Value } from "./json";

export type Kind =
  | "id" | "ref" | "int" | "float" | "string" | "enum" | "bool" | "time" | "date" | "money"
  | "json" | "strings" | "objects" | "uuid" | "bytes";

export interface Limits {
  min_length?: number; max_length?: number; minimum?: number; maximum?: number;
  min_items?: number; max_items?: number; max_size?: number; pattern?: string; format?: string;
}

export interface Deprecated { since?: string; sunset?: string; instead?: string }

export interface Field {
  name: string; label?: string; description?: string; kind: Kind; to?: string;
  nullable?: boolean; long?: boolean; read_only?: boolean; create?: "required" | "optional"; update?: boolean;
  immutable?: boolean; secret?: boolean; on_request?: boolean; derived?: boolean; caller?: boolean; on_behalf?: string[];
  default?: Value; has_default?: boolean; unique?: boolean; currency?: string;
  values?: { name: string; label?: string }[]; limits?: Limits; members?: Field[];
  filters?: string[]; sort?: boolean; search?: boolean; render?: string; example?: Value; deprecated?: Deprecated;
  required?: boolean;
}

export interface Edge {
  name: string; label?: string; description?: string; to: string; many?: boolean; required?: boolean;
  field?: string; inverse?: string; list?: string; expand?: boolean; filter?: boolean; tree?: string;
  attach?: { ids: string; path: string };
}

export interface Verb {
  name: string; id: string; method: string; path: string; rows?: string; says?: string; input?: Field[];
  if_match?: boolean; idempotent?: boolean; maximum?: number; of?: string; edge?: string; deprecated?: Deprecated;
}

export interface Action {
  name: string; label?: string; id: string; method: string; path: string; description?: string; detail?: string;
  kind?: "action" | "mark" | "unmark"; scope?: "row" | "collection" | "service"; reads?: boolean;
  input?: Field[]; input_required?: boolean; result?: "row" | "none" | "job" | "answer"; answer?: Field[];
  when?: string; offered?: boolean; rows?: string; says?: string; if_match?: boolean; idempotent?: boolean; deprecated?: Deprecated;
}

export interface Transition { action: string; from?: string[]; to?: string[]; system?: boolean }

export interface Rule { verb: string; says?: string; rows?: Record<string, string> }

export interface Entity {
  name: string; singular: string; plural: string; label?: string; labels?: string; description?: string;
  path: string; under?: string; id: string; key: string; title?: string; version?: string; soft_delete?: boolean;
  sort?: string; page_size?: number; search?: string[]; deprecated?: Deprecated;
  fields?: Field[]; edges?: Edge[]; state?: { field: string; values?: string[]; transitions?: Transition[] };
  verbs?: Verb[]; actions?: Action[]; rules?: Rule[];
  events?: { topic: string; on?: string[]; subscription?: string; description?: string }[];
}

export interface Manifest {
  format: number; digest: string; service: { name: string; version?: string }; version: string; versions?: string[]; base: string;
  conventions: { names?: string; ids?: string; item?: string; list?: string; errors?: string; page?: Record<string, string> };
  viewer: { kind: "anonymous" | "user" | "key"; role?: string }; callers?: string[];
  sign_in?: Record<string, string>; entities?: Entity[];
}

export async function load(): Promise<Manifest> {
  const { body } = await call("GET", "/manifest");
  return body as unknown as Manifest;
}

/** Lookups in a manifest, and how its bodies are read. */
export class Service {
  readonly entities: Entity[];
  private readonly byName: Map<string, Entity>;

  constructor(readonly manifest: Manifest) {
    this.entities = manifest.entities ?? [];
    this.byName = new Map(this.entities.map((one) => [one.name, one]));
  }

  entity(name: string | undefined): Entity | undefined { return this.byName.get(name ?? ""); }

  /** The entity whose rows are listed at the path, as in "posts". */
  at(path: string): Entity | undefined { return this.entities.find((one) => !one.under && slug(one) === path); }

  row(entity: Entity, body: Value): Members {
    const data = (body as Members | null)?.data as Members;
    return this.manifest.conventions.item === "named" ? (data[entity.singular] as Members) : data;
  }

  rows(entity: Entity, body: Value): Members[] {
    const data = (body as Members | null)?.data;
    return (this.manifest.conventions.list === "named" ? (data as Members)[entity.plural] : data) as unknown as Members[];
  }

  /** A member of "pagination" by its name in version 1. */
  page(body: Value, name: string): Value | undefined {
    const pagination = (body as Members | null)?.pagination as Members | undefined;
    return pagination?.[this.manifest.conventions.page?.[name] ?? name];
  }
}

/** What an entity is called in the console's addresses: "posts", "cart-items". */
export const slug = (entity: Entity): string => entity.path.slice(1).replace(/\//g, "-");

export const field = (entity: Entity, name: string | undefined): Field | undefined => entity.fields?.find((one) => one.name === name);

/** The verb at the entity's own path. */
export const verb = (entity: Entity, name: string): Verb | undefined => entity.verbs?.find((one) => one.name === name && (entity.under || !one.of));

export const labelOf = (one: { name: string; label?: string }): string =>
  one.label ?? (one.name.charAt(0).toUpperCase() + one.name.slice(1)).replace(/_/g, " ");

/** A label within a sentence: "post", "API key". */
export const worded = (label: string): string => (/^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label);

/** One row of an entity within a sentence. */
export const oneOf = (entity: Entity): string => worded(entity.label ?? entity.name);

export const labelsOf = (entity: Entity): string => entity.labels ?? entity.name;
