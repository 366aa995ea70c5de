// The form that changes a row. It sends what differs, for the version that was shown: where
// another one wrote meanwhile, both are shown.
import { useState } from "preact/hooks";
import { ApiError, Rows, type Detail, type Found } from "../api/client";
import { same, type Members } from "../api/json";
import type { Field, Service } from "../api/service";
import { changes, draftOf, type Drafts } from "../forms/draft";
import { Fieldset } from "../forms/fieldset";
import { Findings } from "../forms/findings";
import { isOwn, Own } from "../account/own";
import { reason, say } from "../parts/say";
import { Conflict } from "./conflict";
import type { Place } from "./place";
import { read } from "./row";
import { t } from "../texts/text";

export function Edit({ service, place: at, found, onEnd }: { service: Service; place: Place; found: Found; onEnd: (saved: boolean) => void }) {
  const fields: Field[] = (at.entity.fields ?? []).filter((one) => one.update);
  const [before, rebase] = useState(found);
  const [drafts, draft] = useState<Drafts>(() => Object.fromEntries(fields.map((one) => [one.name, draftOf(one, found.row[one.name], found.row)])));
  const [findings, find] = useState<readonly Detail[]>([]);
  const [message, tell] = useState("");
  const [busy, work] = useState(false);
  const [conflict, meet] = useState<{ mine: Members; now: Found }>();

  async function save(event: Event): Promise<void> {
    event.preventDefault();
    const { body, problems } = changes(fields, drafts, before.row);
    if (problems.length > 0) return find(problems);
    if (Object.keys(body).length === 0) return onEnd(false);
    await send(body, before);
  }

  async function send(body: Members, over: Found): Promise<void> {
    work(true);
    tell("");
    find([]);
    try {
      await new Rows(at.api, at.entity).change(over, body);
      say(t("Saved."));
      onEnd(true);
    } catch (err) {
      if (err instanceof ApiError && err.status === 412) await compare(body);
      else if (err instanceof ApiError && err.details.length > 0) find(err.details);
      else tell(reason(err));
    } finally {
      work(false);
    }
  }

  async function compare(mine: Members): Promise<void> {
    try {
      meet({ mine, now: await read(service, at) });
    } catch (err) {
      tell(reason(err));
    }
  }

  /** Goes on with the row as it is now and what the reader chose of their own. */
  async function settle(now: Found, chosen: Members): Promise<void> {
    meet(undefined);
    rebase(now);
    draft(Object.fromEntries(fields.map((one) => [one.name, draftOf(one, one.name in chosen ? chosen[one.name] : now.row[one.name], now.row)])));
    const left = Object.fromEntries(Object.entries(chosen).filter(([name, value]) => !same(value, now.row[name])));
    if (Object.keys(left).length === 0) onEnd(true);
    else await send(left, now);
  }

  return (
    <form class="sheet" onSubmit={save} noValidate>
      {isOwn(service, at.entity, found.row) && <Own />}
      <Findings findings={findings} message={message} fields={fields} />
      <Fieldset service={service} fields={fields} drafts={drafts} findings={findings} required={(one) => !one.nullable && one.create === "required"} onChange={draft} />
      <footer>
        <button type="button" onClick={() => onEnd(false)}>{t("Cancel")}</button>
        <button class="primary" disabled={busy}>{busy ? t("Saving…") : t("Save")}</button>
      </footer>
      {conflict && <Conflict fields={fields} before={before.row} mine={conflict.mine} now={conflict.now.row} onClose={() => meet(undefined)} onChoose={(chosen) => settle(conflict.now, chosen)} />}
    </form>
  );
}
