// The sign-ins of the one who looks: where they are from, and a button that ends each.
import { useState } from "preact/hooks";
import { client } from "../api/client";
import { Confirm } from "../parts/dialog";
import { Head } from "../parts/head";
import { useLoad } from "../parts/load";
import { Empty, Failed, Loading, reason, say } from "../parts/say";
import { Time } from "../rows/value";
import { t } from "../texts/text";

interface Session { id: string; mode: string; user_agent: string; address: string; created_at: string; expires_at: string; current: boolean }

export function Sessions() {
  const { value, error, again } = useLoad("sessions", async (signal) => {
    const { body } = await client.call({ method: "GET", path: "/auth/sessions", options: { signal } });
    return (body as { data: Session[] }).data;
  });
  const [all, ask] = useState(false);

  async function end(path: string, said: string): Promise<void> {
    ask(false);
    try {
      await client.call({ method: "DELETE", path });
      say(said);
      again();
    } catch (err) {
      say(reason(err), true);
    }
  }

  return (
    <>
      <Head title={t("My sessions")} about={t("Where you are signed in to this service.")}>
        {value && value.length > 1 && <button type="button" class="danger" onClick={() => ask(true)}>{t("End all others")}</button>}
      </Head>
      {error !== undefined ? <Failed error={error} again={again} /> : !value ? <Loading what={t("the sessions")} /> : value.length === 0 ? <Empty title={t("No session.")} /> : (
        <div class="scroll" tabIndex={0} role="region" aria-label={t("Table of sessions")}>
          <table>
            <caption class="hidden">{t("Sessions")}</caption>
            <thead><tr><th scope="col">{t("Client")}</th><th scope="col">{t("Address")}</th><th scope="col">{t("Kind")}</th><th scope="col">{t("Since")}</th><th scope="col">{t("Until")}</th><th scope="col" class="acts"><span class="hidden">{t("End")}</span></th></tr></thead>
            <tbody>
              {value.map((one) => (
                <tr key={one.id}>
                  <th scope="row"><span class="cut">{one.user_agent || t("unknown")}</span>{one.current && <span class="badge ok">{t("this one")}</span>}</th>
                  <td><code>{one.address}</code></td>
                  <td>{one.mode}</td>
                  <td><Time value={one.created_at} /></td>
                  <td><Time value={one.expires_at} /></td>
                  <td class="acts">{!one.current && <button type="button" onClick={() => end(`/auth/sessions/${encodeURIComponent(one.id)}`, t("Ended."))}>{t("End")}</button>}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {all && <Confirm title={t("End all other sessions?")} verb={t("End them")} onYes={() => end("/auth/sessions", t("The others are ended."))} onClose={() => ask(false)}><p>{t("They are asked to sign in again within two seconds.")}</p></Confirm>}
    </>
  );
}
