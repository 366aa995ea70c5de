// The client in React. Beside the package, which needs no React itself.
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from "react";

export function useLive(open, asked = []) {
  const list = useMemo(open, asked);
  const now = useSyncExternalStore(list.subscribe, () => list.error ?? list.getSnapshot(), () => list.getSnapshot());
  return { list, rows: list.getSnapshot(), error: now instanceof Error ? now : undefined };
}

export function useAction(run) {
  const [state, set] = useState({ pending: 0, error: undefined });
  const act = useCallback(async (...args) => {
    set((was) => ({ pending: was.pending + 1, error: undefined }));
    try {
      const result = await run(...args);
      set((was) => ({ ...was, pending: was.pending - 1 }));
      return result;
    } catch (error) {
      set((was) => ({ pending: was.pending - 1, error }));
    }
  }, [run]);
  return [act, { pending: state.pending > 0, error: state.error }];
}

export function useSession(db) {
  const listen = useCallback((changed) => db.session.onChange(changed), [db]);
  const signedIn = useSyncExternalStore(listen, () => db.session.signedIn, () => false);
  const [resumed, set] = useState(signedIn);
  useEffect(() => void db.session.resume().catch(() => false).then(() => set(true)), [db]);
  return { signedIn, ready: resumed || signedIn };
}
