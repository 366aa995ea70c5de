// Migrations that the database has had, and those that are pending.
import { look } from "../api/client";
import { Head } from "../parts/head";
import { useLoad } from "../parts/load";
import { Empty, Failed, Loading } from "../parts/say";
import { Badge, Time } from "../rows/value";

interface Applied { version: string; description: string; at: string; took_ms: number; applied: number; total: number }
interface Migrated { dialect: string; applied: Applied[]; pending: string[]; begun?: string; half: string[]; unknown: string[] }

export function Migrations() {
  const { value, error, loading, again } = useLoad("migrations", (signal) => look<Migrated>("/migrations", signal));
  const state = value && (value.half.length > 0 ? "applied in part" : value.unknown.length > 0 ? "newer than this program" : value.pending.length > 0 ? "pending" : "up to date");
  return (
    <>
      <Head title="Migrations" about={value && `Of the ${value.dialect === "postgres" ? "PostgreSQL" : "SQLite"} database that this process works with.`}
        badge={state && <span class={`badge ${state === "up to date" ? "ok" : state === "pending" ? "wait" : "bad"}`}>{state}</span>}>
        <button type="button" onClick={again} disabled={loading}>Look again</button>
      </Head>
      {error !== undefined ? <Failed error={error} again={again} /> : !value ? <Loading what="the migrations" /> : <Both of={value} />}
    </>
  );
}

function Both({ of: all }: { of: Migrated }) {
  return (
    <>
      <section aria-labelledby="pending">
        <h2 id="pending">Pending</h2>
        {all.pending.length === 0 ? <p class="muted">None: the database has had all that this program knows.</p> : (
          <ul class="pending">
            {all.pending.map((file) => <li key={file}><code>{file}</code>{all.begun && file.startsWith(all.begun) && <Badge name="running" label="begun" />}</li>)}
          </ul>
        )}
        {all.unknown.length > 0 && <p class="warning">The database has had migrations that this program does not know: {all.unknown.join(", ")}.</p>}
      </section>
      <section aria-labelledby="applied">
        <h2 id="applied">Applied</h2>
        {all.applied.length === 0 ? <Empty title="No migration was applied." /> : (
          <div class="scroll" tabIndex={0} role="region" aria-label="Table of migrations">
            <table>
              <caption class="hidden">Applied migrations</caption>
              <thead><tr><th scope="col">Version</th><th scope="col">Description</th><th scope="col" class="figure">Statements</th><th scope="col" class="figure">Took</th><th scope="col">When</th></tr></thead>
              <tbody>
                {all.applied.map((one) => (
                  <tr key={one.version}>
                    <th scope="row"><code>{one.version}</code></th>
                    <td>{one.description.replace(/_/g, " ")}{one.applied < one.total && <Badge name="partial" label={`${one.applied} of ${one.total}`} />}</td>
                    <td class="figure">{one.total}</td>
                    <td class="figure">{one.took_ms > 0 ? `${one.took_ms.toLocaleString()} ms` : <span class="muted">under 1 ms</span>}</td>
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
