// An entity of the schema: its fields, edges, states, actions and rules.
import { labelOf, slug, verb, type Entity, type Field, type Service } from "../api/service";
import { Head } from "../parts/head";
import { Missing } from "../pages/page";
import { href } from "../router";
import { States } from "./states";

export function EntityPage({ service, name }: { service: Service; name: string }) {
  const entity = service.entity(name);
  if (!entity) return <Missing what={`entity called ${name}`} />;
  return (
    <>
      <Head title={entity.label ?? entity.name} crumbs={[{ label: "Schema", path: ["schema"] }]} about={entity.description}>
        {!entity.under && verb(entity, "list") && <a class="button" href={href(["rows", slug(entity)])}>Rows</a>}
      </Head>
      <Fields entity={entity} service={service} />
      <Edges entity={entity} />
      {(entity.state?.values ?? []).length > 0 && <section><h2>States</h2><States entity={entity} /></section>}
      <Operations entity={entity} />
    </>
  );
}

function Fields({ entity, service }: { entity: Entity; service: Service }) {
  return (
    <section>
      <h2>Fields</h2>
      <div class="scroll" tabIndex={0} role="region" aria-label={`Table of the fields of ${entity.labels}`}>
        <table>
          <caption class="hidden">Fields</caption>
          <thead><tr><th scope="col">Name</th><th scope="col">Kind</th><th scope="col">Rules</th><th scope="col">About</th></tr></thead>
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
    least === undefined && most === undefined ? "" : least === undefined ? `${what} to ${most}` : most === undefined ? `${what} from ${least}` : `${what} ${least} to ${most}`;
  return [
    one.create === "required" && "required", one.nullable && "may be empty", one.unique && "unique", one.read_only && "read only", one.immutable && "set once",
    one.secret && "never shown", one.derived && "computed", one.on_request && "only when asked for",
    span("length", limits.min_length, limits.max_length), span("", limits.minimum, limits.maximum).trim(), span("items", limits.min_items, limits.max_items), limits.format,
  ].filter((text): text is string => Boolean(text));
}

function Edges({ entity }: { entity: Entity }) {
  if (!entity.edges?.length) return null;
  return (
    <section>
      <h2>Edges</h2>
      <ul class="words">
        {entity.edges.map((one) => (
          <li key={one.name}><code>{one.name}</code> → <a href={href(["schema", one.to])}>{one.to}</a>{one.many ? " (many)" : ""} <span class="muted">{one.description}</span></li>
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
      <h2>What can be done</h2>
      <div class="scroll" tabIndex={0} role="region" aria-label="Table of operations">
        <table>
          <caption class="hidden">Operations</caption>
          <thead><tr><th scope="col">Operation</th><th scope="col">Request</th><th scope="col">To which rows</th></tr></thead>
          <tbody>
            {[...verbs, ...actions].map((one) => (
              <tr key={one.id}>
                <th scope="row">{labelOf(one)}</th>
                <td><code>{one.method} {one.path}</code></td>
                <td class="muted">{[one.says ?? one.rows, "when" in one && one.when && `where ${one.when}`].filter(Boolean).join("; ")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
