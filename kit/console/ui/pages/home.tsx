// The first page: what there is, and whether it is well.
import type { Console } from "../app";
import { slug, verb } from "../api/service";
import { Head } from "../parts/head";
import { href } from "../router";
import { Checks } from "./health";
import { t, tn } from "../texts/text";

export function Home({ console: { service, viewer } }: { console: Console }) {
  const listed = service.entities.filter((one) => !one.under && verb(one, "list"));
  const { service: about, version, viewer: who } = service.manifest;
  return (
    <>
      <Head title={about.name} about={t("Version {0}, over {1} of its API, as {2}.", about.version, version, viewer ? `${viewer.email}, ${who.role ?? who.kind}` : t("an anonymous caller"))} />
      <section aria-labelledby="checks">
        <h2 id="checks">{t("Health")}</h2>
        <Checks />
      </section>
      <section aria-labelledby="data">
        <h2 id="data">{t("What there is")}</h2>
        <ul class="cards">
          {listed.map((one) => (
            <li key={one.name}>
              <a href={href(["rows", slug(one)])}>{one.labels}</a>
              <p>{one.description}</p>
              <p class="muted">{tn(one.fields.length, "1 field", "{0} fields")} · {tn(one.edges?.length ?? 0, "1 edge", "{0} edges")}</p>
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}
