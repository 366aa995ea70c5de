// Jobs: the same rows as any, with their states as tabs. It looks again by itself while
// the page is in sight and the reader has asked for that.
import { useEffect, useState } from "preact/hooks";
import { labelOf, type Service } from "../api/service";
import { Head } from "../parts/head";
import { Missing } from "../pages/page";
import { href, useRoute } from "../router";
import { seeing } from "../api/seeing";
import { Flow } from "./flow";
import { List } from "../rows/list";
import { t } from "../texts/text";

const often = 5_000;

export function Jobs({ service }: { service: Service }) {
  const { query } = useRoute();
  const [watching, watch] = useState(false);
  const [turn, next] = useState(0);
  useEffect(() => {
    if (!watching) return;
    const timer = setInterval(() => { if (!document.hidden) next((n) => n + 1); }, often);
    return () => clearInterval(timer);
  }, [watching]);
  const entity = service.at("jobs");
  if (!entity) return <Missing what={t("list of jobs")} />;
  const states = entity.fields?.find((one) => one.name === "status")?.values ?? [];
  const chosen = query.get("status") ?? "";
  const to = (status: string): string => href(["jobs"], new URLSearchParams(status && { status }));
  return (
    <>
      <Head title={t("Jobs")} about={entity.description}>
        <button type="button" aria-pressed={watching} onClick={() => watch(!watching)}>{watching ? t("Stop watching") : t("Watch")}</button>
      </Head>
      {service.manifest.viewer.role === "admin" && !seeing.now && <Flow turn={turn} />}
      <nav class="tabs" aria-label={t("States")}>
        {[{ name: "", label: t("All") }, ...states].map((one) => (
          <a key={one.name} href={to(one.name)} aria-current={chosen === one.name ? "page" : undefined}>{labelOf(one)}</a>
        ))}
      </nav>
      <List service={service} place={{ entity, api: entity.path, trail: ["jobs"], one: false }} query={query} here={["jobs"]} turn={turn} />
    </>
  );
}
