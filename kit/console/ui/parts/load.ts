// What a page asks the service for while it is shown.
import { useCallback, useEffect, useState } from "preact/hooks";

export interface Loaded<T> {
  /** What came last, also while it is asked for again. */
  value?: T;
  error?: unknown;
  loading: boolean;
  again: () => void;
}

/** Loads what depends on the key, and again where the key or the turn is another. */
export function useLoad<T>(key: string, load: (signal: AbortSignal) => Promise<T>, turn = 0): Loaded<T> {
  const [state, set] = useState<{ key: string; value?: T; error?: unknown; loading: boolean }>({ key, loading: true });
  const [tries, next] = useState(0);
  useEffect(() => {
    const abort = new AbortController();
    set((before) => (before.key === key ? { ...before, loading: true } : { key, loading: true }));
    load(abort.signal).then(
      (value) => abort.signal.aborted || set({ key, value, loading: false }),
      (error: unknown) => abort.signal.aborted || set({ key, error, loading: false }),
    );
    return () => abort.abort();
  }, [key, turn, tries]);
  const again = useCallback(() => next((n) => n + 1), []);
  return state.key === key ? { ...state, again } : { loading: true, again };
}
