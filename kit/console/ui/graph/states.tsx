// A state machine as a picture: states from left to right as one gets to them, and the
// actions that lead from one to another.
import type { Entity } from "../api/service";
import { layout, type Line, type Sizes } from "./layout";
import { t } from "../texts/text";

const sizes: Sizes = { width: 148, height: 34, across: 84, down: 26 };
const margin = 36;

interface Move extends Line { actions: string[]; system: boolean }

export function States({ entity }: { entity: Entity }) {
  const state = entity.state!;
  const states = state.values ?? [];
  const moves = movesOf(state.transitions ?? [], states);
  const { spots, curves, width, height } = layout(states, moves, sizes);
  const [w, h] = [width + 2 * margin, height + 2 * margin];
  return (
    <>
      <div class="picture" tabIndex={0} role="region" aria-label={`States of ${entity.name}`}>
        <svg width={w} height={h} viewBox={`${-margin} ${-margin} ${w} ${h}`} role="img" aria-label={`States: ${states.join(", ")}. The table below has what leads from one to another.`}>
          <defs>
            <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0.5L7.5 4L0 7.5z" class="tip" /></marker>
          </defs>
          {moves.map((move, i) => <path key={`${move.from} ${move.to}`} d={curves[i]} class={move.system ? "line system" : "line"} marker-end="url(#arrow)" />)}
          {states.map((one) => {
            const at = spots.get(one)!;
            return (
              <g key={one} class="box">
                <rect x={at.x} y={at.y} width={sizes.width} height={sizes.height} rx={sizes.height / 2} />
                <text x={at.x + sizes.width / 2} y={at.y + 21} text-anchor="middle" class="box-name">{one.replace(/_/g, " ")}</text>
              </g>
            );
          })}
        </svg>
      </div>
      <div class="scroll" tabIndex={0} role="region" aria-label={t("Table of transitions")}>
        <table>
          <caption class="hidden">{t("Transitions")}</caption>
          <thead><tr><th scope="col">{t("From")}</th><th scope="col">{t("By")}</th><th scope="col">{t("To")}</th><th scope="col">{t("Done by")}</th></tr></thead>
          <tbody>
            {(state.transitions ?? []).map((one) => (
              <tr key={one.action + (one.from ?? []).join() + (one.to ?? []).join()}>
                <td>{one.from?.join(", ") ?? t("any")}</td><th scope="row">{one.action}</th><td>{one.to?.join(", ") ?? t("the same")}</td><td>{one.system ? t("the service") : t("callers")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function movesOf(transitions: NonNullable<Entity["state"]>["transitions"] & object, states: string[]): Move[] {
  const all = new Map<string, Move>();
  for (const one of transitions) {
    for (const from of one.from ?? states) {
      for (const to of one.to ?? []) {
        if (from === to || !states.includes(from) || !states.includes(to)) continue;
        const move = all.get(`${from} ${to}`) ?? { from, to, actions: [], system: true };
        move.actions.push(one.action);
        move.system &&= one.system === true;
        all.set(`${from} ${to}`, move);
      }
    }
  }
  return [...all.values()];
}
