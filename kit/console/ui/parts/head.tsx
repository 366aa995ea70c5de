// The head of a page: where one is, what it is called, and what can be done there.
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { settings } from "../api/settings";
import { href } from "../router";
import { t } from "../texts/text";

export interface Crumb { label: string; path: string[] }

export function Head({ title, crumbs = [], badge, about, children }: {
  title: string; crumbs?: Crumb[]; badge?: ComponentChildren; about?: ComponentChildren; children?: ComponentChildren;
}) {
  useEffect(() => { document.title = `${title} · ${settings.name}`; }, [title]);
  return (
    <header class="head">
      {crumbs.length > 0 && (
        <nav aria-label={t("Where this is")} class="crumbs">
          {crumbs.map((one) => <span key={one.path.join("/")}><a href={href(one.path)}>{one.label}</a></span>)}
        </nav>
      )}
      <div class="head-line">
        <h1 tabIndex={-1}>{title}</h1>
        {badge}
        <div class="head-actions">{children}</div>
      </div>
      {about && <p class="about">{about}</p>}
    </header>
  );
}
