// The standbys that answer reads of this process: whether they are used, and how far they
// are behind the primary.
import { locale, t } from "../texts/text";

export interface Replica { name: string; why: string; primary: boolean; age_ms: number | null; reads: number }

export function Replicas({ all }: { all: Replica[] }) {
  if (all.length === 0) return null;
  return (
    <section aria-labelledby="replicas">
      <h2 id="replicas">{t("Replicas")}</h2>
      <div class="scroll" tabIndex={0} role="region" aria-label={t("Replicas")}>
        <table>
          <caption class="hidden">{t("Replicas")}</caption>
          <thead><tr><th scope="col">{t("Server")}</th><th scope="col">{t("State")}</th><th scope="col" class="figure">{t("Behind by at most")}</th><th scope="col" class="figure">{t("Statements answered")}</th></tr></thead>
          <tbody>
            {all.map((one) => (
              <tr key={one.name}>
                <th scope="row"><code>{one.name}</code></th>
                <td>
                  <span class={one.why === "" ? "badge ok" : one.primary ? "badge wait" : "badge bad"}>{one.why === "" ? t("in use") : t("not used")}</span>
                  {one.why !== "" && <span class="muted"> {one.why}</span>}
                </td>
                <td class="figure">{one.age_ms === null ? <span class="muted">{t("unknown")}</span> : `${one.age_ms.toLocaleString(locale())} ms`}</td>
                <td class="figure">{one.reads.toLocaleString(locale())}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
