// A chart of things in an order: each with a bar and its number, which are text already.
import type { Drawn } from "./points";

export function Ranked({ of: one }: { of: Drawn }) {
  const values = one.series[0]!.values;
  const top = Math.max(1e-9, ...values.map(Number));
  return (
    <figure class="chart">
      <figcaption><b>{one.title}</b><span class="muted">{one.series[0]!.name}</span></figcaption>
      <ol class="ranked">
        {one.points.map((point, i) => (
          <li key={i}>
            <span class="cut">{point}</span><span class="figure">{values[i]}</span>
            <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect class="tone-0" width={Math.max(0.5, (100 * Number(values[i])) / top)} height="6" rx="1" /></svg>
          </li>
        ))}
      </ol>
    </figure>
  );
}
