import type { ApiError, Client, LiveList } from "./dist/index.js";

/** Follows a list while the component is shown. What is asked is another where one of the values is: useLive(() => db.posts.live({ where: { author_id: id } }), [id]). */
export function useLive<Row>(open: () => LiveList<Row>, asked?: readonly unknown[]): { list: LiveList<Row>; rows: readonly Row[] | undefined; error: ApiError | undefined };

/** A function that calls run, whether it runs, and why the last call has failed, which it does not throw. Run is stable, as by useCallback, or a function of the module. */
export function useAction<Args extends unknown[], Result>(
  run: (...args: Args) => Promise<Result>,
): [(...args: Args) => Promise<Result | undefined>, { pending: boolean; error: unknown }];

/** Whether the caller is signed in, in this tab or by another, and whether it is known yet whether an earlier sign-in goes on. */
export function useSession(db: Client): { signedIn: boolean; ready: boolean };
