// The filters and the order of a list: a control for each kind, and the filters in force as
// buttons that take them away. What an index serves comes first.
import { useRef } from "preact/hooks";
import { labelOf, type Entity, type Field } from "../api/service";
import { Pop, type Closing } from "../parts/pop";
import { go, href } from "../router";
import { filters, served } from "./query";
import { t, tn, type Text } from "../texts/text";

interface Props { entity: Entity; here: string[]; query: URLSearchParams }

export function Filters({ entity, here, query }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const panel = useRef<Closing>(null);
  const fields = (entity.fields ?? []).filter((one) => one.filters && one.filters.length > 0);
  const active = filters(query);
  const [indexed, scanned] = [fields.filter((one) => !one.scans), fields.filter((one) => one.scans)];
  if (fields.length === 0 && !entity.soft_delete) return null;

  function show(event: Event): void {
    event.preventDefault();
    const next = new URLSearchParams(query);
    for (const [name] of [...active, ["cursor"], ["include_deleted"], ["sort"]]) next.delete(name!);
    for (const [name, value] of new FormData(form.current!)) if (value !== "") next.set(name, String(value));
    panel.current?.close();
    go(href(here, next));
  }

  return (
    <Pop label={t("Filter")} count={active.length} handle={panel}>
      <form class="filters" ref={form} onSubmit={show} key={query.toString()}>
        <div class="filter-fields">
          <Order entity={entity} query={query} />
          {indexed.map((one) => <Filter key={one.name} field={one} query={query} />)}
          {entity.soft_delete && (
            <label class="check"><input type="checkbox" name="include_deleted" value="true" checked={query.get("include_deleted") === "true"} />{t("Deleted rows, too")}</label>
          )}
          {scanned.length > 0 && (
            <details class="more" open={active.some(([name]) => scanned.some((one) => one.name === name.split("[")[0]))}>
              <summary>{tn(scanned.length, "One more, without an index", "{0} more, without an index")}</summary>
              <p class="muted">{t("Where there are too many rows the service refuses these.")}</p>
              <div class="filter-fields">{scanned.map((one) => <Filter key={one.name} field={one} query={query} />)}</div>
            </details>
          )}
        </div>
        <footer>
          <button type="button" onClick={() => go(href(here, without(query, active.map(([name]) => name))))}>{t("Clear")}</button>
          <button class="primary">{t("Show")}</button>
        </footer>
      </form>
    </Pop>
  );
}

/** The orders of the list, those that an index serves before the others. */
function Order({ entity, query }: { entity: Entity; query: URLSearchParams }) {
  const sorted = (entity.fields ?? []).filter((one) => one.sort);
  if (sorted.length === 0) return null;
  const now = query.get("sort") ?? "";
  const option = (value: string, label: string) => <option key={value} value={value} selected={now === value}>{label}</option>;
  const orders = sorted.flatMap((one) => [false, true].map((descending) => ({ one, descending })));
  const shown = (all: typeof orders) => all.map(({ one, descending }) => option((descending ? "-" : "") + one.name, t(descending ? "{0}, descending" : "{0}, ascending", labelOf(one))));
  const scanned = orders.filter(({ one, descending }) => !served(one, descending));
  return (
    <label>{t("Order")}
      <select name="sort">
        {option("", t("as the service has it"))}
        {now.includes(",") && option(now, now)}
        {shown(orders.filter((order) => !scanned.includes(order)))}
        {scanned.length > 0 && <optgroup label={t("Without an index")}>{shown(scanned)}</optgroup>}
      </select>
    </label>
  );
}

function Filter({ field, query }: { field: Field; query: URLSearchParams }) {
  const can = (op: string): boolean => field.filters!.includes(op);
  const value = (name: string): string => query.get(name) ?? "";
  const label = labelOf(field);
  if (field.kind === "bool" || field.kind === "enum") {
    const values = field.kind === "bool" ? [{ name: "true", label: t("Yes") }, { name: "false", label: t("No") }] : field.values ?? [];
    return (
      <label>{label}
        <select name={field.name}>
          <option value="">{t("Any")}</option>
          {values.map((one) => <option key={one.name} value={one.name} selected={value(field.name) === one.name}>{labelOf(one)}</option>)}
        </select>
      </label>
    );
  }
  if (can("gte") && ["time", "date", "int", "float", "money"].includes(field.kind)) {
    const dated = field.kind === "time" || field.kind === "date";
    const bound = (op: "gte" | "lte", said: string, hint: string) => {
      const given = value(`${field.name}[${op}]`);
      const type = dated && /^(\d{4}-\d\d-\d\d)?$/.test(given) ? "date" : "text"; // a link may have a time to the second
      return <input type={type} inputMode={dated ? undefined : "decimal"} name={`${field.name}[${op}]`} value={given} aria-label={said} placeholder={hint} />;
    };
    return (
      <fieldset>
        <legend>{label}</legend>
        {bound("gte", t("{0} from", label), t("from"))}
        {bound("lte", t("{0} to", label), t("to"))}
      </fieldset>
    );
  }
  const hint = field.kind === "strings" ? t("one, or several with commas") : field.kind === "ref" || field.kind === "id" ? "id" : t("exactly");
  return <label>{label}<input name={field.name} value={value(field.name)} placeholder={hint} /></label>;
}

/** The filters in force, each a link to the list without it. */
export function Active({ entity, here, query }: Props) {
  const chosen = filters(query);
  const all: [string, string][] = [...chosen, ...["search", "include_deleted"].filter((name) => query.get(name)).map((name): [string, string] => [name, query.get(name)!])];
  if (all.length === 0) return null;
  return (
    <ul class="active" aria-label={t("In force")}>
      {all.map(([name, value]) => (
        <li key={name}>
          <a href={href(here, without(query, [name]))} aria-label={t("Without {0} {1}", said(entity, name), value)}>
            <span>{said(entity, name)}</span> {value}<b aria-hidden="true">×</b>
          </a>
        </li>
      ))}
    </ul>
  );
}

const signs: Record<string, Text> = { gte: "from", lte: "to", gt: "above", lt: "below", in: "one of" };

function said(entity: Entity, name: string): string {
  const [field, op] = name.replace("]", "").split("[");
  const known = entity.fields?.find((one) => one.name === field);
  const sign = signs[op ?? ""];
  return [known ? labelOf(known) : field!.replace(/_/g, " "), sign === undefined ? "" : t(sign)].join(" ").trim();
}

export function without(query: URLSearchParams, names: string[]): URLSearchParams {
  const next = new URLSearchParams(query);
  for (const name of [...names, "cursor"]) next.delete(name);
  return next;
}
