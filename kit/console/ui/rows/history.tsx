// What became of a row within the last days, and the jobs that are about it.
import { useState } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { changesOf } from "../api/changes";
import { text, type Members } from "../api/json";
import { field, slug, verb, type Entity, type Service } from "../api/service";
import { useLoad } from "../parts/load";
import { Empty, Failed, Loading } from "../parts/say";
import { List } from "./list";
import { Badge, Time } from "./value";
import { t, type Text } from "../texts/text";

/** The field that says which row a job is about, where the reader may list jobs by it. */
const subject = "subject";

export function History({ service, entity, row }: { service: Service; entity: Entity; row: Members }) {
  const id = text(row[entity.id]);
  const jobs = service.entity("Job");
  const asked = jobs && verb(jobs, "list") && field(jobs, subject)?.filters?.includes("eq");
  return (
    <>
      {entity.changes && <Part title={t("Events")} about={t("What became of it within seven days.")}><Became key={id} entity={entity} id={id} /></Part>}
      {asked && entity !== jobs && (
        <Part title={jobs.labels} about={t("Work that is about it.")}>
          <List service={service} place={{ entity: jobs, api: jobs.path, trail: [slug(jobs)], one: false }} query={new URLSearchParams({ [subject]: `${entity.graphql.type}:${plain(service, entity, id)}` })} few called={jobs.labels} />
        </Part>
      )}
    </>
  );
}

/** An id as the database has it: global ids are base64url of the type, a colon and the id. */
function plain(service: Service, entity: Entity, id: string): string {
  if (service.manifest.conventions.ids !== "global") return id;
  const bytes = Uint8Array.from(atob(id.replace(/-/g, "+").replace(/_/g, "/")), (one) => one.charCodeAt(0));
  return new TextDecoder().decode(bytes).slice(entity.graphql.type.length + 1);
}

function Part({ title, about, children }: { title: string; about: string; children: ComponentChildren }) {
  const [open, show] = useState(false);
  return (
    <details class="edge" onToggle={(event) => show((event.target as HTMLDetailsElement).open)}>
      <summary><h2>{title}</h2><span class="muted">{about}</span></summary>
      {open && children}
    </details>
  );
}

function Became({ entity, id }: { entity: Entity; id: string }) {
  const { value, error, again } = useLoad(`changes of ${entity.name} ${id}`, (signal) => changesOf(entity, { id }, signal));
  if (error !== undefined) return <Failed error={error} again={again} />;
  if (!value) return <Loading what={t("the events")} />;
  if (value.changes.length === 0) return <Empty title={t("Nothing became of it within seven days.")} />;
  return (
    <>
      <ol class="events">{value.changes.map((one) => <li key={one.at}><Time value={one.at} exact /><Badge name={one.type} label={t(one.type as Text)} /></li>)}</ol>
      {value.more && <p class="pages muted">{t("The newest {0} are shown.", value.changes.length)}</p>}
    </>
  );
}
