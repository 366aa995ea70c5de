// What a chart draws of an answer: its points, parted by the values of a member where the
// chart says so. Days that a list leaves out, for nothing happened, are zeros between others.
import { list, members, text, type Members } from "../api/json";
import { labelOf, type Field } from "../api/service";
import type { Chart } from "../manifest/types";
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
const most = 400; // points between which zeros are drawn

/** The pictures of a chart. */
export function parted(chart: Chart, answer: Field[], from: Members): Drawn[] {
  const fields = answer.find((one) => one.name === chart.list)?.members ?? [];
  const along = fields.find((one) => one.name === chart.along);
  const dated = along?.kind === "time" || along?.kind === "date" || along?.limits?.format === "date";
  const rows = list(from[chart.list]).map(members);
  const parts = chart.each === undefined ? [""] : [...new Set(rows.map((row) => text(row[chart.each!])))].sort();
  return (parts.length === 0 ? [""] : parts).map((part) => {
    const of = rows.filter((row) => part === "" || text(row[chart.each!]) === part);
    const points = dated ? filled(of.map((row) => text(row[chart.along]))) : of.map((row) => text(row[chart.along]));
    const at = new Map(of.map((row) => [text(row[chart.along]), row]));
    const value = (i: number, name: string): string => text((dated ? at.get(points[i]!) : of[i])?.[name]) || "0";
    return {
      title: part === "" ? chart.title : `${chart.title}, ${part}`, axis: along ? labelOf(along) : chart.along, kind: chart.kind, ranked: !dated && chart.values.length === 1, points,
      series: chart.values.map((name) => ({ name: labelOf(fields.find((one) => one.name === name) ?? { name }), values: points.map((_, i) => value(i, name)) })),
    };
  });
}

/** The days with those between them, where they are as many days apart. */
function filled(days: string[]): string[] {
  const times = days.map((one) => Date.parse(one));
  const gaps = times.slice(1).map((time, i) => time - times[i]!);
  const step = Math.min(...gaps);
  if (gaps.length === 0 || !(step >= day) || gaps.some((gap) => gap % step !== 0) || (times.at(-1)! - times[0]!) / step > most) return days;
  return Array.from({ length: (times.at(-1)! - times[0]!) / step + 1 }, (_, i) => new Date(times[0]! + i * step).toISOString().slice(0, days[0]!.length));
}
