// How much each API key may ask, how much of that is left, and which of what is
// deprecated is still used.
import { look } from "../api/client";
import type { Service } from "../api/service";
import { Head } from "../parts/head";
import { useLoad } from "../parts/load";
import { Empty, Failed, Loading } from "../parts/say";
import { href } from "../router";
import { List } from "../rows/list";
import { place } from "../rows/place";
import { Badge, Nothing, Time } from "../rows/value";

interface Key {
  id: number; prefix: string; client: string; permissions: string[] | null;
  last_used: string | null; expires: string | null; revoked: string | null; remaining?: number; reset?: string;
}

interface Limits { count: number; window_ms: number; algorithm: string; keys: Key[] }

export function Usage({ service }: { service: Service }) {
  const { value, error, loading, again } = useLoad("limits", (signal) => look<Limits>("/limits", signal));
  const uses = place(service, ["deprecated-uses"]);
  return (
    <>
      <Head title="Usage" about={value && (value.count === 0 ? "There is no limit of requests." : `Each caller may make ${value.count.toLocaleString()} requests in ${words(value.window_ms)}.`)}>
        <button type="button" onClick={again} disabled={loading}>Look again</button>
      </Head>
      <section aria-labelledby="keys">
        <h2 id="keys">API keys</h2>
        {error !== undefined ? <Failed error={error} again={again} /> : !value ? <Loading what="the keys" /> : value.keys.length === 0
          ? <Empty title="There is no API key.">{service.at("api-keys") && <p><a href={href(["rows", "api-keys"])}>Make one</a></p>}</Empty>
          : <Keys limits={value} />}
      </section>
      {uses && (
        <section aria-labelledby="deprecated">
          <h2 id="deprecated">What is deprecated and still used</h2>
          <List service={service} place={uses} query={new URLSearchParams()} few />
        </section>
      )}
    </>
  );
}

function Keys({ limits }: { limits: Limits }) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Table of API keys">
      <table>
        <caption class="hidden">API keys</caption>
        <thead><tr><th scope="col">Client</th><th scope="col">Key</th><th scope="col">State</th><th scope="col">Left now</th><th scope="col">Last used</th><th scope="col">Expires</th></tr></thead>
        <tbody>
          {limits.keys.map((one) => (
            <tr key={one.id}>
              <th scope="row"><a href={href(["rows", "api-keys", String(one.id)])}>{one.client}</a></th>
              <td><code>{one.prefix}…</code></td>
              <td><Badge name={one.revoked ? "revoked" : one.expires && new Date(one.expires) < new Date() ? "expired" : "active"} /></td>
              <td>{one.remaining === undefined ? <Nothing /> : <Left of={limits.count} left={one.remaining} />}</td>
              <td>{one.last_used ? <Time value={one.last_used} /> : <span class="muted">never</span>}</td>
              <td>{one.expires ? <Time value={one.expires} /> : <span class="muted">never</span>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Left({ of: count, left }: { of: number; left: number }) {
  const share = count === 0 ? 0 : (100 * left) / count;
  return (
    <span class="gauge">
      <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class={share < 15 ? "low" : undefined} width={share} height="8" /></svg>
      <span class="figure">{left.toLocaleString()} of {count.toLocaleString()}</span>
    </span>
  );
}

/** A time in words: "a minute", "10 seconds". */
function words(ms: number): string {
  const units: [number, string][] = [[86_400_000, "day"], [3_600_000, "hour"], [60_000, "minute"], [1_000, "second"], [1, "millisecond"]];
  const [size, name] = units.find(([size]) => ms >= size && ms % size === 0) ?? [1, "millisecond"];
  const n = ms / size;
  return n === 1 ? `${name === "hour" ? "an" : "a"} ${name}` : `${n} ${name}s`;
}
