// A chart as SVG, drawn by hand: bars or lines along one axis. What it shows stands below it
// as a table, too, with the digits that the service wrote.
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { decimals } from "../rows/amount";
import { locale, t } from "../texts/text";

export interface Series {
  name: string;
  /** Its colour: ok, wait, bad, or that of its place. */
  tone?: string;
  /** A value for each point, as its text. */
  values: string[];
  /** What they are amounts in. */
  currency?: string;
}

export interface ChartProps {
  title: string;
  kind?: "bars" | "lines";
  /** What stands below each point. */
  points: string[];
  /** What the points are called, as the head of their column: "Date". */
  axis: string;
  series: Series[];
  /** What is to be said below it. */
  note?: ComponentChildren;
}

const height = 100;

export function Chart({ title, kind = "bars", points, axis, series, note }: ChartProps) {
  const id = useId();
  const figures = series.map((one) => one.values.map((value) => Number(value) || 0));
  const all = kind === "bars" ? points.map((_, i) => figures.reduce((sum, one) => sum + Math.max(0, one[i]!), 0)) : figures.flat();
  const top = ceiling(Math.max(0, ...all));
  const low = -ceiling(-Math.min(0, ...figures.flat()));
  const y = (value: number): number => height - (height * (value - low)) / (top - low || 1);
  const few = kind === "bars" && points.length <= 6;
  const marks = [...new Set(low < 0 ? [top, 0, low] : [top, top / 2, 0])];
  return (
    <figure class="chart" aria-labelledby={id}>
      <figcaption id={id}>
        <b>{title}</b>
        {series.length > 1 && <ul class="legend">{series.map((one, i) => <li key={one.name}><svg viewBox="0 0 10 10" aria-hidden="true"><rect class={toneOf(one, i)} width="10" height="10" rx="2" /></svg>{one.name}</li>)}</ul>}
      </figcaption>
      <div class="plot" aria-hidden="true">
        <ul class="ticks">{written(marks, series[0]?.currency).map((one) => <li key={one}>{one}</li>)}</ul>
        <svg viewBox={`0 0 ${Math.max(1, points.length)} ${height}`} preserveAspectRatio="none">
          {marks.map((one) => <line key={one} class="grid" x1="0" x2={points.length} y1={y(one)} y2={y(one)} />)}
          {kind === "bars" ? <Bars points={points} series={series} figures={figures} y={y} share={few ? 0.3 : 0.76} /> : series.map((one, n) => (
            <polyline key={one.name} class={toneOf(one, n)} points={figures[n]!.map((value, i) => `${i + 0.5},${y(value).toFixed(2)}`).join(" ")} />
          ))}
        </svg>
        <p class={few ? "ends each" : "ends"}>{(few ? points : ends(points)).map((one) => <span key={one}>{one}</span>)}</p>
      </div>
      {note && <p class="note-below">{note}</p>}
      <details>
        <summary>{t("As a table")}</summary>
        <div class="scroll" tabIndex={0} role="region" aria-label={title}>
          <table>
            <caption class="hidden">{title}</caption>
            <thead><tr><th scope="col">{axis}</th>{series.map((one) => <th key={one.name} scope="col" class="figure">{one.name}</th>)}</tr></thead>
            <tbody>{points.map((point, i) => <tr key={point}><th scope="row">{point}</th>{series.map((one) => <td key={one.name} class="figure">{one.values[i]}</td>)}</tr>)}</tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}

/** Bars above each other; what is below zero hangs from it. */
function Bars({ points, series, figures, y, share }: { points: string[]; series: Series[]; figures: number[][]; y: (value: number) => number; share: number }) {
  return (
    <>
      {points.map((point, i) => {
        let [up, down] = [0, 0];
        return series.map((one, n) => {
          const value = figures[n]![i]!;
          const from = value < 0 ? down : up;
          if (value < 0) down += value;
          else up += value;
          const [a, b] = [y(Math.max(from, from + value)), y(Math.min(from, from + value))];
          return value !== 0 && <rect key={one.name} class={toneOf(one, n)} x={i + (1 - share) / 2} width={share} y={a} height={Math.max(0.7, b - a)}><title>{`${point}: ${one.name} ${one.values[i]}`}</title></rect>;
        });
      })}
    </>
  );
}

/** What stands below where there are many points: the first, the middle and the last. */
const ends = (points: string[]): string[] => [...new Set([points[0], points[points.length >> 1], points.at(-1)])].filter((one) => one !== undefined);

const toneOf = (one: Series, i: number): string => one.tone ?? `tone-${i % 4}`;

/** The next round number whose half is round, too. */
function ceiling(value: number): number {
  if (value <= 0) return 0;
  const unit = 10 ** Math.floor(Math.log10(value));
  return unit * ([2, 4, 6, 8, 10].find((one) => one * unit >= value) ?? 10);
}

const compact = (): Intl.NumberFormat => new Intl.NumberFormat(locale(), { notation: "compact", maximumFractionDigits: 1 });

/** What stands at an axis: amounts below a thousand have their decimals, where one of them needs any. */
function written(marks: number[], currency: string | undefined): string[] {
  const exact = currency !== undefined && marks.every((one) => Math.abs(one) < 1_000) && marks.some((one) => !Number.isInteger(one));
  return marks.map((one) => (exact ? one.toFixed(decimals(currency)) : compact().format(one)));
}
