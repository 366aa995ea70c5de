// A live list as a collection of TanStack DB, whose createCollection takes what this
// returns: joins, and writes while offline, are that library's. It is not needed here.
export function liveCollection(list, { insert, update, remove, getKey = idOf, ...more } = {}) {
  const each = (write, done) => write && (({ transaction }) => Promise.all(transaction.mutations.map(async (mutation) => {
    const result = await write(mutation);
    await list.settled(done(mutation, result)); // from then on the list has it, and what was shown before is dropped
  })));
  const come = (_, result) => () => list.has(result);
  return {
    ...more,
    getKey,
    sync: { sync: (to) => follow(list, getKey, to), rowUpdateMode: "full" },
    onInsert: each(insert && ((mutation) => insert(mutation.modified)), come),
    onUpdate: each(update && ((mutation) => update(mutation.original, mutation.changes)), come),
    onDelete: each(remove && ((mutation) => remove(mutation.original)), ({ original }) => (rows) => rows.every((row) => getKey(row) !== getKey(original))),
  };
}

const idOf = ({ id }) => (typeof id === "bigint" ? String(id) : id);

/** Writes into a collection what becomes of a list. */
function follow(list, getKey, { begin, write, commit, markReady, markError }) {
  let known;
  const take = () => {
    const rows = list.getSnapshot();
    if (!rows) return list.error && (markError ?? markReady)(list.error);
    const now = new Map(rows.map((row) => [getKey(row), row]));
    begin();
    for (const [key, row] of known ?? []) if (!now.has(key)) write({ type: "delete", value: row });
    for (const [key, row] of now) {
      if (!known?.has(key)) write({ type: "insert", value: row });
      else if (known.get(key) !== row) write({ type: "update", value: row });
    }
    commit();
    if (!known) markReady();
    known = now;
  };
  const end = list.subscribe(take);
  take();
  return end;
}
