// The attempts at a job along the time from when it was asked for: those that failed, as
// far as the row has them, and the last one.
import { list, members, text, type Members } from "../api/json";
import { called, type Entity } from "../api/service";
import { Badge, Time } from "../rows/value";
import { t, tx } from "../texts/text";

interface Attempt { n: number; began: number; ended: number; state: string; error: string }

export function Attempts({ entity, row }: { entity: Entity; row: Members }) {
  const of = (name: string): string => text(row[called(entity, name)]);
  const all = attempts(row, of);
  if (all.length === 0) return null;
  const from = Math.min(Date.parse(of("createdAt")), all[0]!.began);
  const whole = Math.max(1, all.at(-1)!.ended - from);
  return (
    <section aria-labelledby="attempts">
      <h2 id="attempts">{t("Attempts")}</h2>
      <ol class="steps attempts">
        {all.map((one) => (
          <li key={one.began} class={one.state === "failed" ? "step bad" : "step"}>
            <svg class="step-time" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
              <rect x={Math.min(99, (100 * (one.began - from)) / whole)} y="0" width={Math.max(1, (100 * (one.ended - one.began)) / whole)} height="8" />
            </svg>
            <span class="step-at">{one.n}</span>
            <span><Badge name={one.state} label={entity.fields.find((field) => field.name === "status")?.values?.find((value) => value.name === one.state)?.label} /></span>
            <div><Time value={new Date(one.began).toISOString()} exact /> <span class="muted">{took(one.ended - one.began)}</span>{one.error && <p>{one.error}</p>}</div>
          </li>
        ))}
      </ol>
      {of("status") === "retrying" && <p class="muted">{tx("The next begins {0} at the earliest.", <Time value={of("runAt")} exact />)}</p>}
    </section>
  );
}

const took = (ms: number): string => (ms < 1_000 ? `${Math.round(ms)} ms` : ms < 120_000 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.round(ms / 60_000)} min`);

/** Those that failed, and the last one where it is not among them. */
function attempts(row: Members, of: (name: string) => string): Attempt[] {
  const failed = list(row.failures).map((one): Attempt => {
    const said = members(one);
    return { n: Number(text(said.attempt)), began: Date.parse(text(said.began)), ended: Date.parse(text(said.ended)), state: "failed", error: text(said.error) };
  });
  const began = Date.parse(of("startedAt"));
  const status = of("status");
  if (Number.isNaN(began) || status === "queued" || failed.some((one) => one.began === began)) return failed;
  const ended = Date.parse(of("finishedAt"));
  return [...failed, { n: Number(of("attempts")), began, ended: Number.isNaN(ended) ? Date.now() : Math.max(began, ended), state: status, error: of("error") }];
}
