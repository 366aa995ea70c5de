import type { CollectionConfig } from "@tanstack/db";
import type { LiveList } from "./dist/index.js";

/** How the writes of a collection are done: what is left out is refused by the collection. */
export interface Writes<Row extends object> {
  id?: string;
  /** The key of a row: its id without it. */
  getKey?: (row: Row) => string | number;
  insert?: (row: Row) => Promise<unknown>;
  update?: (row: Row, changes: Partial<Row>) => Promise<unknown>;
  remove?: (row: Row) => Promise<unknown>;
}

/** A live list as a collection: createCollection(liveCollection(db.posts.live(), { update: (row, changes) => db.posts.update(row, changes) })). */
export function liveCollection<Row extends object>(list: LiveList<Row>, writes?: Writes<Row>): CollectionConfig<Row, string | number>;
