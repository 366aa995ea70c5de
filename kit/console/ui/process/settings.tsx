// The settings in force, and where each comes from. Secrets are not among what the
// service answers with.
import { useState } from "preact/hooks";
import { look } from "../api/client";
import { Head } from "../parts/head";
import { useLoad } from "../parts/load";
import { Empty, Failed, Loading } from "../parts/say";
import { t } from "../texts/text";

interface Setting { group: string; name: string; help: string; secret: boolean; value?: string; from?: string }
interface InForce { settings: Setting[]; unknown: string[]; warnings: string[] }

export function Settings() {
  const { value, error, again } = useLoad("settings", (signal) => look<InForce>("/settings", signal));
  const [words, search] = useState("");
  const [given, only] = useState(false);
  const shown = (value?.settings ?? []).filter((one) => (!given || one.from !== undefined && one.from !== "default") && fits(one, words));
  const groups = [...new Set(shown.map((one) => one.group))];
  return (
    <>
      <Head title={t("Settings")} about={t("What this process runs with. A flag goes before the environment, that before a file, and that before the default.")} />
      {error !== undefined ? <Failed error={error} again={again} /> : !value ? <Loading what={t("the settings")} /> : (
        <>
          {value.warnings.concat(value.unknown).map((one) => <p key={one} class="warning">{one}</p>)}
          <div class="bar">
            <form role="search" onSubmit={(event) => event.preventDefault()}>
              <input type="search" value={words} aria-label={t("Search settings")} placeholder={t("Search settings")} onInput={(event) => search(event.currentTarget.value)} />
            </form>
            <label class="check"><input type="checkbox" checked={given} onChange={(event) => only(event.currentTarget.checked)} />{t("Only those that were given")}</label>
          </div>
          {shown.length === 0 && <Empty title={given && words === "" ? t("Every setting is its default.") : t("No setting is like this.")} />}
          {groups.map((group) => <Group key={group} name={group} settings={shown.filter((one) => one.group === group)} />)}
        </>
      )}
    </>
  );
}

const fits = (one: Setting, words: string): boolean =>
  words.toLowerCase().split(/\s+/).every((word) => `${one.name} ${one.help} ${one.value ?? ""}`.toLowerCase().includes(word));

function Group({ name, settings }: { name: string; settings: Setting[] }) {
  return (
    <section>
      <h2>{name}</h2>
      <dl class="settings">
        {settings.map((one) => (
          <div key={one.name}>
            <dt><code>{one.name}</code><p>{one.help}</p></dt>
            <dd>
              {one.secret ? <span class="muted">{one.from ? t("secret, set") : t("secret, not set")}</span> : one.value ? <code>{one.value}</code> : <span class="muted">{t("not set")}</span>}
              {one.from && <span class={one.from === "default" ? "tag" : "badge ok"}>{one.from}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
