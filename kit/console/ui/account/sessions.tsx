// The sign-ins of the one who looks: where they are from, and a button that ends each.
import { useState } from "preact/hooks";
import { client } from "../api/client";
import { Confirm } from "../parts/dialog";
import { Head } from "../parts/head";
import { useLoad } from "../parts/load";
import { Empty, Failed, Loading, reason, say } from "../parts/say";
import { Time } from "../rows/value";

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
      <Head title="My sessions" about="Where you are signed in to this service.">
        {value && value.length > 1 && <button type="button" class="danger" onClick={() => ask(true)}>End all others</button>}
      </Head>
      {error !== undefined ? <Failed error={error} again={again} /> : !value ? <Loading what="the sessions" /> : value.length === 0 ? <Empty title="No session." /> : (
        <div class="scroll" tabIndex={0} role="region" aria-label="Table of sessions">
          <table>
            <caption class="hidden">Sessions</caption>
            <thead><tr><th scope="col">Client</th><th scope="col">Address</th><th scope="col">Kind</th><th scope="col">Since</th><th scope="col">Until</th><th scope="col" class="acts"><span class="hidden">End</span></th></tr></thead>
            <tbody>
              {value.map((one) => (
                <tr key={one.id}>
                  <th scope="row"><span class="cut">{one.user_agent || "unknown"}</span>{one.current && <span class="badge ok">this one</span>}</th>
                  <td><code>{one.address}</code></td>
                  <td>{one.mode}</td>
                  <td><Time value={one.created_at} /></td>
                  <td><Time value={one.expires_at} /></td>
                  <td class="acts">{!one.current && <button type="button" onClick={() => end(`/auth/sessions/${encodeURIComponent(one.id)}`, "Ended.")}>End</button>}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {all && <Confirm title="End all other sessions?" verb="End them" onYes={() => end("/auth/sessions", "The others are ended.")} onClose={() => ask(false)}><p>They are asked to sign in again within two seconds.</p></Confirm>}
    </>
  );
}
