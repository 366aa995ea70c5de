import type { Ref } from "vue";
import type { ApiError, Client, LiveList } from "./dist/index.js";

/** The rows of a list, followed until the scope ends. */
export function useLive<Row>(list: LiveList<Row>): Readonly<Ref<{ rows: readonly Row[] | undefined; error: ApiError | undefined }>>;

/** Whether the caller is signed in. */
export function useSession(db: Client): Readonly<Ref<{ signedIn: boolean }>>;

/** A function that calls run, whether it runs, and why the last call has failed, which it does not throw. */
export function useAction<Args extends unknown[], Result>(
  run: (...args: Args) => Promise<Result>,
): { act: (...args: Args) => Promise<Result | undefined>; state: Readonly<Ref<{ pending: boolean; error: unknown }>> };
