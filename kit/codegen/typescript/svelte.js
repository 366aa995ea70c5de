// The client as stores of Svelte.
const store = (listen, get) => ({
  subscribe(run) {
    const end = listen(() => run(get()));
    run(get());
    return end;
  },
});

export const live = (list) => store(list.subscribe, () => ({ rows: list.getSnapshot(), error: list.error }));

export const session = (db) => store((changed) => db.session.onChange(changed), () => ({ signedIn: db.session.signedIn }));

export function action(run) {
  const listeners = new Set();
  let pending = 0;
  let error;
  const tell = () => listeners.forEach((listener) => listener());
  const state = store((listener) => (listeners.add(listener), () => void listeners.delete(listener)), () => ({ pending: pending > 0, error }));
  const act = async (...args) => {
    pending++;
    error = undefined;
    tell();
    try {
      return await run(...args);
    } catch (err) {
      error = err;
    } finally {
      pending--;
      tell();
    }
  };
  return { ...state, act };
}
