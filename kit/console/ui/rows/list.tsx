// A list of rows: a page of a collection, as the address says.
import { useState } from "preact/hooks";
import { Rows, type Page } from "../api/client";
import { text, type Members } from "../api/json";
import { field, labelOf, slug, verb, worded, type Entity, type Service } from "../api/service";
import { useLoad } from "../parts/load";
import { Empty, Failed, Loading, reason, say } from "../parts/say";
import { go, href } from "../router";
import { Active, Filters } from "./filters";
import { Columns } from "./columns";
import { bulks, telling } from "./bulk";
import { above, nameOf, placeOf, type Place } from "./place";
import { columns, filters, request, served } from "./query";
import { Box, BoxOfAll, Selection, useChosen, type Chosen } from "./selection";
import { Shown } from "./value";
import { t, tn } from "../texts/text";

export interface ListProps {
  service: Service;
  place: Place;
  query: URLSearchParams;
  /** Only the first few, without anything to choose. */
  few?: boolean;
  /** The page that the list is on, where that is not the one of the rows. */
  here?: string[];
  /** What its table is called, where a page has several of the entity. */
  called?: string;
  /** Another number has it loaded anew. */
  turn?: number;
}

export function List({ service, place, query, few = false, called = place.entity.labels, here = ["rows", ...place.trail], turn = 0 }: ListProps) {
  const { entity, api } = place;
  const bulk = !few && !place.edge && bulks(entity).length > 0;
  const usual = request(service, entity, query, !few);
  const asking = { ...usual, fields: [...new Set([...usual.fields ?? [], ...(bulk ? telling(entity) : [])])], cursor: query.get("cursor") ?? "", ...(few && { limit: 5 }) };
  const loaded = useLoad(`${api}?${JSON.stringify(asking)}`, (signal) => new Rows(api, entity).list({ ...asking, signal }), turn);
  const { value, error, loading } = loaded;
  const chosen = useChosen(entity, value?.rows);
  return (
    <div class="list" aria-busy={loading}>
      {!few && <Bar service={service} place={place} query={query} here={here} />}
      {!few && <Active entity={entity} here={here} query={query} />}
      {bulk && value && <Selection service={service} entity={entity} rows={value.rows} chosen={chosen} changed={loaded.again} />}
      {error !== undefined ? <Failed error={error} again={loaded.again} />
        : !value ? <Loading what={entity.labels} />
          : value.rows.length === 0 ? <None place={place} query={query} here={here} few={few} />
            : <Table service={service} place={place} query={query} here={here} called={called} rows={value.rows} fixed={few} whole={value.next === null && !query.get("cursor")} chosen={bulk ? chosen : undefined} />}
      {value && value.rows.length > 0 && (few ? <More place={place} query={query} more={value.next !== null} /> : <Pages here={here} query={query} shown={value} />)}
    </div>
  );
}

type Inner = ListProps & { here: string[] };

function Bar({ service, place, query, here }: Inner) {
  const { entity, api } = place;
  const [busy, work] = useState(false);

  function search(event: Event): void {
    event.preventDefault();
    const next = new URLSearchParams(query);
    const words = String(new FormData(event.target as HTMLFormElement).get("search") ?? "").trim();
    next.delete("cursor");
    if (words === "") next.delete("search");
    else next.set("search", words);
    go(href(here, next));
  }

  async function save(): Promise<void> {
    work(true);
    try {
      const text = await new Rows(api, entity).csv(request(service, entity, query));
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
      link.download = `${slug(entity)}.csv`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    } catch (err) {
      say(t("No CSV: {0}", reason(err)), true);
    } finally {
      work(false);
    }
  }

  return (
    <div class="bar">
      {(entity.search ?? []).length > 0 && (
        <form role="search" onSubmit={search} key={query.get("search")}>
          <input type="search" name="search" value={query.get("search") ?? ""} aria-label={t("Search {0}", entity.labels)}
            placeholder={t("Search {0}", entity.search!.map((name) => worded(labelOf(field(entity, name) ?? { name }))).join(", "))} />
        </form>
      )}
      <Filters entity={entity} here={here} query={query} />
      <Columns entity={entity} here={here} query={query} />
      <button type="button" onClick={save} disabled={busy}>{busy ? t("Loading…") : "CSV"}</button>
    </div>
  );
}

function Table({ service, place, query, here, called, rows, fixed, whole, chosen }: Inner & { called: string; rows: Members[]; fixed: boolean; whole: boolean; chosen: Chosen | undefined }) {
  const { entity } = place;
  const shown = columns(entity, query);
  const sort = query.get("sort") ?? entity.sort ?? "";
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={t("Table of {0}", called)}>
      <table>
        <caption class="hidden">{called}</caption>
        <thead>
          <tr>
            {chosen && <td class="box"><BoxOfAll entity={entity} rows={rows} chosen={chosen} /></td>}
            <th scope="col">{labelOf(field(entity, entity.id) ?? { name: entity.id })}</th>
            {shown.map((one) => {
              const by = sort === one.name ? "ascending" : sort === "-" + one.name ? "descending" : undefined;
              const next = new URLSearchParams(query);
              next.delete("cursor");
              next.set("sort", by === "ascending" ? "-" + one.name : one.name);
              return (
                <th key={one.name} scope="col" aria-sort={by} class={numeric(one.kind) ? "figure" : undefined}>
                  {one.sort && !fixed && (whole || served(one, by === "ascending")) // the panel has the orders that no index serves
                    ? <a href={href(here, next)}>{labelOf(one)}<span aria-hidden="true" class="arrow">{by === "ascending" ? "↑" : by ? "↓" : ""}</span></a>
                    : labelOf(one)}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const to = placeOf(entity, row);
            const id = text(row[entity.id] ?? row[entity.key]);
            return (
              <tr key={id} class={chosen?.keys.has(text(row[entity.key])) ? "chosen" : undefined}>
                {chosen && <td class="box"><Box entity={entity} row={row} chosen={chosen} /></td>}
                <th scope="row">{to ? <a href={href(["rows", ...to])}>{id}</a> : id}</th>
                {shown.map((one) => (
                  <td key={one.name} class={numeric(one.kind) ? "figure" : undefined}>
                    {one.name === entity.title && <Path entity={entity} row={row} />}
                    {one.name === entity.title && to
                      ? <a class="cut" href={href(["rows", ...to])}>{text(row[one.name]) || "—"}</a>
                      : <Shown service={service} entity={entity} field={one} row={row} brief />}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** The names of the rows above a row of a tree. */
function Path({ entity, row }: { entity: Entity; row: Members }) {
  const names = above(entity, row).map((one) => nameOf(entity, one));
  return names.length === 0 ? null : <span class="above cut" title={names.join(" / ")}>{names.join(" / ")}<span class="hidden"> / </span></span>;
}

function None({ place, query, here, few }: { place: Place; query: URLSearchParams; here: string[]; few: boolean }) {
  const { entity } = place;
  if (few) return <Empty title={t("No {0} yet.", worded(entity.labels))} />;
  if (filters(query).length > 0 || query.get("search")) {
    return <Empty title={t("Nothing is like this.")}><p><a href={href(here)}>{t("Show all {0}", worded(entity.labels))}</a></p></Empty>;
  }
  if (query.get("cursor")) return <Empty title={t("There is no further page.")}><p><a href={href(here)}>{t("To the first page")}</a></p></Empty>;
  return (
    <Empty title={t("No {0} yet.", worded(entity.labels))}>
      {!place.parent && verb(entity, "create") && <p><a href={href(["new", slug(entity)])}>{t("Make the first one")}</a></p>}
    </Empty>
  );
}

function Pages({ here, query, shown }: { here: string[]; query: URLSearchParams; shown: Page<Members> }) {
  const to = (cursor: string): string => {
    const next = new URLSearchParams(query);
    if (cursor === "") next.delete("cursor");
    else next.set("cursor", cursor);
    return href(here, next);
  };
  if (shown.next === null && !query.get("cursor")) return <p class="pages muted">{tn(shown.rows.length, "1 row", "{0} rows")}</p>;
  return (
    <nav class="pages" aria-label={t("Pages")}>
      <span class="muted">{tn(shown.rows.length, "1 row on this page", "{0} rows on this page")}</span>
      {query.get("cursor") && <a class="button" href={to("")}>{t("First")}</a>}
      {shown.previous !== null && <a class="button" rel="prev" href={to(shown.previous)}>{t("Previous")}</a>}
      {shown.next !== null && <a class="button" rel="next" href={to(shown.next)}>{t("Next")}</a>}
    </nav>
  );
}

const More = ({ place, query, more }: { place: Place; query: URLSearchParams; more: boolean }) =>
  <p class="pages"><a href={href(["rows", ...place.trail], query)}>{more ? t("All of them") : t("As a list")}</a></p>;

const numeric = (kind: string): boolean => kind === "int" || kind === "float" || kind === "money";
