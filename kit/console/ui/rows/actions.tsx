// What can be done to a row beside changing its fields: its actions, deleting and
// restoring it. The row itself says which are offered to the caller now.
import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError, client, newKey, Rows, type Answer, type Detail, type Found } from "../api/client";
import { isMembers, list, members, print, text, type Members, type Value } from "../api/json";
import { called, labelOf, oneOf, slug, verb, type Action, type Entity, type Service } from "../api/service";
import { isOwn, Own } from "../account/own";
import { Findings } from "../forms/findings";
import { Fieldset } from "../forms/fieldset";
import { begin, values, type Drafts } from "../forms/draft";
import { Confirm, Dialog } from "../parts/dialog";
import { reason, say } from "../parts/say";
import { go, href } from "../router";
import { filled, placeOf, type Place } from "./place";
import { t } from "../texts/text";

interface Props { service: Service; place: Place; found: Found; deleted: boolean; changed: () => void }

export function Actions({ service, place: at, found, deleted, changed }: Props) {
  const { entity } = at;
  const [chosen, choose] = useState<Action>();
  const [removing, remove] = useState(false);
  const own = isOwn(service, entity, found.row);
  const offered = new Set(list(found.row.actions).map((one) => text(members(one).name)));
  const shown = (entity.actions ?? []).filter((one) => one.scope === "row" && (one.offered ? offered.has(one.name) : !deleted && !one.reads && !(own && one.kind === "mark") && marks(one, found.row)));
  const canDelete = !deleted && !at.edge && verb(entity, "delete") && found.row[called(entity, "viewerCanDelete")] !== false;
  const canRestore = deleted && verb(entity, "restore");

  async function restore(): Promise<void> {
    try {
      await new Rows(at.api, entity).restore();
      say(t("Restored."));
      changed();
    } catch (err) {
      say(reason(err), true);
    }
  }

  async function erase(): Promise<void> {
    remove(false);
    try {
      await new Rows(at.api, entity).delete(found);
      say(t("Deleted."));
      if (entity.soft_delete) changed();
      else go(href(["rows", slug(entity)]), true);
    } catch (err) {
      say(reason(err), true);
      if (err instanceof ApiError && err.status === 412) changed();
    }
  }

  return (
    <>
      {shown.map((one) => <button key={one.id} type="button" title={one.description} onClick={() => choose(one)}>{labelOf(one)}</button>)}
      {canRestore && <button type="button" onClick={restore}>{t("Restore")}</button>}
      {canDelete && <button type="button" class="danger" onClick={() => remove(true)}>{t("Delete")}</button>}
      {chosen && <Run service={service} entity={entity} action={chosen} at={at} tag={found.tag} own={own && chosen.kind === "action"} onClose={() => choose(undefined)} changed={changed} />}
      {removing && (
        <Confirm title={t("Delete this {0}?", oneOf(entity))} verb={t("Delete")} onYes={erase} onClose={() => remove(false)}>
          {own && <Own ends />}
          <p>{entity.soft_delete ? t("It is no longer found, and can be restored.") : t("It is gone for good, with what belongs to it.")}</p>
        </Confirm>
      )}
    </>
  );
}

/** Whether a mark can be made, or taken back, of a row that says whether the caller has made it. */
const marks = (one: Action, row: Members): boolean => {
  const marked = one.marked === undefined ? undefined : row[one.marked];
  return one.kind === "mark" ? marked !== true : one.kind === "unmark" && marked !== false;
};

/** The actions of a collection, as buttons. */
export function Collection({ service, entity, at, onChange }: { service: Service; entity: Entity; at: Place; onChange: () => void }) {
  const [chosen, choose] = useState<Action>();
  const shown = at.edge ? [] : (entity.actions ?? []).filter((one) => (one.scope === "collection" || one.scope === "service") && !one.reads);
  return (
    <>
      {shown.map((one) => (
        <button key={one.id} type="button" class={one.name === "create" ? "primary" : undefined} title={one.description} onClick={() => choose(one)}>{named(entity, one)}</button>
      ))}
      {chosen && <Run service={service} entity={entity} action={chosen} at={at} tag="" onClose={() => choose(undefined)} changed={onChange} />}
    </>
  );
}

function Run({ service, entity, action, at, tag, own = false, onClose, changed }: {
  service: Service; entity: Entity; action: Action; at: Place; tag: string; own?: boolean; onClose: () => void; changed: () => void;
}) {
  const input = action.input ?? [];
  const [drafts, draft] = useState<Drafts>(() => begin(input));
  const [findings, find] = useState<readonly Detail[]>([]);
  const [message, tell] = useState("");
  const [busy, work] = useState(false);
  const [answer, show] = useState<Value>();
  const title = named(entity, action);
  const closed = useRef(false); // before the answer came
  useEffect(() => () => { closed.current = true; }, []);
  const key = useRef(newKey()); // the same for what is sent again: it is done once

  async function run(event: Event): Promise<void> {
    event.preventDefault();
    work(true);
    tell("");
    find([]);
    try {
      const { body, problems } = values(input, drafts);
      if (problems.length > 0) return find(problems);
      const path = (action.scope ?? "row") === "row" ? filled(action.path, at.trail[1] ?? "") : action.path;
      const done = await client.call({
        method: action.method, path, keyed: action.idempotent === true, options: { idempotencyKey: key.current },
        ...(input.length > 0 && { body }), ...(action.if_match && tag && { headers: { "If-Match": tag } }),
      });
      finish(done);
    } catch (err) {
      if (err instanceof ApiError && err.details.length > 0) find(err.details);
      else tell(reason(err));
      if (err instanceof ApiError && err.status > 0) key.current = newKey();
      if (err instanceof ApiError && (err.status === 412 || err.status === 409)) changed();
    } finally {
      work(false);
    }
  }

  function finish(done: Answer): void {
    const body = done.body as Value;
    const location = done.headers.get("Location") ?? "";
    const once = new Set((action.answer ?? []).map((one) => one.name));
    const row = action.result === "row" && isMembers(body) ? client.row<Members>(done, entity.singular) : {};
    if (action.result === "answer") return closed.current ? changed() : show(body);
    if (once.size > 0) return show({ data: Object.fromEntries(Object.entries(row).filter(([name]) => once.has(name))) });
    onClose();
    const job = /\/jobs\/(\d+)$/.exec(location) ?? /\/jobs\/(\d+)$/.exec(text(members(body).statusUrl));
    if (action.result === "job" && job && service.at("jobs")) go(href(["rows", "jobs", job[1]!]));
    else if (action.name === "create" && placeOf(entity, row)) go(href(["rows", ...placeOf(entity, row)!]));
    else changed();
    say(t("{0}: done.", title));
  }

  if (answer !== undefined) return <Answered title={action.result === "answer" ? title : t("{0}: shown once, keep it now", title)} body={answer} onClose={() => { onClose(); changed(); }} />;
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={run} noValidate>
        <div class="dialog-body">
          {own && <Own ends />}
          {action.description && <p>{action.description}</p>}
          {action.when && <p class="muted">{t("Possible where {0}.", action.when)}</p>}
          <Findings findings={findings} message={message} fields={input} />
          <Fieldset service={service} fields={input} drafts={drafts} findings={findings} required={(one) => one.create === "required"} onChange={draft} />
        </div>
        <footer>
          <button type="button" onClick={onClose}>{t("Cancel")}</button>
          <button class="primary" disabled={busy}>{busy ? t("Working…") : title}</button>
        </footer>
      </form>
    </Dialog>
  );
}

/** What an action is called on its button. */
const named = (entity: Entity, action: Action): string => (action.name === "create" ? t("New {0}", oneOf(entity)) : labelOf(action));

/** An answer that is shown once, such as the text of a new key. */
export function Answered({ title, body, onClose }: { title: string; body: Value; onClose: () => void }) {
  const { data, status: _, success: __, ...rest } = members(body);
  const shown: Members = isMembers(data) ? data : rest;
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="dialog-body">
        <dl class="fields">
          {Object.entries(shown).map(([name, value]) => (
            <div key={name} class="wide">
              <dt>{name}</dt>
              <dd>{isMembers(value) || Array.isArray(value) ? <pre tabIndex={0}>{print(value, "  ")}</pre> : <Copied value={text(value)} />}</dd>
            </div>
          ))}
        </dl>
      </div>
      <footer><button type="button" class="primary" onClick={onClose}>{t("Close")}</button></footer>
    </Dialog>
  );
}

function Copied({ value }: { value: string }) {
  const [done, set] = useState(false);
  const copy = (): void => void navigator.clipboard?.writeText(value).then(() => set(true), () => {});
  return <span class="copied"><code>{value}</code>{value.length > 12 && navigator.clipboard && <button type="button" onClick={copy}>{done ? t("Copied") : t("Copy")}</button>}</span>;
}
