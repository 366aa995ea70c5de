// The way around: beside the page on a wide screen, behind a button on a narrow one.
import { useEffect, useState } from "preact/hooks";
import type { Console } from "../app";
import { seeing } from "../api/seeing";
import { labelOf, slug, verb, type Entity } from "../api/service";
import { settings, within } from "../api/settings";
import { drawn } from "../charts/page";
import { followed } from "../operate/events";
import { Icon, type IconName } from "../parts/icon";
import { href, useRoute } from "../router";
import { Switch } from "../texts/switch";
import { t } from "../texts/text";

// Entities that every service has, and what they look like here.
const operated: Record<string, IconName> = { User: "people", Job: "jobs", APIKey: "key" };
// Those that have a page of their own, and so no entry among the rows.
const own = ["Job", "Email", "DeprecatedUse"];

interface Entry { label: string; path: string[]; icon: IconName }

export function Nav({ console: shown, onLeave, onEnter }: { console: Console; onLeave: () => void; onEnter: () => void }) {
  const { path } = useRoute();
  const [open, set] = useState(false);
  const here = path.join("/");
  useEffect(() => set(false), [here]);
  const { service, viewer } = shown;
  const listed = service.entities.filter((one) => !one.under && verb(one, "list"));
  const entry = (one: Entity): Entry => ({ label: one.labels, path: ["rows", slug(one)], icon: operated[one.name] ?? "rows" });
  const admin = service.manifest.viewer.role === "admin";
  const jobs = listed.some((one) => one.name === "Job");
  const groups: { title: string; entries: Entry[] }[] = [
    { title: t("Data"), entries: listed.filter((one) => !operated[one.name] && !own.includes(one.name)).map(entry) },
    { title: t("Figures"), entries: drawn(service).map((one) => ({ label: labelOf(one), path: ["charts", one.id], icon: "chart" as const })) },
    {
      title: t("Operate"),
      entries: [
        ...(jobs ? [{ label: t("Jobs"), path: ["jobs"], icon: "jobs" as const }] : []),
        ...(listed.some((one) => one.name === "Email") ? [{ label: t("Mailbox"), path: ["mailbox"], icon: "mail" as const }] : []),
        ...(viewer && followed(service).length > 0 ? [{ label: t("Events"), path: ["events"], icon: "bell" as const }] : []),
        ...listed.filter((one) => operated[one.name] && !own.includes(one.name)).map(entry),
        ...(admin ? [{ label: t("Usage"), path: ["usage"], icon: "gauge" as const }] : []),
        ...(viewer && !seeing.now ? [{ label: t("My sessions"), path: ["sessions"], icon: "session" as const }] : []),
      ],
    },
    {
      title: t("Process"),
      entries: [
        { label: t("Health"), path: ["health"], icon: "health" },
        ...(admin ? [
          { label: t("Requests"), path: ["requests"], icon: "trace" as const },
          { label: t("Settings"), path: ["settings"], icon: "sliders" as const },
          { label: t("Migrations"), path: ["migrations"], icon: "layers" as const },
        ] : []),
      ],
    },
    {
      title: t("Service"),
      entries: [
        { label: t("Schema"), path: ["schema"], icon: "graph" },
        { label: t("Permissions"), path: ["permissions"], icon: "shield" },
      ],
    },
  ];
  return (
    <header class={open ? "side open" : "side"}>
      <div class="side-top">
        <a class="brand" href={href([])}>{settings.name} <span>{t("console")}</span></a>
        <button type="button" class="quiet menu" aria-expanded={open} aria-controls="nav" onClick={() => set(!open)}>
          <Icon name="menu" /><span class="hidden">{t("Menu")}</span>
        </button>
      </div>
      <div id="nav" class="side-rest">
        <nav aria-label={t("Console")}>
          {groups.filter((one) => one.entries.length > 0).map((group) => (
            <section key={group.title}>
              <h2>{group.title}</h2>
              <ul>
                {group.entries.map((one) => (
                  <li key={one.label}>
                    <a href={href(one.path)} aria-current={current(here, one.path) ? "page" : undefined}><Icon name={one.icon} />{one.label}</a>
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </nav>
        <div class="who">
          {viewer && (
            <div class="me">
              <p><b>{viewer.name}</b><span>{viewer.email}</span></p>
              {!seeing.now && <button type="button" class="quiet" onClick={onLeave} title={t("Sign out")}><Icon name="out" /><span class="hidden">{t("Sign out")}</span></button>}
            </div>
          )}
          {!viewer && !seeing.now && settings.accounts && <button type="button" onClick={onEnter}>{t("Sign in")}</button>}
          <p class="elsewhere">
            <a href={within(`${service.manifest.base}/docs`)}>{t("Reference")}</a>
            {settings.explorer && <a href={within("/graphiql")}>{t("GraphiQL")}</a>}
            <a href={settings.notices}>{t("Licences")}</a>
          </p>
          <Switch />
        </div>
      </div>
    </header>
  );
}

const current = (here: string, path: string[]): boolean => here === path.join("/") || here.startsWith(path.join("/") + "/");
