// The mails that the service keeps in place of sending them: a list, and beside it the
// one that is read.
import { Rows } from "../api/client";
import { text, type Members } from "../api/json";
import { within } from "../api/settings";
import { bytes } from "../forms/upload";
import { called, type Entity, type Service } from "../api/service";
import { Head } from "../parts/head";
import { useLoad } from "../parts/load";
import { Empty, Failed, Loading } from "../parts/say";
import { Missing } from "../pages/page";
import { go, href, useRoute } from "../router";
import { Time } from "../rows/value";
import { redact } from "./redact";
import { t } from "../texts/text";

export const mails = (service: Service): Entity | undefined => service.entity("Email");

export function Mailbox({ service, id }: { service: Service; id: string | undefined }) {
  const { query } = useRoute();
  const entity = mails(service);
  if (!entity) return <Missing what={t("mailbox")} />;
  const failed = service.at("jobs") && href(["jobs"], new URLSearchParams({ status: "failed" }));
  return (
    <>
      <Head title={t("Mailbox")} about={<>
        {t("Mails that the service has kept, in place of a mail server that sends them. Tokens and codes in them are hidden.")}
        {" "}{t("Where there is a mail server, mails are sent and not kept. While it does not answer, a mail is tried ten times within about ten minutes; then its job has failed, and the mail is sent only once the job is retried.")}
        {failed && <> <a href={failed}>{t("Jobs that failed")}</a></>}
      </>} />
      <div class={id ? "mailbox reading" : "mailbox"}>
        <Inbox entity={entity} query={query} chosen={id} />
        {id ? <Mail key={id} entity={entity} id={id} query={query} /> : <div class="mail none"><Empty title={t("No mail is chosen.")} /></div>}
      </div>
    </>
  );
}

function Inbox({ entity, query, chosen }: { entity: Entity; query: URLSearchParams; chosen: string | undefined }) {
  const names = ["id", "recipient", "subject", "createdAt"].map((one) => called(entity, one));
  const [id, recipient, subject, created] = names as [string, string, string, string];
  const to = query.get("to") ?? "";
  const cursor = query.get("cursor") ?? "";
  const asking = { fields: names, cursor, limit: 25, ...(to && { where: { [recipient]: to } }) };
  const { value, error, loading, again } = useLoad(`mails ${JSON.stringify(asking)}`, (signal) => new Rows(entity.path, entity).list({ ...asking, signal }));

  function search(event: Event): void {
    event.preventDefault();
    const address = String(new FormData(event.target as HTMLFormElement).get("to") ?? "").trim();
    go(href(["mailbox"], new URLSearchParams(address && { to: address })));
  }

  return (
    <section class="inbox" aria-label={t("Mails")} aria-busy={loading}>
      <form role="search" onSubmit={search} key={to}>
        <input type="search" name="to" value={to} aria-label={t("Recipient")} placeholder={t("Recipient’s address")} />
        <button type="button" onClick={again} disabled={loading}>{t("Look again")}</button>
      </form>
      {error !== undefined ? <Failed error={error} again={again} /> : !value ? <Loading what={t("the mails")} /> : value.rows.length === 0
        ? <Empty title={to ? t("No mail is to this address.") : t("No mail is kept.")}>{to ? <p><a href={href(["mailbox"])}>{t("Show all mails")}</a></p> : <p>{t("One is there as soon as the service sends it.")}</p>}</Empty>
        : (
          <ul>
            {value.rows.map((row) => (
              <li key={text(row[id])}>
                <a href={href(["mailbox", text(row[id])], query)} aria-current={chosen === text(row[id]) ? "true" : undefined}>
                  <b>{text(row[subject]) || t("Without a subject")}</b>
                  <span>{text(row[recipient])}</span>
                  <Time value={text(row[created])} />
                </a>
              </li>
            ))}
          </ul>
        )}
      {value && (value.next !== null || cursor) && (
        <nav class="pages" aria-label={t("Pages")}>
          {cursor && <a class="button" href={at(query, null)}>{t("Newest")}</a>}
          {value.next !== null && <a class="button" rel="next" href={at(query, value.next)}>{t("Older")}</a>}
        </nav>
      )}
    </section>
  );
}

function at(query: URLSearchParams, cursor: string | null): string {
  const next = new URLSearchParams(query);
  if (cursor === null) next.delete("cursor");
  else next.set("cursor", cursor);
  return href(["mailbox"], next);
}

function Mail({ entity, id, query }: { entity: Entity; id: string; query: URLSearchParams }) {
  const { value, error, again } = useLoad(`mail ${id}`, async (signal) => (await new Rows(`${entity.path}/${encodeURIComponent(id)}`, entity).read({ signal })).row);
  if (error !== undefined) return <div class="mail"><Failed error={error} again={again} /></div>;
  if (!value) return <div class="mail"><Loading what={t("the mail")} /></div>;
  const of = (name: string): string => text((value as Members)[called(entity, name)]);
  const html = of("html");
  const attached = ((value as Members)[called(entity, "attachments")] ?? []) as { name: string; size: number; url: string }[];
  return (
    <article class="mail" aria-labelledby="mail-subject">
      <p class="back"><a href={href(["mailbox"], query)}>{t("All mails")}</a></p>
      <h2 id="mail-subject">{of("subject") || t("Without a subject")}</h2>
      <dl>
        <dt>{t("From")}</dt><dd>{of("sender")}</dd>
        <dt>{t("To")}</dt><dd>{of("recipient")}</dd>
        <dt>{t("When")}</dt><dd><Time value={of("createdAt")} /></dd>
      </dl>
      <p class="prose letter">{redact(of("text"))}</p>
      {attached.length > 0 && (
        <ul class="attached" aria-label={t("Attachments")}>
          {attached.map((one) => <li key={one.url || one.name}>{one.url ? <a href={within(one.url)}>{one.name}</a> : one.name} <span class="muted">{bytes(one.size)}</span></li>)}
        </ul>
      )}
      {html && <details class="raw"><summary>{t("As HTML")}</summary><pre tabIndex={0}>{redact(html)}</pre></details>}
    </article>
  );
}
