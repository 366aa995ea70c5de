// Where rows are: in the API, and in the console.
import { list, members, text, type Members } from "../api/json";
import { field, slug, type Edge, type Entity, type Service } from "../api/service";

/** A collection, or one row, of an entity. */
export interface Place {
  entity: Entity;
  /** The path in the API, relative to its version. */
  api: string;
  /** The path in the console, without the part that says what is done there. */
  trail: string[];
  one: boolean;
  /** The row that it lies below. */
  parent?: Place;
  edge?: Edge;
}

/** What a path of the console names: posts, posts/1, posts/1/comments. */
export function place(service: Service, trail: string[]): Place | undefined {
  const [at, key, name, ...more] = trail;
  const entity = service.at(at ?? "");
  if (!entity || more.length > 0) return undefined;
  if (key === undefined) return { entity, api: entity.path, trail, one: false };
  const parent: Place = { entity, api: `${entity.path}/${encodeURIComponent(key)}`, trail: trail.slice(0, 2), one: true };
  if (name === undefined) return parent;
  const edge = entity.edges?.find((one) => one.name === name);
  const target = service.entity(edge?.to);
  if (!edge || !target) return undefined;
  const below = edge.many ? edge.list : target.under ? target.path : undefined;
  return below === undefined ? undefined : { entity: target, api: filled(below, key), trail, one: !edge.many, parent, edge };
}

/** A path with the key of a row in the place of its first parameter. */
export const filled = (path: string, key: string): string => path.replace(/\{[^}]*\}/, encodeURIComponent(key));

/** The place of a row of a collection. */
export const placeOf = (entity: Entity, row: Members): string[] | undefined =>
  entity.under || row[entity.key] === undefined ? undefined : [slug(entity), text(row[entity.key])];

/** What a row is called. */
export function nameOf(entity: Entity, row: Members): string {
  const title = text(row[entity.title ?? ""]);
  return title !== "" && entity.title !== entity.id ? title : `${entity.label ?? entity.name} ${text(row[entity.id] ?? row[entity.key])}`;
}

/** The edge of a tree to all rows above one, the nearest first, or to all below. */
export const walk = (entity: Entity, tree: "up" | "down"): Edge | undefined => entity.edges?.find((one) => one.tree === tree && one.expand);

/** The rows above a row of a tree, from the root on, where they were asked for. */
export const above = (entity: Entity, row: Members): Members[] => list(row[walk(entity, "up")?.name ?? ""]).map(members).reverse();

/** The edge behind a foreign key. */
export const edgeOf = (entity: Entity, name: string): Edge | undefined => entity.edges?.find((one) => one.field === name && !one.many);

/** The edge of a foreign key whose row's name can be shown, with the field that has it. */
export function namedEdge(service: Service, entity: Entity, name: string): { edge: Edge; target: Entity; title: string } | undefined {
  const edge = edgeOf(entity, name);
  const target = service.entity(edge?.to);
  if (!edge?.expand || !target?.title || target.title === target.id || !field(target, target.title)) return undefined;
  return { edge, target, title: target.title };
}
