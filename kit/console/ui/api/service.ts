// The service as the one who signed in may see it: lookups in its manifest, and what things are called.
import type { Call, Entity, Field, Manifest } from "../manifest/types";
import { spoken } from "../texts/text";

export type { Action, Call, Edge, Entity, Field } from "../manifest/types";

export class Service {
  readonly entities: Entity[];
  /** The id of the user who signed in. */
  me: number | undefined;
  private readonly byName: Map<string, Entity>;

  constructor(readonly manifest: Manifest) {
    this.entities = manifest.entities;
    this.byName = new Map(this.entities.map((one) => [one.name, one]));
  }

  entity(name: string | undefined): Entity | undefined { return this.byName.get(name ?? ""); }

  /** The entity whose rows are listed at the path, as in "posts". */
  at(path: string): Entity | undefined { return this.entities.find((one) => !one.under && slug(one) === path); }
}

/** What an entity is called in the console's addresses: "posts", "cart-items". */
export const slug = (entity: Entity): string => entity.path.slice(1).replace(/\//g, "-");

export const field = (entity: Pick<Entity, "fields">, name: string | undefined): Field | undefined => entity.fields.find((one) => one.name === name);

/** What the API calls a field that every version has, by its name in GraphQL. */
export const called = (entity: Entity, graphql: string): string => entity.fields.find((one) => one.graphql === graphql)?.name ?? graphql;

/** The verb at the entity's own path. */
export const verb = (entity: Entity, name: string): Call | undefined => entity.verbs?.find((one) => one.name === name && (entity.under || !one.of));

export const labelOf = (one: { name: string; label?: string }): string =>
  one.label ?? (one.name.charAt(0).toUpperCase() + one.name.slice(1)).replace(/_/g, " ");

/** A label within a sentence: "post", "API key". Nouns stay as they are in German. */
export const worded = (label: string): string => (spoken.language !== "de" && /^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label);

/** One row of an entity within a sentence. */
export const oneOf = (entity: Entity): string => worded(entity.label);
