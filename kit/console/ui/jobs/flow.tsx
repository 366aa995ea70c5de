// How jobs come and go, for those who may look into the process: what waits in each queue,
// what has ended within the last hour, and when those of the schedule are made.
import { look } from "../api/client";
import { Chart } from "../charts/chart";
import { useLoad } from "../parts/load";
import { Failed, Loading } from "../parts/say";
import { href } from "../router";
import { Nothing, Time } from "../rows/value";
import { locale, t, tn } from "../texts/text";

interface Count { queue: string; status: string; jobs: number; oldest_seconds: number }
interface Ended { minute: number; status: string; jobs: number }
interface Scheduled { kind: string; spec: string; last: string | null; next: string }
interface Shown { queues: Count[]; all: boolean; ended: Ended[]; schedule: Scheduled[] }

export function Flow({ turn }: { turn: number }) {
  const { value, error, again } = useLoad("flow", (signal) => look<Shown>("/jobs", signal), turn);
  if (error !== undefined) return <Failed error={error} again={again} />;
  if (!value) return <Loading what={t("the queues")} />;
  return (
    <>
      <div class="charts">
        <Depth queues={value.queues} all={value.all} />
        <Throughput ended={value.ended} />
      </div>
      <Schedule entries={value.schedule} />
    </>
  );
}

function Depth({ queues, all }: { queues: Count[]; all: boolean }) {
  const names = [...new Set(["urgent", "default", "bulk", ...queues.map((one) => one.queue)])];
  const states = [["queued", "wait"], ["retrying", "bad"], ["running", "ok"]] as const;
  const of = (queue: string, status: string): string => String(queues.find((one) => one.queue === queue && one.status === status)?.jobs ?? 0);
  const oldest = Math.max(0, ...queues.filter((one) => one.status !== "running").map((one) => one.oldest_seconds));
  return (
    <Chart title={all ? t("Waiting and running now") : t("Waiting and running now, the first 100,000")} axis={t("Queue")} points={names}
        series={states.map(([status, tone]) => ({ name: said(status), tone, values: names.map((name) => of(name, status)) }))}
      note={queues.length === 0 ? t("No job waits.") : oldest >= 1 ? t("The oldest has been due for {0}.", seconds(oldest)) : t("None has been due for a second.")} />
  );
}

const seconds = (n: number): string => (n < 120 ? `${Math.round(n)} s` : n < 7200 ? `${Math.round(n / 60)} min` : `${Math.round(n / 3600)} h`);

/** The states of jobs as the pictures call them. */
const said = (status: "queued" | "retrying" | "running" | "succeeded" | "failed" | "cancelled"): string => t(status);

function Throughput({ ended }: { ended: Ended[] }) {
  const minutes = Array.from({ length: 60 }, (_, i) => 59 - i);
  const states = [["succeeded", "ok"], ["failed", "bad"], ["cancelled", "wait"]] as const;
  const sum = ended.reduce((all, one) => all + one.jobs, 0);
  return (
    <Chart title={t("Ended in each minute of the last hour")} axis={t("Minutes ago")} points={minutes.map((n) => (n === 0 ? t("now") : `−${n} min`))}
        series={states.map(([status, tone]) => ({ name: said(status), tone, values: minutes.map((n) => String(ended.find((one) => one.minute === n && one.status === status)?.jobs ?? 0)) }))}
      note={sum >= 100_000 ? t("The last {0} are counted.", sum.toLocaleString(locale())) : t("{0} in all.", sum.toLocaleString(locale()))} />
  );
}

function Schedule({ entries }: { entries: Scheduled[] }) {
  if (entries.length === 0) return null;
  return (
    <details class="edge">
      <summary><h2>{t("Schedule")}</h2><span class="muted">{tn(entries.length, "One kind of job is made at times.", "{0} kinds of jobs are made at times.")}</span></summary>
      <div class="list">
        <div class="scroll" tabIndex={0} role="region" aria-label={t("Table of the schedule")}>
          <table>
            <caption class="hidden">{t("Schedule")}</caption>
            <thead><tr><th scope="col">{t("Kind")}</th><th scope="col">{t("When, in UTC")}</th><th scope="col">{t("Last")}</th><th scope="col">{t("Next")}</th></tr></thead>
            <tbody>
              {entries.map((one) => (
                <tr key={one.kind + one.spec}>
                  <th scope="row"><a href={href(["jobs"], new URLSearchParams({ kind: one.kind }))}>{one.kind}</a></th>
                  <td><code>{one.spec}</code></td>
                  <td>{one.last ? <Time value={one.last} /> : <Nothing />}</td>
                  <td><Time value={one.next} /></td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </div>
    </details>
  );
}
