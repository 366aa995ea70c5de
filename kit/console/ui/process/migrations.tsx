// Migrations that the database has had, and those that are pending.
import { look } from "../api/client";
import { Head } from "../parts/head";
import { useLoad } from "../parts/load";
import { Empty, Failed, Loading } from "../parts/say";
import { Badge, Time } from "../rows/value";
import { locale, t, type Text } from "../texts/text";

interface Applied { version: string; description: string; at: string; took_ms: number; applied: number; total: number }
interface Migrated { dialect: string; applied: Applied[]; pending: string[]; begun?: string; half: string[]; unknown: string[] }

export function Migrations() {
  const { value, error, loading, again } = useLoad("migrations", (signal) => look<Migrated>("/migrations", signal));
  const state = value && (value.half.length > 0 ? ["applied in part", "bad"] : value.unknown.length > 0 ? ["newer than this program", "bad"] : value.pending.length > 0 ? ["pending", "wait"] : ["up to date", "ok"]) as [Text, string] | undefined;
  return (
    <>
      <Head title={t("Migrations")} about={value && t("Of the {0} database that this process works with.", value.dialect === "postgres" ? "PostgreSQL" : "SQLite")}
        badge={state && <span class={`badge ${state[1]}`}>{t(state[0])}</span>}>
        <button type="button" onClick={again} disabled={loading}>{t("Look again")}</button>
      </Head>
      {error !== undefined ? <Failed error={error} again={again} /> : !value ? <Loading what={t("the migrations")} /> : <Both of={value} />}
    </>
  );
}

function Both({ of: all }: { of: Migrated }) {
  return (
    <>
      <section aria-labelledby="pending">
        <h2 id="pending">{t("Pending")}</h2>
        {all.pending.length === 0 ? <p class="muted">{t("None: the database has had all that this program knows.")}</p> : (
          <ul class="pending">
            {all.pending.map((file) => <li key={file}><code>{file}</code>{all.begun && file.startsWith(all.begun) && <Badge name="running" label={t("begun")} />}</li>)}
          </ul>
        )}
        {all.unknown.length > 0 && <p class="warning">{t("The database has had migrations that this program does not know: {0}.", all.unknown.join(", "))}</p>}
      </section>
      <section aria-labelledby="applied">
        <h2 id="applied">{t("Applied")}</h2>
        {all.applied.length === 0 ? <Empty title={t("No migration was applied.")} /> : (
          <div class="scroll" tabIndex={0} role="region" aria-label={t("Table of migrations")}>
            <table>
              <caption class="hidden">{t("Applied migrations")}</caption>
              <thead><tr><th scope="col">{t("Version")}</th><th scope="col">{t("Description")}</th><th scope="col" class="figure">{t("Statements")}</th><th scope="col" class="figure">{t("Took")}</th><th scope="col">{t("When")}</th></tr></thead>
              <tbody>
                {all.applied.map((one) => (
                  <tr key={one.version}>
                    <th scope="row"><code>{one.version}</code></th>
                    <td>{one.description.replace(/_/g, " ")}{one.applied < one.total && <Badge name="partial" label={t("{0} of {1}", one.applied, one.total)} />}</td>
                    <td class="figure">{one.total}</td>
                    <td class="figure">{one.took_ms > 0 ? `${one.took_ms.toLocaleString(locale())} ms` : <span class="muted">{t("under 1 ms")}</span>}</td>
                    <td><Time value={one.at} /></td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </section>
    </>
  );
}
