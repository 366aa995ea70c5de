// How the parts of /readyz have answered since the process began, and how requests were.
import { look } from "../api/client";
import { useLoad } from "../parts/load";
import { Failed, Loading } from "../parts/say";
import { Time } from "../rows/value";
import { t, tx } from "../texts/text";
import { Pulse, type Minute } from "./pulse";
import { Replicas, type Replica } from "./replicas";

/** A part, as it answers whether it is needed or whether the process goes on without it. A name may stand for both. */
interface Part {
  name: string; needed: boolean; ok: boolean;
  changes: { at: string; ok: boolean }[];
  answers: { at: string; ok: boolean; took_us: number }[];
}

export function History() {
  const { value, error, again } = useLoad("health", (signal) => look<{ began: string; parts: Part[]; replicas: Replica[]; minutes: Minute[] | null }>("/health", signal));
  if (error !== undefined) return <Failed error={error} again={again} />;
  if (!value) return <Loading what={t("the history")} />;
  const began = Date.parse(value.began);
  const now = Math.max(began + 1, ...value.parts.flatMap((one) => one.answers.map((answer) => Date.parse(answer.at))));
  return (
    <>
      <Pulse minutes={value.minutes} />
      <section aria-labelledby="since">
        <h2 id="since">{t("Since the process began")}</h2>
        <p class="muted">{tx("It began {0}. Each part is asked every 15 seconds, and whenever /readyz is.", <Time value={value.began} exact />)}</p>
        <ul class="parts">{named(value.parts).map((one) => <OfPart key={one.name} part={one} began={began} now={now} />)}</ul>
      </section>
      <Replicas all={value.replicas} />
      <Changes parts={named(value.parts)} />
    </>
  );
}

/** The parts by their names: one is well where all that is asked under its name is. */
function named(parts: Part[]): Part[] {
  const all = new Map<string, Part>();
  for (const one of parts) {
    const other = all.get(one.name);
    all.set(one.name, other ? { ...other, ok: other.ok && one.ok, changes: away([other, one]), answers: longest(other.answers, one.answers) } : one);
  }
  return [...all.values()];
}

/** When one of the parts went away, and when all were well again. */
function away(parts: Part[]): Part["changes"] {
  const all = parts.flatMap((part, i) => part.changes.map((one) => ({ ...one, i }))).sort((a, b) => a.at.localeCompare(b.at));
  const ok = parts.map(() => true);
  const changes: Part["changes"] = [];
  for (const one of all) {
    ok[one.i] = one.ok;
    const well = ok.every(Boolean);
    if (changes.at(-1)?.ok !== well) changes.push({ at: one.at, ok: well });
  }
  return changes;
}

/** The longer of the answers that both have given last. */
const longest = (a: Part["answers"], b: Part["answers"]): Part["answers"] =>
  a.map((one, i) => { const other = b[i - a.length + b.length]; return other && other.took_us > one.took_us ? other : one; });

function OfPart({ part, began, now }: { part: Part; began: number; now: number }) {
  const at = (time: string): number => (100 * Math.max(0, Date.parse(time) - began)) / (now - began);
  const away = part.changes.flatMap((one, i) => (one.ok ? [] : [{ from: at(one.at), to: part.changes[i + 1] ? at(part.changes[i + 1]!.at) : 100 }]));
  const slowest = Math.max(1, ...part.answers.map((one) => one.took_us));
  const last = part.answers.at(-1);
  const step = 100 / Math.max(1, part.answers.length - 1);
  const line = part.answers.map((one, i) => `${(i * step).toFixed(2)},${(23 - (22 * one.took_us) / slowest).toFixed(2)}`).join(" ");
  return (
    <li>
      <div class="part-name">
        <b>{part.name}</b> <span class="muted">{part.needed ? t("needed") : t("the process goes on without it")}</span>
        <span class={part.ok ? "state ok" : "state bad"}>{part.ok ? t("well") : t("away")}</span>
      </div>
      <svg class="strip" viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label={away.length === 0 ? t("{0} was well all the time", part.name) : t("{0} was away {1} times", part.name, away.length)}>
        <rect width="100" height="10" class="well" />
        {away.map((one, i) => <rect key={i} x={one.from} width={Math.max(0.6, one.to - one.from)} height="10" class="away" />)}
      </svg>
      <div class="latency">
        {slowest >= 1_000 && <svg viewBox="0 0 100 24" preserveAspectRatio="none" aria-hidden="true"><polyline points={line} vector-effect="non-scaling-stroke" /></svg>}
        <span class="muted figure">{!last ? t("no answer yet") : slowest < 1_000 ? t("answers within 1 ms") : t("{0}, {1} at most", ms(last.took_us), ms(slowest))}</span>
      </div>
    </li>
  );
}

const ms = (us: number): string => (us < 1_000 ? `${us} µs` : `${(us / 1_000).toFixed(1)} ms`);

function Changes({ parts }: { parts: Part[] }) {
  const all = parts.flatMap((part) => part.changes.slice(1).map((one) => ({ ...one, part: part.name }))).sort((a, b) => b.at.localeCompare(a.at));
  return (
    <section aria-labelledby="changes">
      <h2 id="changes">{t("What has changed")}</h2>
      {all.length === 0 ? <p class="muted">{t("Nothing: each part has answered the same all the time.")}</p> : (
        <ol class="events">
          {all.map((one) => <li key={one.part + one.at}><Time value={one.at} exact /><span class={one.ok ? "badge ok" : "badge bad"}>{one.ok ? t("well") : t("away")}</span><div>{one.part}</div></li>)}
        </ol>
      )}
    </section>
  );
}
