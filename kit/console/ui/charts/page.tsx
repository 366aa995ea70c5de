// The page of a read that has charts: what it is asked for, its figures, and its charts.
import { useState } from "preact/hooks";
import { ApiError, client, type Detail } from "../api/client";
import { isMembers, list, members, number, text, type Members, type Value } from "../api/json";
import { labelOf, type Action, type Field, type Service } from "../api/service";
import { begin, draftOf, values, type Drafts } from "../forms/draft";
import { Fieldset } from "../forms/fieldset";
import { Findings } from "../forms/findings";
import { Head } from "../parts/head";
import { useLoad } from "../parts/load";
import { Empty, Failed, Loading } from "../parts/say";
import { Missing } from "../pages/page";
import { go, href, useRoute } from "../router";
import { digitsOf } from "../rows/amount";
import { Shown } from "../rows/value";
import { locale, t } from "../texts/text";
import { Chart } from "./chart";
import { parted, type Drawn } from "./points";
import { Ranked } from "./ranked";

/** The reads that have charts. */
export const drawn = (service: Service): Action[] => service.entities.flatMap((one) => (one.actions ?? []).filter((action) => (action.charts ?? []).length > 0));

export function Charts({ service, id }: { service: Service; id: string | undefined }) {
  const action = drawn(service).find((one) => one.id === id);
  if (!action) return <Missing what={t("page called {0}", `charts/${id ?? ""}`)} />;
  return <Asked key={action.id} service={service} action={action} />;
}

function Asked({ service, action }: { service: Service; action: Action }) {
  const { query } = useRoute();
  const asked = query.toString();
  const { value, error, loading, again } = useLoad(`${action.id}?${asked}`, async (signal) => {
    const { body } = await client.call({ method: "GET", path: action.path, query: Object.fromEntries(query), options: { signal } });
    return members(isMembers((body as Members).data) ? (body as Members).data : body as Value);
  });
  const findings = error instanceof ApiError ? error.details : [];
  return (
    <>
      <Head title={labelOf(action)} about={action.description}>
        <button type="button" onClick={again} disabled={loading}>{t("Look again")}</button>
      </Head>
      <Ask key={asked} service={service} action={action} query={query} findings={findings} />
      {error !== undefined ? findings.length === 0 && <Failed error={error} again={again} /> : !value ? <Loading what={t("the figures")} /> : (
        <div aria-busy={loading}>
          <Figures service={service} fields={action.answer ?? []} answer={value} />
          <div class="charts">{action.charts!.flatMap((chart) => parted(chart, action.answer ?? [], value)).map((one) => <Picture key={one.title} of={one} />)}</div>
          <Tables service={service} action={action} answer={value} />
        </div>
      )}
    </>
  );
}

/** What is asked for, which the address of the page has. */
function Ask({ service, action, query, findings }: { service: Service; action: Action; query: URLSearchParams; findings: readonly Detail[] }) {
  const input = action.input ?? [];
  const [drafts, draft] = useState<Drafts>(() => ({ ...begin(input), ...Object.fromEntries(input.filter((one) => query.has(one.name)).map((one) => [one.name, draftOf(one, query.get(one.name))])) }));
  if (input.length === 0) return null;

  function show(event: Event): void {
    event.preventDefault();
    const { body } = values(input, drafts);
    go(href(["charts", action.id], new URLSearchParams(Object.entries(body).map(([name, value]) => [name, text(value)]))));
  }

  return (
    <form class="sheet asked" onSubmit={show} noValidate>
      <Findings findings={findings} message="" fields={input} />
      <Fieldset service={service} fields={input} drafts={drafts} findings={findings} required={() => false} onChange={draft} />
      <footer><button class="primary">{t("Show")}</button></footer>
    </form>
  );
}

function Picture({ of: one }: { of: Drawn }) {
  if (one.points.length === 0) return <Empty title={t("{0}: nothing in this time.", one.title)} />;
  return one.ranked ? <Ranked of={one} /> : <Chart title={one.title} kind={one.kind} axis={one.axis} points={one.points} series={one.series} />;
}

/** The numbers of the answer that are in no list. */
function Figures({ service, fields, answer }: { service: Service; fields: Field[]; answer: Members }) {
  return (
    <>
      {fields.filter((one) => one.kind === "object" && isMembers(answer[one.name])).map((one) => (
        <section key={one.name}>
          <h2>{labelOf(one)}</h2>
          <dl class="figures">
            {(one.members ?? []).map((member) => <div key={member.name}><dt>{labelOf(member)}</dt><dd><Cell service={service} field={member} row={members(answer[one.name])} /></dd></div>)}
          </dl>
        </section>
      ))}
    </>
  );
}

/** The lists of the answer that are not drawn. */
function Tables({ service, action, answer }: { service: Service; action: Action; answer: Members }) {
  const rest = (action.answer ?? []).filter((one) => one.kind === "objects" && !action.charts!.some((chart) => chart.list === one.name) && list(answer[one.name]).length > 0);
  return (
    <>
      {rest.map((one) => (
        <section key={one.name}>
          <h2>{labelOf(one)}</h2>
          <div class="scroll" tabIndex={0} role="region" aria-label={t("Table of {0}", labelOf(one))}>
            <table>
              <caption class="hidden">{labelOf(one)}</caption>
              <thead><tr>{(one.members ?? []).map((member) => <th key={member.name} scope="col" class={numeric(member) ? "figure" : undefined}>{labelOf(member)}</th>)}</tr></thead>
              <tbody>
                {list(answer[one.name]).map((row, i) => <tr key={i}>{(one.members ?? []).map((member) => <td key={member.name} class={numeric(member) ? "figure" : undefined}><Cell service={service} field={member} row={members(row)} /></td>)}</tr>)}
              </tbody>
            </table>
          </div>
        </section>
      ))}
    </>
  );
}

const numeric = (one: Field): boolean => one.kind === "int" || one.kind === "float" || one.kind === "money";

/** A value of an answer. It belongs to no entity, whose edges could name it. */
function Cell({ service, field, row }: { service: Service; field: Field; row: Members }) {
  if (field.kind === "money") return <>{digitsOf(field, row)}</>;
  if (numeric(field)) {
    const digits = number(text(row[field.name]));
    return <>{typeof digits === "number" && field.kind === "int" ? digits.toLocaleString(locale()) : text(row[field.name])}</>;
  }
  return <Shown service={service} entity={nothing} field={field} row={row} brief />;
}

const nothing = { name: "", singular: "", plural: "", label: "", labels: "", path: "", id: "id", key: "id", title: "id", graphql: { type: "" }, page_size: 0, fields: [] };
