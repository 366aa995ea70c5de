// A value as it is shown. Nothing of it is ever read as HTML.
import { isMembers, list, members, print, text, type Members } from "../api/json";
import { labelOf, type Entity, type Field, type Service } from "../api/service";
import { seeing } from "../api/seeing";
import { within } from "../api/settings";
import { href } from "../router";
import { currencyOf, digitsOf } from "./amount";
import { nameOf, namedEdge, placeOf, edgeOf } from "./place";
import { locale, t } from "../texts/text";

export interface Shown {
  service: Service;
  entity: Entity;
  field: Field;
  row: Members;
  /** In a cell of a list, where there is little room. */
  brief?: boolean;
}

export function Shown({ service, entity, field, row, brief = false }: Shown) {
  const value = row[field.name];
  if (field.kind === "ref") return <Reference service={service} entity={entity} field={field} row={row} />;
  if (value === null || value === undefined || value === "") return <Nothing />;
  switch (field.kind) {
    case "bool": return <span class={value === true ? "yes" : "no"}>{value === true ? t("Yes") : t("No")}</span>;
    case "enum": return <Badge name={text(value)} label={field.values?.find((one) => one.name === value)?.label} />;
    case "time": return <Time value={text(value)} />;
    case "money": return <span class="figure">{digitsOf(field, row)} <span class="muted">{currencyOf(field, row)}</span></span>;
    case "int": case "float": return <span class="figure">{text(value)}</span>;
    case "id": case "uuid": return <code>{text(value)}</code>;
    case "strings": return <span class="tags">{list(value).map((one, i) => <span key={i} class="tag">{text(one)}</span>)}</span>;
    case "objects": if (!brief && list(value).length > 0) return <Objects service={service} entity={entity} field={field} row={row} />;
    // falls through
    case "json": return brief ? <code class="cut">{print(value)}</code> : <pre>{print(value, "  ")}</pre>;
    case "bytes": return <code class="cut">{text(value)}</code>;
  }
  const address = text(value);
  if (address.startsWith("/api/") && (field.file || field.read_only)) return <Address field={field} address={address} brief={brief} />;
  if (isMembers(value) || Array.isArray(value)) return <code class="cut">{print(value)}</code>;
  return <span class={brief ? "cut" : "prose"} title={brief && text(value).length > 60 ? text(value) : undefined}>{text(value)}</span>;
}

/** A link to what is at an address of this service, which shows a picture where it is one and the reader is themselves. */
function Address({ field, address, brief }: { field: Field; address: string; brief: boolean }) {
  const variant = field.file?.variants?.at(-1)?.name;
  return (
    <a class={brief ? "cut" : undefined} href={within(address)}>
      {!brief && field.file?.pixels && !seeing.now ? <img class="picture" src={within(address) + (variant ? `?variant=${variant}` : "")} alt={labelOf(field)} loading="lazy" /> : address}
    </a>
  );
}

/** A list of objects as a table, a column for each member. An amount has the currency of its object, or of the row. */
function Objects({ service, entity, field, row }: Shown) {
  const inner = field.members ?? [];
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={t("Table of {0}", labelOf(field))}>
      <table>
        <caption class="hidden">{labelOf(field)}</caption>
        <thead><tr>{inner.map((one) => <th key={one.name} scope="col" title={one.description}>{labelOf(one)}</th>)}</tr></thead>
        <tbody>
          {list(row[field.name]).map((item, i) => (
            <tr key={i}>{inner.map((one) => <td key={one.name}><Shown service={service} entity={entity} field={one} row={{ ...row, ...members(item) }} /></td>)}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The row that a foreign key names, by its title where that was asked for. */
function Reference({ service, entity, field, row }: Shown) {
  const id = row[field.name];
  const named = namedEdge(service, entity, field.name);
  const other = named ? members(row[named.edge.name]) : {};
  if (named && Object.keys(other).length > 0) {
    const to = placeOf(named.target, other);
    const name = nameOf(named.target, other);
    return to ? <a class="cut" href={href(["rows", ...to])}>{name}</a> : <span class="cut">{name}</span>;
  }
  if (id === null || id === undefined) return <Nothing />;
  const target = service.entity(field.to ?? edgeOf(entity, field.name)?.to);
  if (!target || target.under || target.key !== target.id) return <code>{text(id)}</code>;
  return <a href={href(["rows", ...placeOf(target, { [target.key]: id })!])}>{target.label ?? target.name} {text(id)}</a>;
}

export const Nothing = () => <span class="muted">—<span class="hidden">{t("empty")}</span></span>;

const tones: [RegExp, string][] = [
  [/fail|cancel|declin|refus|revok|dead|inactive|expired|error|bounced|deleted|gone/i, "bad"],
  [/pending|queued|wait|draft|process|running|retry|open|partial/i, "wait"],
  [/success|succeed|paid|active|publish|done|complete|sent|deliver|approved|created|ok$/i, "ok"],
];

export function Badge({ name, label }: { name: string; label?: string | undefined }) {
  const tone = tones.find(([pattern]) => pattern.test(name))?.[1] ?? "";
  return <span class={`badge ${tone}`}>{label ?? name.replace(/_/g, " ")}</span>;
}

const short = (): Intl.DateTimeFormat => new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeStyle: "short" });
const exactly = (): Intl.DateTimeFormat => new Intl.DateTimeFormat(locale(), { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", second: "2-digit" });

/** A time where the reader is, with the second where it is to be exact. The title has it as the service does. */
export function Time({ value, exact = false }: { value: string; exact?: boolean }) {
  const at = new Date(value);
  return <time dateTime={value} title={value}>{Number.isNaN(at.getTime()) ? value : (exact ? exactly : short)().format(at)}</time>;
}
