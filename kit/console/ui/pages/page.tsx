// The page that the address names.
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Console } from "../app";
import { Sessions } from "../account/sessions";
import { Charts } from "../charts/page";
import { Jobs } from "../jobs/jobs";
import { Mailbox } from "../operate/mailbox";
import { Events } from "../operate/events";
import { Usage } from "../operate/limits";
import { Schema } from "../graph/schema";
import { EntityPage } from "../graph/entity";
import { Permissions } from "../graph/permissions";
import { Head } from "../parts/head";
import { Empty } from "../parts/say";
import { href, useRoute } from "../router";
import { Rows } from "../rows/rows";
import { Health } from "./health";
import { Migrations } from "../process/migrations";
import { Request, Requests } from "../process/requests";
import { Settings } from "../process/settings";
import { Home } from "./home";
import { t } from "../texts/text";

export function Page({ console: shown }: { console: Console }) {
  const { path } = useRoute();
  const here = path.join("/");
  const first = useRef(true);
  useLayoutEffect(() => { // a reader of the screen hears which page it is now, and a quick press of Tab goes on from there
    if (!first.current) document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
    first.current = false;
  }, [here]);
  const [part, ...rest] = path;
  switch (part) {
    case undefined: return <Home console={shown} />;
    case "rows": return <Rows service={shown.service} path={rest} />;
    case "new": return <Rows service={shown.service} path={rest} make />;
    case "jobs": return <Jobs service={shown.service} />;
    case "charts": return <Charts service={shown.service} id={rest[0]} />;
    case "sessions": return <Sessions />;
    case "requests": return rest[0] ? <Request key={rest[0]} id={rest[0]} /> : <Requests />;
    case "mailbox": return <Mailbox service={shown.service} id={rest[0]} />;
    case "events": return <Events service={shown.service} of={rest[0]} />;
    case "usage": return <Usage service={shown.service} />;
    case "settings": return <Settings />;
    case "migrations": return <Migrations />;
    case "health": return <Health admin={shown.service.manifest.viewer.role === "admin"} />;
    case "permissions": return <Permissions service={shown.service} />;
    case "schema": return rest[0] ? <EntityPage service={shown.service} name={rest[0]} /> : <Schema service={shown.service} />;
  }
  return <Missing what={t("page called {0}", here)} />;
}

export function Missing({ what }: { what: string }) {
  return (
    <>
      <Head title={t("Not found")} />
      <Empty title={t("There is no {0}.", what)}><p><a href={href([])}>{t("To the first page")}</a></p></Empty>
    </>
  );
}
