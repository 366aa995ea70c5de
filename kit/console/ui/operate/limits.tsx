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
import { locale, t, tn, type Text } from "../texts/text";

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
      <Head title={t("Usage")} about={value && (value.count === 0 ? t("There is no limit of requests.") : t("Each caller may make {0} requests in {1}.", value.count.toLocaleString(locale()), words(value.window_ms)))}>
        <button type="button" onClick={again} disabled={loading}>{t("Look again")}</button>
      </Head>
      <section aria-labelledby="keys">
        <h2 id="keys">{t("API keys")}</h2>
        {error !== undefined ? <Failed error={error} again={again} /> : !value ? <Loading what={t("the keys")} /> : value.keys.length === 0
          ? <Empty title={t("There is no API key.")}>{service.at("api-keys") && <p><a href={href(["rows", "api-keys"])}>{t("Make one")}</a></p>}</Empty>
          : <Keys limits={value} />}
      </section>
      {uses && (
        <section aria-labelledby="deprecated">
          <h2 id="deprecated">{t("What is deprecated and still used")}</h2>
          <List service={service} place={uses} query={new URLSearchParams()} few />
        </section>
      )}
    </>
  );
}

function Keys({ limits }: { limits: Limits }) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={t("Table of API keys")}>
      <table>
        <caption class="hidden">{t("API keys")}</caption>
        <thead><tr><th scope="col">{t("Client")}</th><th scope="col">{t("Key")}</th><th scope="col">{t("State")}</th><th scope="col">{t("Left now")}</th><th scope="col">{t("Last used")}</th><th scope="col">{t("Expires")}</th></tr></thead>
        <tbody>
          {limits.keys.map((one) => (
            <tr key={one.id}>
              <th scope="row"><a href={href(["rows", "api-keys", String(one.id)])}>{one.client}</a></th>
              <td><code>{one.prefix}…</code></td>
              <td><State of={one.revoked ? "revoked" : one.expires && new Date(one.expires) < new Date() ? "expired" : "active"} /></td>
              <td>{one.remaining === undefined ? <Nothing /> : <Left of={limits.count} left={one.remaining} />}</td>
              <td>{one.last_used ? <Time value={one.last_used} /> : <span class="muted">{t("never")}</span>}</td>
              <td>{one.expires ? <Time value={one.expires} /> : <span class="muted">{t("never")}</span>}</td>
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
      <span class="figure">{t("{0} of {1}", left.toLocaleString(locale()), count.toLocaleString(locale()))}</span>
    </span>
  );
}

/** A time in words: "a minute", "10 seconds". */
function words(ms: number): string {
  const units: [number, Text, Text][] = [
    [86_400_000, "a day", "{0} days"], [3_600_000, "an hour", "{0} hours"], [60_000, "a minute", "{0} minutes"], [1_000, "a second", "{0} seconds"], [1, "a millisecond", "{0} milliseconds"],
  ];
  const [size, one, many] = units.find(([size]) => ms >= size && ms % size === 0) ?? units.at(-1)!;
  return tn(ms / size, one, many);
}

/** The state of a key. */
const State = ({ of }: { of: "revoked" | "expired" | "active" }) => <Badge name={of} label={t(of)} />;
