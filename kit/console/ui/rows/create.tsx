// The form that makes a row, by the rules of the API: what it refuses stands at its field.
import { useRef, useState } from "preact/hooks";
import { ApiError, newKey, Rows, type Detail } from "../api/client";
import { text, type Members } from "../api/json";
import { oneOf, slug, verb, type Field, type Service } from "../api/service";
import { begin, values, type Drafts } from "../forms/draft";
import { Fieldset } from "../forms/fieldset";
import { Findings } from "../forms/findings";
import { Missing } from "../pages/page";
import { Head } from "../parts/head";
import { reason, say } from "../parts/say";
import { go, href } from "../router";
import { placeOf, type Place } from "./place";
import { crumbs } from "./rows";
import { t } from "../texts/text";

export function Create({ service, place: at }: { service: Service; place: Place }) {
  const { entity } = at;
  const does = verb(entity, "create");
  const fields: Field[] = [...(entity.fields ?? []).filter((one) => one.create), ...(does?.input ?? [])];
  const [drafts, draft] = useState<Drafts>(() => begin(fields));
  const [findings, find] = useState<readonly Detail[]>([]);
  const [message, tell] = useState("");
  const [busy, work] = useState(false);
  const key = useRef(newKey());
  const what = oneOf(entity);
  if (!does) return <Missing what={t("form to make a {0}", what)} />;

  async function make(event: Event): Promise<void> {
    event.preventDefault();
    work(true);
    tell("");
    find([]);
    try {
      const { body, problems } = values(fields, drafts);
      if (problems.length > 0) return find(problems);
      open(await new Rows(at.api, entity).create(body, does!.idempotent === true, { idempotencyKey: key.current }));
    } catch (err) {
      if (err instanceof ApiError && err.details.length > 0) find(err.details);
      else tell(reason(err));
      if (err instanceof ApiError && err.status > 0) key.current = newKey();
    } finally {
      work(false);
    }
  }

  function open(row: Members): void {
    say(t("Made {0} {1}.", what, text(row[entity.id])));
    const to = placeOf(entity, row);
    go(href(to ? ["rows", ...to] : ["rows", slug(entity)]), true);
  }

  return (
    <>
      <Head title={t("New {0}", what)} crumbs={[{ label: entity.labels ?? entity.name, path: ["rows", slug(entity)] }, ...crumbs(at)]} about={entity.description} />
      <form class="sheet" onSubmit={make} noValidate>
        <Findings findings={findings} message={message} fields={fields} />
        <Fieldset service={service} fields={fields} drafts={drafts} findings={findings} required={(one) => one.create === "required"} onChange={draft} />
        <footer>
          <a class="button" href={href(["rows", slug(entity)])}>{t("Cancel")}</a>
          <button class="primary" disabled={busy}>{busy ? t("Saving…") : t("Make {0}", what)}</button>
        </footer>
      </form>
    </>
  );
}
