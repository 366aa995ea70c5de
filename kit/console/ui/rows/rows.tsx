// The pages of rows: a list, a row, and the forms to make and to change one.
import { useState } from "preact/hooks";
import type { Members } from "../api/json";
import { oneOf, slug, verb, type Service } from "../api/service";
import { Head, type Crumb } from "../parts/head";
import { Missing } from "../pages/page";
import { href, useRoute } from "../router";
import { Create } from "./create";
import { List } from "./list";
import { nameOf, place, placeOf, type Place } from "./place";
import { Row } from "./row";
import { Collection } from "./actions";
import { t } from "../texts/text";

export function Rows({ service, path, make = false }: { service: Service; path: string[]; make?: boolean }) {
  const { query } = useRoute();
  const [turn, next] = useState(0);
  const at = place(service, path);
  if (!at) return <Missing what={t("list of rows called {0}", path.join("/"))} />;
  if (make) return <Create key={at.api} service={service} place={at} />;
  if (at.one) return <Row key={at.api} service={service} place={at} />;
  const { entity } = at;
  return (
    <>
      <Head title={at.edge ? t("{0} of {1}", entity.labels, at.parent!.trail.join(" ")) : entity.labels} crumbs={crumbs(at)} about={entity.description}>
        <Collection service={service} entity={entity} at={at} onChange={() => next(turn + 1)} />
        {!at.edge && verb(entity, "create") && <a class="button primary" href={href(["new", slug(entity)])}>{t("New {0}", oneOf(entity))}</a>}
      </Head>
      <List key={at.api} service={service} place={at} query={query} turn={turn} />
    </>
  );
}

/** The pages above a place, and those of the rows above its row, where rows are a tree. */
export function crumbs(at: Place, rows: Members[] = []): Crumb[] {
  const top = at.parent ?? at;
  const all: Crumb[] = at.parent || at.one ? [{ label: top.entity.labels, path: ["rows", ...top.trail.slice(0, 1)] }] : [];
  if (at.parent) all.push({ label: at.parent.trail[1] ?? "", path: ["rows", ...at.parent.trail] });
  return [...all, ...rows.map((row) => ({ label: nameOf(at.entity, row), path: ["rows", ...placeOf(at.entity, row) ?? []] }))];
}
