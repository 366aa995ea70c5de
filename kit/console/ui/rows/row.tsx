// A row: its fields, what leads from it, and what can be done to it.
import { useState } from "preact/hooks";
import { Rows, type Found } from "../api/client";
import { list, members, text, type Members } from "../api/json";
import { seeing } from "../api/seeing";
import { called, field, labelOf, slug, verb, type Edge, type Field, type Service } from "../api/service";
import { Head } from "../parts/head";
import { useLoad } from "../parts/load";
import { Failed, Loading } from "../parts/say";
import { href } from "../router";
import { maySee, See } from "../account/see-as";
import { Attempts } from "../jobs/attempts";
import { Actions } from "./actions";
import { Edit } from "./edit";
import { History } from "./history";
import { List } from "./list";
import { above, filled, nameOf, namedEdge, walk, type Place } from "./place";
import { crumbs } from "./rows";
import { showable } from "./query";
import { Lookers } from "./presence";
import { Raw } from "./raw";
import { Badge, Shown } from "./value";
import { t } from "../texts/text";

/** Reads a row with the names of the rows that it names, the rows above it in a tree, and which marks the caller has made of it. */
export async function read(service: Service, at: Place, signal?: AbortSignal): Promise<Found> {
  const expand = new Set(at.entity.fields.flatMap((one) => (one.kind === "ref" ? namedEdge(service, at.entity, one.name)?.edge.name ?? [] : [])));
  const up = walk(at.entity, "up");
  if (up) expand.add(up.name);
  const deleted = at.entity.soft_delete === true && service.manifest.viewer.role === "admin";
  const rows = new Rows(at.api, at.entity);
  const marks = new Set((at.entity.actions ?? []).flatMap((one) => one.marked ?? []));
  const versioned = at.entity.version !== undefined || expand.size === 0; // else the tag is that of all that was asked for
  const [found, plain, marked] = await Promise.all([
    rows.read({ expand: [...expand], deleted, signal }),
    versioned ? undefined : rows.read({ deleted, signal }),
    marks.size === 0 ? undefined : rows.read({ fields: [...marks], deleted, signal }).catch(() => undefined), // it is said at the row itself what fails
  ]);
  return { tag: (plain ?? found).tag, row: { ...found.row, ...marked?.row } };
}

export function Row({ service, place: at }: { service: Service; place: Place }) {
  const { entity } = at;
  const loaded = useLoad(at.api, (signal) => read(service, at, signal));
  const [editing, edit] = useState(false);
  const { value, error, loading, again } = loaded;
  if (error !== undefined) return <><Head title={`${entity.label ?? entity.name} ${at.trail.at(-1)}`} crumbs={crumbs(at)} /><Failed error={error} again={again} /></>;
  if (!value) return <><Head title={`${entity.label ?? entity.name} ${at.trail.at(-1)}`} crumbs={crumbs(at)} /><Loading what={t("the row")} /></>;
  const { row } = value;
  const state = entity.state && field(entity, entity.state.field);
  const change = verb(entity, "patch");
  const deleted = text(row.deleted_at ?? row.deletedAt);
  const badge = (
    <>
      {state && row[state.name] && <Badge name={text(row[state.name])} label={state.values?.find((one) => one.name === row[state.name])?.label} />}
      {deleted !== "" && <Badge name="deleted" label={t("deleted")} />}
    </>
  );
  return (
    <>
      <Head title={nameOf(entity, row)} crumbs={crumbs(at, above(entity, row))} badge={badge}>
        {change && !editing && deleted === "" && row[called(entity, "viewerCanUpdate")] !== false && <button type="button" onClick={() => edit(true)}>{t("Edit")}</button>}
        {entity.name === "User" && maySee(service) && deleted === "" && text(row.email) !== "" && <See as={{ email: text(row.email) }} who={nameOf(entity, row)}>{t("See as")}</See>}
        <Actions service={service} place={at} found={value} deleted={deleted !== ""} changed={again} />
      </Head>
      {entity.presence && deleted === "" && !seeing.now && <Lookers service={service} entity={entity} id={text(row[entity.id])} />}
      <div aria-busy={loading}>
        {editing
          ? <Edit service={service} place={at} found={value} onEnd={(saved) => { edit(false); if (saved) again(); }} />
          : <Fields service={service} place={at} row={row} />}
      </div>
      {entity.name === "Job" && <Attempts entity={entity} row={row} />}
      {!editing && <Edges service={service} place={at} row={row} />}
      {!editing && !at.parent && <History service={service} entity={entity} row={row} />}
      {!editing && <Raw service={service} entity={entity} row={row} />}
    </>
  );
}

function Fields({ service, place: { entity }, row }: { service: Service; place: Place; row: Members }) {
  const wide = (one: Field): boolean => one.long === true || one.kind === "json" || one.kind === "objects";
  const all = (entity.fields ?? []).filter((one) => showable(one) && !(entity.name === "Job" && one.name === "failures") && one.name in row && !(row[one.name] === null && /^deleted_?at$/i.test(one.name)));
  const shown = [...all.filter((one) => !wide(one)), ...all.filter(wide)];
  return (
    <dl class="fields">
      {shown.map((one) => (
        <div key={one.name} class={wide(one) ? "wide" : undefined}>
          <dt title={one.description}>{labelOf(one)}</dt>
          <dd><Shown service={service} entity={entity} field={one} row={row} /></dd>
        </div>
      ))}
    </dl>
  );
}

function Edges({ service, place: at, row }: { service: Service; place: Place; row: Members }) {
  if (at.parent) return null;
  const children = walk(at.entity, "down")?.step;
  const edges = (at.entity.edges ?? []).filter((one) => one.tree !== "up"); // the head has the rows above
  const many = [...edges.filter((one) => one.name === children), ...edges.filter((one) => one.name !== children)].flatMap((one) => there(service, at, one, row) ?? []);
  const offered = list(row.actions).map((one) => text(members(one).name));
  const below = edges.filter((one) => !one.many && service.entity(one.to)?.under && (!one.offered || offered.includes(one.offered)));
  return (
    <>
      {below.length > 0 && (
        <p class="below">{below.map((one) => <a key={one.name} class="button" href={href(["rows", ...at.trail, one.name])}>{labelOf(one)}</a>)}</p>
      )}
      {many.map((one) => <Many key={one.edge.name} service={service} {...one} opened={one.edge.name === children} />)}
    </>
  );
}

interface Beyond { edge: Edge; place: Place; query: URLSearchParams }

/** The rows that an edge to many leads to: a list of its own, or the list of all, filtered. */
function there(service: Service, at: Place, edge: Edge, row: Members): Beyond | undefined {
  const target = service.entity(edge.to);
  if (!edge.many || !target) return undefined;
  if (edge.list) {
    const place: Place = { entity: target, api: filled(edge.list, text(row[at.entity.key])), trail: [...at.trail, edge.name], one: false, parent: at, edge };
    return { edge, place, query: new URLSearchParams() };
  }
  const back = field(target, target.edges?.find((one) => one.name === edge.inverse)?.field);
  if (target.under || !verb(target, "list") || !back?.filters?.includes("eq")) return undefined;
  return { edge, place: { entity: target, api: target.path, trail: [slug(target)], one: false }, query: new URLSearchParams({ [back.name]: text(row[at.entity.id]) }) };
}

/** The rows that an edge to many leads to, at once or when the reader opens it. */
function Many({ service, edge, place, query, opened }: Beyond & { service: Service; opened: boolean }) {
  const [open, show] = useState(opened);
  return (
    <details class="edge" open={opened} onToggle={(event) => show((event.target as HTMLDetailsElement).open)}>
      <summary><h2>{labelOf(edge)}</h2><span class="muted">{edge.description}</span></summary>
      {open && <List service={service} place={place} query={query} few called={labelOf(edge)} />}
    </details>
  );
}
