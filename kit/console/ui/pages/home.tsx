// The first page: what there is, and whether it is well.
import type { Console } from "../app";
import { slug, verb } from "../api/service";
import { Head } from "../parts/head";
import { href } from "../router";
import { Checks } from "./health";

const count = (all: unknown[] | undefined, what: string): string => `${all?.length ?? 0} ${what}${all?.length === 1 ? "" : "s"}`;

export function Home({ console: { service, viewer } }: { console: Console }) {
  const listed = service.entities.filter((one) => !one.under && verb(one, "list"));
  const { service: about, version, viewer: who } = service.manifest;
  return (
    <>
      <Head title={about.name} about={`Version ${about.version ?? "?"}, over ${version} of its API, as ${viewer ? `${viewer.email}, ${who.role ?? who.kind}` : "an anonymous caller"}.`} />
      <section aria-labelledby="checks">
        <h2 id="checks">Health</h2>
        <Checks />
      </section>
      <section aria-labelledby="data">
        <h2 id="data">What there is</h2>
        <ul class="cards">
          {listed.map((one) => (
            <li key={one.name}>
              <a href={href(["rows", slug(one)])}>{one.labels}</a>
              <p>{one.description}</p>
              <p class="muted">{count(one.fields, "field")} · {count(one.edges, "edge")}</p>
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}
