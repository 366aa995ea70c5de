// The rows of a list that are chosen, what can be done to them, and what came of it.
import { useEffect, useRef, useState } from "preact/hooks";
import { text, type Members } from "../api/json";
import { isOwn, Own } from "../account/own";
import { oneOf, worded, type Entity, type Service } from "../api/service";
import { Dialog } from "../parts/dialog";
import { reason, say } from "../parts/say";
import { bulks, type Bulk, type Outcome } from "./bulk";
import { nameOf } from "./place";
import { t, tx } from "../texts/text";

export interface Chosen {
  keys: ReadonlySet<string>;
  choose: (keys: Iterable<string>) => void;
}

/** The keys of rows that are chosen, of those that are shown. */
export function useChosen(entity: Entity, rows: Members[] | undefined): Chosen {
  const [keys, set] = useState<ReadonlySet<string>>(new Set());
  const shown = new Set((rows ?? []).map((row) => text(row[entity.key])));
  const kept = [...keys].filter((key) => shown.has(key));
  return { keys: new Set(kept), choose: (next) => set(new Set(next)) };
}

/** A box that chooses a row. */
export function Box({ entity, row, chosen }: { entity: Entity; row: Members; chosen: Chosen }) {
  const key = text(row[entity.key]);
  const toggle = (on: boolean): void => chosen.choose(on ? [...chosen.keys, key] : [...chosen.keys].filter((one) => one !== key));
  return <input type="checkbox" checked={chosen.keys.has(key)} aria-label={t("Choose {0}", nameOf(entity, row))} onChange={(event) => toggle(event.currentTarget.checked)} />;
}

/** A box that chooses all rows of the page. */
export function BoxOfAll({ entity, rows, chosen }: { entity: Entity; rows: Members[]; chosen: Chosen }) {
  const box = useRef<HTMLInputElement>(null);
  const all = chosen.keys.size === rows.length;
  useEffect(() => { box.current!.indeterminate = chosen.keys.size > 0 && !all; });
  return (
    <input type="checkbox" ref={box} checked={all} aria-label={t("Choose all rows of this page")}
      onChange={(event) => chosen.choose(event.currentTarget.checked ? rows.map((row) => text(row[entity.key])) : [])} />
  );
}

/** What can be done to the rows that are chosen, with how many it can be done to. */
export function Selection({ service, entity, rows, chosen, changed }: { service: Service; entity: Entity; rows: Members[]; chosen: Chosen; changed: () => void }) {
  const [asked, ask] = useState<{ bulk: Bulk; rows: Members[] }>();
  const picked = rows.filter((row) => chosen.keys.has(text(row[entity.key])));
  if (picked.length === 0 && !asked) return null;

  function close(tried: boolean): void {
    ask(undefined);
    if (!tried) return;
    chosen.choose([]);
    changed();
    setTimeout(() => document.querySelector<HTMLElement>("main h1")?.focus()); // the button that had the focus is gone
  }

  return (
    <div class="selection" role="region" aria-label={t("Chosen rows")}>
      <p role="status">{tx("{0} chosen", <b>{picked.length}</b>)}</p>
      {bulks(entity).map((bulk) => {
        const fit = picked.filter(bulk.can);
        return fit.length > 0 && (
          <button key={bulk.name} type="button" class={bulk.danger ? "danger" : undefined} onClick={() => ask({ bulk, rows: fit })}>
            {bulk.label}{fit.length < picked.length && ` ${t("{0} of {1}", fit.length, picked.length)}`}…
          </button>
        );
      })}
      <button type="button" class="quiet" onClick={() => chosen.choose([])}>{t("Choose none")}</button>
      {asked && <Run service={service} entity={entity} {...asked} onClose={close} />}
    </div>
  );
}

const named = 8;

function Run({ service, entity, bulk, rows, onClose }: { service: Service; entity: Entity; bulk: Bulk; rows: Members[]; onClose: (tried: boolean) => void }) {
  const [done, count] = useState<number>();
  const [outcome, show] = useState<Outcome[]>();
  const end = useRef(new AbortController());
  useEffect(() => () => end.current.abort(), []);
  const what = rows.length === 1 ? `1 ${oneOf(entity)}` : `${rows.length} ${worded(entity.labels)}`;

  async function run(): Promise<void> {
    count(0);
    try {
      show(await bulk.run(rows, count, end.current.signal));
    } catch (err) {
      say(reason(err), true);
      onClose(false);
    }
  }

  if (outcome) return <Results entity={entity} bulk={bulk} of={rows.length} outcome={outcome} onClose={() => onClose(true)} />;
  const running = done !== undefined;
  return (
    <Dialog title={`${bulk.label} ${what}?`} onClose={() => (running ? end.current.abort() : onClose(false))}>
      <div class="dialog-body">
        {bulk.name !== "restore" && rows.some((row) => isOwn(service, entity, row)) && <Own ends />}
        <ul class="named">{rows.slice(0, named).map((row) => <li key={text(row[entity.key])}>{nameOf(entity, row)}</li>)}</ul>
        {rows.length > named && <p class="muted">{t("and {0} more.", rows.length - named)}</p>}
        {bulk.name === "delete" && <p>{entity.soft_delete ? t("They are no longer found, and can be restored.") : t("They are gone for good, with what belongs to them.")}</p>}
        {running && <p role="status">{t("{0} of {1} done.", done!, rows.length)}</p>}
      </div>
      <footer>
        <button type="button" onClick={() => (running ? end.current.abort() : onClose(false))}>{running ? t("Stop") : t("Cancel")}</button>
        <button type="button" class={bulk.danger ? "danger" : "primary"} disabled={running} onClick={run}>{running ? t("Working…") : `${bulk.label} ${what}`}</button>
      </footer>
    </Dialog>
  );
}

/** What came of it: how many are done, and why others are not. */
function Results({ entity, bulk, of: asked, outcome, onClose }: { entity: Entity; bulk: Bulk; of: number; outcome: Outcome[]; onClose: () => void }) {
  const failed = outcome.filter((one) => one.reason !== undefined);
  const left = asked - outcome.length;
  return (
    <Dialog title={t("{0}: {1} of {2} done", bulk.label, outcome.length - failed.length, asked)} onClose={onClose}>
      <div class="dialog-body">
        {failed.length === 0 && left === 0 && <p>{t("Nothing was refused.")}</p>}
        {left > 0 && <p>{t("{0} were not tried.", left)}</p>}
        {failed.length > 0 && (
          <div class="scroll" tabIndex={0} role="region" aria-label={t("Refused")}>
            <table>
              <caption class="hidden">{t("Refused")}</caption>
              <thead><tr><th scope="col">{entity.label}</th><th scope="col">{t("Status")}</th><th scope="col">{t("Reason")}</th></tr></thead>
              <tbody>
                {failed.map((one) => (
                  <tr key={text(one.row[entity.key])}>
                    <th scope="row">{nameOf(entity, one.row)}</th>
                    <td><span class="badge bad">{one.status || t("no answer")}</span></td>
                    <td>{one.reason}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </div>
      <footer><button type="button" class="primary" onClick={onClose}>{t("Close")}</button></footer>
    </Dialog>
  );
}
