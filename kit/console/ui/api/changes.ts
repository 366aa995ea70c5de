// The changes of rows, as the feed of an entity has them in each version of the API.
import { client } from "./client";
import { text, type Members } from "./json";
import type { Entity } from "./service";

export interface Change { type: "created" | "changed" | "deleted" | "gone"; id: Members[string]; at: string; row: Members | null }

export interface Changes { changes: Change[]; token: string; more: boolean }

/** The changes since a token, or, with an id, those of one row, the newest first. */
export async function changesOf(entity: Entity, query: { since?: string | undefined; id?: string }, signal: AbortSignal): Promise<Changes> {
  const { body } = await client.call({ method: "GET", path: "/changes", query: { entity: entity.path.slice(1), ...query }, options: { signal } });
  const answer = body as Members;
  const changes = (Array.isArray(answer.data) ? answer.data : (answer.data as Members).changes) as unknown as Change[];
  return { changes, token: text(answer.token), more: (answer.has_more ?? answer.hasMore) === true };
}
