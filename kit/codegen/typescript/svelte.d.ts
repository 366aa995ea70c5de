import type { ApiError, Client, LiveList } from "./dist/index.js";

/** What Svelte reads as $store. */
export interface Store<Value> {
  subscribe(run: (value: Value) => void): () => void;
}

/** The rows of a list, followed while something subscribes. */
export function live<Row>(list: LiveList<Row>): Store<{ rows: readonly Row[] | undefined; error: ApiError | undefined }>;

/** Whether the caller is signed in. */
export function session(db: Client): Store<{ signedIn: boolean }>;

/** A function that calls run, whether it runs, and why the last call has failed, which it does not throw. */
export function action<Args extends unknown[], Result>(
  run: (...args: Args) => Promise<Result>,
): Store<{ pending: boolean; error: unknown }> & { act: (...args: Args) => Promise<Result | undefined> };
