// An entity of the schema: its fields, edges, states, actions and rules.
import { labelOf, slug, verb, type Entity, type Field, type Service } from "../api/service";
import { Head } from "../parts/head";
import { Missing } from "../pages/page";
import { href } from "../router";
import { States } from "./states";
import { t } from "../texts/text";

export function EntityPage({ service, name }: { service: Service; name: string }) {
  const entity = service.entity(name);
  if (!entity) return <Missing what={t("entity called {0}", name)} />;
  return (
    <>
      <Head title={entity.label ?? entity.name} crumbs={[{ label: t("Schema"), path: ["schema"] }]} about={entity.description}>
        {!entity.under && verb(entity, "list") && <a class="button" href={href(["rows", slug(entity)])}>{t("Rows")}</a>}
      </Head>
      <Fields entity={entity} service={service} />
      <Edges entity={entity} />
      {(entity.state?.values ?? []).length > 0 && <section><h2>{t("States")}</h2><States entity={entity} /></section>}
      <Operations entity={entity} />
    </>
  );
}

function Fields({ entity, service }: { entity: Entity; service: Service }) {
  return (
    <section>
      <h2>{t("Fields")}</h2>
      <div class="scroll" tabIndex={0} role="region" aria-label={t("Table of the fields of {0}", entity.labels)}>
        <table>
          <caption class="hidden">{t("Fields")}</caption>
          <thead><tr><th scope="col">{t("Name")}</th><th scope="col">{t("Kind")}</th><th scope="col">{t("Rules")}</th><th scope="col">{t("About")}</th></tr></thead>
          <tbody>
            {(entity.fields ?? []).map((one) => (
              <tr key={one.name}>
                <th scope="row"><code>{one.name}</code></th>
                <td>{one.to && service.entity(one.to) ? <a href={href(["schema", one.to])}>{one.kind} {one.to}</a> : one.kind}</td>
                <td class="muted">{rules(one).join(", ")}</td>
                <td>{one.description}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function rules(one: Field): string[] {
  const { limits = {} } = one;
  const span = (what: string, least?: number, most?: number): string =>
    least === undefined && most === undefined ? "" : least === undefined ? t("{0} to {1}", what, most!) : most === undefined ? t("{0} from {1}", what, least) : t("{0} {1} to {2}", what, least, most);
  return [
    one.create === "required" && t("required"), one.nullable && t("may be empty"), one.unique && t("unique"), one.read_only && t("read only"), one.immutable && t("set once"),
    one.secret && t("never shown"), one.derived && t("computed"), one.on_request && t("only when asked for"),
    span(t("length"), limits.min_length, limits.max_length), span("", limits.minimum, limits.maximum).trim(), span(t("items"), limits.min_items, limits.max_items), limits.format,
  ].filter((text): text is string => Boolean(text));
}

function Edges({ entity }: { entity: Entity }) {
  if (!entity.edges?.length) return null;
  return (
    <section>
      <h2>{t("Edges")}</h2>
      <ul class="words">
        {entity.edges.map((one) => (
          <li key={one.name}><code>{one.name}</code> → <a href={href(["schema", one.to])}>{one.to}</a>{one.many ? t(" (many)") : ""} <span class="muted">{one.description}</span></li>
        ))}
      </ul>
    </section>
  );
}

function Operations({ entity }: { entity: Entity }) {
  const verbs = entity.verbs ?? [];
  const actions = entity.actions ?? [];
  if (verbs.length + actions.length === 0) return null;
  return (
    <section>
      <h2>{t("What can be done")}</h2>
      <div class="scroll" tabIndex={0} role="region" aria-label={t("Table of operations")}>
        <table>
          <caption class="hidden">{t("Operations")}</caption>
          <thead><tr><th scope="col">{t("Operation")}</th><th scope="col">{t("Request")}</th><th scope="col">{t("To which rows")}</th></tr></thead>
          <tbody>
            {[...verbs, ...actions].map((one) => (
              <tr key={one.id}>
                <th scope="row">{labelOf(one)}</th>
                <td><code>{one.method} {one.path}</code></td>
                <td class="muted">{[one.says ?? one.rows, "when" in one && one.when && t("where {0}", one.when)].filter(Boolean).join("; ")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
