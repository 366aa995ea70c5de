// The checks of /readyz, which say whether the process can answer.
import { members, parse, text, type Value } from "../api/json";
import { within } from "../api/settings";
import { Head } from "../parts/head";
import { useLoad } from "../parts/load";
import { Failed, Loading } from "../parts/say";
import { History } from "../process/health";
import { t } from "../texts/text";

export function Health({ admin }: { admin: boolean }) {
  return (
    <>
      <Head title={t("Health")} about={t("What the process that answers this page says of itself at /readyz.")} />
      <Checks />
      {admin && <History />}
    </>
  );
}

/** The checks are of no API, and answer with 503 where one fails. */
async function ask(signal: AbortSignal): Promise<{ status: number; body: Value }> {
  const response = await fetch(within("/readyz"), { headers: { Accept: "application/json" }, signal });
  return { status: response.status, body: parse(await response.text()) };
}

export function Checks() {
  const { value, error, loading, again } = useLoad("readyz", ask);
  if (error !== undefined) return <Failed error={error} again={again} />;
  if (!value) return <Loading what={t("the checks")} />;
  const all = members(value.body);
  const checks = Object.entries(members(all.checks));
  const well = value.status === 200;
  return (
    <div class="checks">
      <p class={well ? "state ok" : "state bad"}>{well ? t("Ready") : text(all.status) || t("Not ready ({0})", value.status)}</p>
      <ul>
        {checks.map(([name, state]) => (
          <li key={name}><span>{name}</span><span class={text(state) === "ok" ? "state ok" : "state bad"}>{text(state)}</span></li>
        ))}
      </ul>
      <button type="button" onClick={again} disabled={loading}>{t("Check again")}</button>
    </div>
  );
}
