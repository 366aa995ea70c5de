// The graph as a picture: each entity a box, each foreign key a line to what it names.
import { useState } from "preact/hooks";
import { labelOf, type Entity, type Service } from "../api/service";
import { Head } from "../parts/head";
import { href } from "../router";
import { layout, type Line, type Sizes } from "./layout";
import { t } from "../texts/text";

/** Boxes are as wide as the longest label needs, of letters that are as wide as in wide fonts. */
const sizesOf = (entities: Entity[]): Sizes =>
  ({ width: Math.max(148, 24 + 9 * Math.max(0, ...entities.map((one) => labelOf(one).length))), height: 44, across: 72, down: 16 });
const margin = 32;

interface Named extends Line { names: string[] }

export function Schema({ service }: { service: Service }) {
  const [zoom, scale] = useState<number>(); // none: as wide as the page
  const [lit, light] = useState<string>();
  const nodes = service.entities.map((one) => one.name);
  const lines = linesOf(service);
  const sizes = sizesOf(service.entities);
  const { spots, curves, width, height } = layout(nodes, lines, sizes);
  const [w, h] = [width + 2 * margin, height + 2 * margin];
  const touches = (line: Line): boolean => line.from === lit || line.to === lit;
  const near = new Set(lines.filter(touches).flatMap((line) => [line.from, line.to]));
  return (
    <>
      <Head title={t("Schema")} about={t("A line leads from an entity to what its rows name. An entity opens its fields, states and rights.")}>
        <div class="zoom" role="group" aria-label={t("Size of the picture")}>
          <button type="button" aria-label={t("Smaller")} onClick={() => scale(Math.max(0.4, (zoom ?? 1) / 1.25))}>−</button>
          <button type="button" aria-pressed={zoom === undefined} onClick={() => scale(undefined)}>{t("Fit")}</button>
          <button type="button" aria-label={t("Larger")} onClick={() => scale(Math.min(3, (zoom ?? 1) * 1.25))}>+</button>
        </div>
      </Head>
      <div class={zoom ? "picture" : "picture whole"} tabIndex={0} role="region" aria-label={t("The graph")}>
        <svg width={zoom ? w * zoom : undefined} height={zoom ? h * zoom : undefined} class={zoom ? undefined : "fit"} viewBox={`${-margin} ${-margin} ${w} ${h}`} role="group" aria-label={t("Entities and edges")}>
          <g class={lit ? "lines dim" : "lines"}>
            {lines.map((line, i) => (
              <path key={`${line.from} ${line.to}`} d={curves[i]} class={touches(line) ? "line lit" : "line"}>
                <title>{`${line.from} → ${line.to}: ${line.names.join(", ")}`}</title>
              </path>
            ))}
          </g>
          {service.entities.map((one) => (
            <Box key={one.name} entity={one} sizes={sizes} at={spots.get(one.name)!} dim={lit !== undefined && lit !== one.name && !near.has(one.name)} light={light} />
          ))}
        </svg>
      </div>
      <section aria-labelledby="in-words">
        <h2 id="in-words">{t("In words")}</h2>
        <ul class="words">
          {service.entities.map((one) => (
            <li key={one.name}>
              <a href={href(["schema", one.name])}>{one.label ?? one.name}</a>{" "}
              <span class="muted">{(one.edges ?? []).map((edge) => `${edge.name} → ${edge.to}${edge.many ? t(" (many)") : ""}`).join(", ") || t("no edges")}</span>
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}

function Box({ entity, sizes, at, dim, light }: { entity: Entity; sizes: Sizes; at: { x: number; y: number }; dim: boolean; light: (name: string | undefined) => void }) {
  const facts = entity.state ? t("{0} fields, with states", entity.fields.length) : t("{0} fields", entity.fields.length);
  return (
    <a href={href(["schema", entity.name])} class={dim ? "box dim" : "box"}
      onMouseEnter={() => light(entity.name)} onMouseLeave={() => light(undefined)} onFocus={() => light(entity.name)} onBlur={() => light(undefined)}>
      <rect x={at.x} y={at.y} width={sizes.width} height={sizes.height} rx="7" />
      <text x={at.x + 12} y={at.y + 19} class="box-name">{labelOf(entity)}</text>
      <text x={at.x + 12} y={at.y + 34} class="box-facts">{facts}</text>
    </a>
  );
}

/** One line for each pair of entities, from the one with the foreign key; of many to many from the first. */
function linesOf(service: Service): Named[] {
  const all = new Map<string, Named>();
  for (const one of service.entities) {
    for (const edge of one.edges ?? []) {
      const many = edge.many && service.entity(edge.to)?.edges?.some((back) => back.name === edge.inverse && back.many) && one.name < edge.to;
      if (!service.entity(edge.to) || (!edge.field && !many)) continue;
      const key = `${one.name} ${edge.to}`;
      const line = all.get(key) ?? { from: one.name, to: edge.to, names: [] };
      line.names.push(edge.name);
      all.set(key, line);
    }
  }
  return [...all.values()];
}
