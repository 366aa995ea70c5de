// What a chart draws of an answer: its points, parted by the values of a member where the
// chart says so. Steps that a list leaves out, for nothing happened, are zeros.
import { list, members, text, type Members } from "../api/json";
import { labelOf, type Field } from "../api/service";
import type { Chart } from "../manifest/types";
import { currencyOf, digitsOf } from "../rows/amount";
import type { Series } from "./chart";

export interface Drawn {
  title: string;
  axis: string;
  kind: "bars" | "lines";
  /** Whether it is an order of things, and not a course of time. */
  ranked: boolean;
  points: string[];
  series: Series[];
}

const day = 86_400_000;
const most = 400; // points with those that are zeros

/** The pictures of a chart. */
export function parted(chart: Chart, answer: Field[], from: Members): Drawn[] {
  const fields = answer.find((one) => one.name === chart.list)?.members ?? [];
  const along = fields.find((one) => one.name === chart.along);
  const dated = along?.kind === "time" || along?.kind === "date" || along?.limits?.format === "date";
  const rows = list(from[chart.list]).map(members);
  const parts = chart.each === undefined ? [""] : [...new Set(rows.map((row) => text(row[chart.each!])))].sort();
  return (parts.length === 0 ? [""] : parts).map((part) => {
    const of = rows.filter((row) => part === "" || text(row[chart.each!]) === part);
    const given = of.map((row) => text(row[chart.along]));
    const points = dated ? steps(given, from) ?? filled(given) : given;
    const at = new Map(of.map((row) => [text(row[chart.along]), row]));
    const series = chart.values.map((name): Series => {
      const field = fields.find((one) => one.name === name) ?? { name, kind: "float" };
      const usual = { ...of[0], [name]: 0 }; // what a step has in which nothing happened
      const currency = currencyOf(field, usual);
      return { name: labelOf(field), values: points.map((point, i) => digitsOf(field, (dated ? at.get(point) : of[i]) ?? usual) || "0"), ...(currency !== "" && { currency }) };
    });
    return { title: part === "" ? chart.title : `${chart.title}, ${part}`, axis: along ? labelOf(along) : chart.along, kind: chart.kind, ranked: !dated && chart.values.length === 1, points, series };
  });
}

/** The first days of all steps of the time that an answer says it is of, by its from, to and interval: of days, of weeks from Monday, or of months. */
function steps(given: string[], { from, to, interval }: Members): string[] | undefined {
  const [begin, end] = [new Date(text(from)), Date.parse(text(to))];
  const length = { day: 1, week: 7 }[text(interval)];
  if (given.length === 0 || Number.isNaN(begin.getTime()) || Number.isNaN(end) || (length === undefined && text(interval) !== "month")) return undefined;
  begin.setUTCHours(0, 0, 0, 0);
  if (length === undefined) begin.setUTCDate(1);
  else if (length === 7) begin.setUTCDate(begin.getUTCDate() - ((begin.getUTCDay() + 6) % 7));
  const all: string[] = [];
  while (begin.getTime() < end && all.length <= most) {
    all.push(begin.toISOString().slice(0, 10));
    if (length === undefined) begin.setUTCMonth(begin.getUTCMonth() + 1);
    else begin.setUTCDate(begin.getUTCDate() + length);
  }
  return all.length <= most && given.every((one) => all.includes(one)) ? all : undefined;
}

/** The days with those between them, where they are as many days apart. */
function filled(days: string[]): string[] {
  const times = days.map((one) => Date.parse(one));
  const gaps = times.slice(1).map((time, i) => time - times[i]!);
  const step = Math.min(...gaps);
  if (gaps.length === 0 || !(step >= day) || gaps.some((gap) => gap % step !== 0) || (times.at(-1)! - times[0]!) / step > most) return days;
  return Array.from({ length: (times.at(-1)! - times[0]!) / step + 1 }, (_, i) => new Date(times[0]! + i * step).toISOString().slice(0, days[0]!.length));
}
