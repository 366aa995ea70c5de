// The client as references of Vue, in setup() or another scope.
import { onScopeDispose, shallowReadonly, shallowRef } from "vue";

const following = (listen, get) => {
  const now = shallowRef(get());
  onScopeDispose(listen(() => void (now.value = get())));
  return shallowReadonly(now);
};

export const useLive = (list) => following(list.subscribe, () => ({ rows: list.getSnapshot(), error: list.error }));

export const useSession = (db) => following((changed) => db.session.onChange(changed), () => ({ signedIn: db.session.signedIn }));

export function useAction(run) {
  const state = shallowRef({ pending: false, error: undefined });
  let pending = 0;
  const act = async (...args) => {
    state.value = { pending: ++pending > 0, error: undefined };
    let error;
    try {
      return await run(...args);
    } catch (err) {
      error = err;
    } finally {
      state.value = { pending: --pending > 0, error };
    }
  };
  return { act, state: shallowReadonly(state) };
}
