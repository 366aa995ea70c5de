// What the process has answered in each minute of the last hour: how many requests, how many
// of them failed, and how long they took.
import { Chart } from "../charts/chart";
import { locale, t } from "../texts/text";

export interface Minute { ago: number; requests: number; failed: number; half_us: number; most_us: number }

export function Pulse({ minutes }: { minutes: Minute[] | null }) {
  if (!minutes) return <p class="muted">{t("Requests are not counted: neither metrics nor explained requests are on.")}</p>;
  const points = minutes.map((one) => (one.ago === 0 ? t("now") : `−${one.ago} min`));
  const sum = (of: "requests" | "failed"): string => minutes.reduce((all, one) => all + one[of], 0).toLocaleString(locale());
  const ms = (us: number): string => (us / 1_000).toFixed(us < 10_000 ? 1 : 0);
  return (
    <div class="charts">
      <Chart title={t("Requests in each minute of the last hour")} axis={t("Minutes ago")} points={points}
        series={[
          { name: t("answered"), tone: "ok", values: minutes.map((one) => String(one.requests - one.failed)) },
          { name: t("failed"), tone: "bad", values: minutes.map((one) => String(one.failed)) },
        ]}
        note={t("{0} in all, of which {1} failed: their status is 500 or above.", sum("requests"), sum("failed"))} />
      <Chart title={t("Milliseconds until the answer")} kind="lines" axis={t("Minutes ago")} points={points}
        series={[
          { name: t("half of them within"), values: minutes.map((one) => ms(one.half_us)) },
          { name: t("95 of 100 within"), values: minutes.map((one) => ms(one.most_us)) },
        ]}
        note={t("Streams are left out. A minute without requests is 0.")} />
    </div>
  );
}
