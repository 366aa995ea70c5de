// Requests that the process has answered, and each explained: what was asked of policies
// and of the database, what it cost, and what came of it, along the time that it took.
import { useState } from "preact/hooks";
import { look } from "../api/client";
import { Head } from "../parts/head";
import { useLoad } from "../parts/load";
import { Empty, Failed, Loading } from "../parts/say";
import { href } from "../router";
import { Badge, Time } from "../rows/value";
import { t, tn, type Text } from "../texts/text";

interface About {
  id: string; began: string; took_us: number; api: string; route: string; method?: string; query?: string;
  status?: number; outcome?: string; viewer?: string; console?: boolean; statements: number; left?: number;
}

interface Step {
  at_us: number; took_us?: number; kind: "policy" | "statement" | "charge" | "job" | "mail"; name: string; text?: string;
  plan?: string[]; events?: string[]; rows?: number; count?: number; id?: string; failure?: string;
}

interface Explained extends About { steps: Step[]; of?: string; jobs?: Explained[] }

export function Requests() {
  const [words, seek] = useState("");
  const [own, withOwn] = useState(false);
  const { value, error, loading, again } = useLoad("requests", (signal) => look<{ percent: number; requests: About[] }>("/requests", signal));
  return (
    <>
      <Head title={t("Requests")} about={t("The last requests that this process has answered, and its attempts at jobs. They are in its memory for a day.")}>
        <button type="button" onClick={again} disabled={loading}>{t("Look again")}</button>
      </Head>
      {error !== undefined ? <Failed error={error} again={again} />
        : !value ? <Loading what={t("the requests")} />
          : value.requests.length === 0 ? <None percent={value.percent} /> : (
            <div class="list">
              <div class="bar">
                <input type="search" value={words} onInput={(event) => seek(event.currentTarget.value)} aria-label={t("Search requests")} placeholder={t("Search id, operation, caller")} />
                <label class="check"><input type="checkbox" checked={own} onChange={(event) => withOwn(event.currentTarget.checked)} />{t("What the console reads, too")}</label>
              </div>
              <Like requests={own ? value.requests : value.requests.filter((one) => !one.console)} words={words} />
            </div>
          )}
    </>
  );
}

/** Those that have each word in their id, their operation, their parameters, their result or their caller. */
function Like({ requests, words }: { requests: About[]; words: string }) {
  const all = words.toLowerCase().split(/\s+/).filter((one) => one !== "");
  const like = requests.filter((one) => {
    const said = [one.id, nameOf(one), one.query, one.viewer, one.status, one.outcome].join(" ").toLowerCase();
    return all.every((word) => said.includes(word));
  });
  return like.length === 0 ? <Empty title={all.length === 0 ? t("Only the console has asked so far.") : t("Nothing is like this.")} /> : <Table requests={like} />;
}

const None = ({ percent }: { percent: number }) => (
  <Empty title={t("No request is kept.")}>
    <p>{percent === 0 ? t("ENTWINE_EXPLAIN says how many of a hundred are.") : t("One in {0} is.", Math.round(100 / percent))}</p>
  </Empty>
);

function Table({ requests }: { requests: About[] }) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={t("Table of requests")}>
      <table>
        <caption class="hidden">{t("Requests")}</caption>
        <thead><tr><th scope="col">{t("Request")}</th><th scope="col">{t("Parameters")}</th><th scope="col">{t("Result")}</th><th scope="col">{t("By")}</th><th scope="col" class="figure">{t("Took")}</th><th scope="col" class="figure">{t("Statements")}</th><th scope="col">{t("When")}</th></tr></thead>
        <tbody>
          {requests.map((one) => (
            <tr key={one.id + one.began}>
              <th scope="row"><a href={href(["requests", one.id])}>{nameOf(one)}</a></th>
              <td><code class="cut" title={decoded(one.query)}>{decoded(one.query)}</code></td>
              <td><Result of={one} /></td>
              <td class="nowrap">{one.viewer}</td>
              <td class="figure">{took(one.took_us)}</td>
              <td class="figure">{one.statements}</td>
              <td><Time value={one.began} exact /></td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Parameters as a person reads them. */
const decoded = (query = ""): string => [...new URLSearchParams(query)].map(([name, value]) => `${name}=${value}`).join(" ");

const nameOf = (one: About): string => [one.api === "job" ? "job" : one.method, one.route].filter(Boolean).join(" ");

function Result({ of: one }: { of: About }) {
  if (one.outcome) return <Badge name={one.outcome} />;
  const tone = one.status! >= 500 ? "bad" : one.status! >= 400 ? "wait" : "ok";
  return <span class={`badge ${tone}`}>{one.status}</span>;
}

/** A duration in the unit that it is read best in. */
const took = (us: number): string => (us < 1000 ? `${us} µs` : us < 1_000_000 ? `${(us / 1000).toFixed(1)} ms` : `${(us / 1_000_000).toFixed(2)} s`);

export function Request({ id }: { id: string }) {
  const { value, error, again } = useLoad(`request ${id}`, (signal) => look<Explained>(`/requests/${encodeURIComponent(id)}`, signal));
  const crumbs = [{ label: t("Requests"), path: ["requests"] }];
  if (error !== undefined) return <><Head title={t("Request {0}", id)} crumbs={crumbs} /><Failed error={error} again={again} /></>;
  if (!value) return <><Head title={t("Request {0}", id)} crumbs={crumbs} /><Loading what={t("the request")} /></>;
  return (
    <>
      <Head title={nameOf(value)} crumbs={crumbs} badge={<Result of={value} />} />
      <Facts of={value} />
      <TimeLine of={value} title={t("What happened")} />
      {(value.jobs ?? []).map((one) => <TimeLine key={one.id + one.began} of={one} title={t("What became of it: {0}", nameOf(one))} />)}
    </>
  );
}

function Facts({ of: one }: { of: Explained }) {
  const charged = one.steps.filter((step) => step.kind === "charge" && !step.failure).reduce((sum, step) => sum + (step.count ?? 0), 0);
  const rows = one.steps.filter((step) => step.kind === "statement").reduce((sum, step) => sum + (step.rows ?? 0), 0);
  const facts: [string, string | number | undefined][] = [
    [t("Id"), one.id], [t("By"), one.viewer], [t("Parameters"), one.query], [t("Took"), took(one.took_us)], [t("Statements"), t("{0}, with {1} rows", one.statements, rows)], [t("Charged"), charged || undefined],
  ];
  return (
    <dl class="fields">
      {facts.filter(([, value]) => value !== undefined && value !== "").map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}
      <div><dt>{t("When")}</dt><dd><Time value={one.began} /></dd></div>
      {one.of && <div><dt>{t("Came of")}</dt><dd><a href={href(["requests", one.of])}>{one.of}</a></dd></div>}
    </dl>
  );
}

const kinds: Record<Step["kind"], Text> = { policy: "Policy", statement: "Statement", charge: "Charge", job: "Job", mail: "Mail" };

function TimeLine({ of: one, title }: { of: Explained; title: string }) {
  const whole = Math.max(1, one.took_us);
  return (
    <section>
      <h2>{title}</h2>
      <ol class="steps">
        {one.steps.map((step, i) => (
          <li key={i} class={`step ${step.kind}`}>
            <svg class="step-time" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
              <rect x={Math.min(99, (100 * step.at_us) / whole)} y="0" width={Math.max(1, (100 * (step.took_us ?? 0)) / whole)} height="8" />
            </svg>
            <span class="step-at figure">{took(step.at_us)}</span>
            <span class="step-kind">{t(kinds[step.kind])}</span>
            <div><What of={step} /></div>
          </li>
        ))}
      </ol>
      {(one.left ?? 0) > 0 && <p class="muted">{t("{0} more were not kept.", one.left!)}</p>}
    </section>
  );
}

function What({ of: step }: { of: Step }) {
  const failed = step.failure && <span class="badge bad">{step.failure}</span>;
  switch (step.kind) {
    case "policy": return <><b>{step.name}</b> {failed} <span class="muted">{step.text}{(step.count ?? 1) > 1 && t(", asked {0} times", step.count!)}</span></>;
    case "charge": return <><b>{step.count}</b> {failed} <span class="muted">{step.name}</span></>;
    case "job": return <><a href={href(["rows", "jobs", step.id!])}><b>{step.name}</b></a> <span class="muted">{t("job {0}", step.id!)}</span></>;
    case "mail": return <><b>{step.name}</b> {failed}</>;
  }
  return (
    <details>
      <summary><b>{step.name}</b> {failed} <span class="muted">{tn(step.rows ?? 0, "1 row", "{0} rows")}, {took(step.took_us ?? 0)}{step.events && t(", announced as {0}", step.events.join(", "))}</span></summary>
      <pre tabIndex={0}>{step.text}</pre>
      {step.plan && step.plan.length > 0 && <><p class="muted">{t("The plan, without knowing the arguments:")}</p><pre tabIndex={0}>{step.plan.join("\n")}</pre></>}
    </details>
  );
}
