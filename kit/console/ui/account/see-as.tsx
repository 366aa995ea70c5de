// To see as another: the button that begins it, and the bar that says so while it lasts.
import { useEffect, useState } from "preact/hooks";
import { client } from "../api/client";
import { seeing, type Seeing } from "../api/seeing";
import type { Service } from "../api/service";
import { Icon } from "../parts/icon";
import { reason, say } from "../parts/say";
import { go, href } from "../router";
import { t, tx } from "../texts/text";

/** Whether the caller may see as another. */
export const maySee = (service: Service): boolean =>
  !seeing.now && service.manifest.viewer.role === "admin" && (service.manifest.operations ?? []).some((one) => one.id === "seeAs");

/** Begins to see as the user with the e-mail address, or as any user with the role. */
export function See({ as, who, children }: { as: { email: string } | { role: string }; who: string; children: string }) {
  const [busy, work] = useState(false);

  async function see(): Promise<void> {
    work(true);
    try {
      const { body } = await client.call({ method: "POST", path: "/auth/see-as", body: as });
      const { token, session, role, expiresIn } = body as { token: string; session: string; role: string; expiresIn: number };
      go(href([]));
      seeing.begin({ token, session, role, who, user: "email" in as, until: Date.now() + expiresIn * 1000 });
    } catch (err) {
      say(reason(err), true);
      work(false);
    }
  }

  return <button type="button" onClick={see} disabled={busy}><Icon name="eye" />{children}</button>;
}

/** Begins to see what callers do who have not signed in. */
export const SeeAsNobody = () => (
  <button type="button" onClick={() => { go(href([])); seeing.begin({ token: "", session: "", who: "", role: "", user: false, until: Infinity }); }}>
    <Icon name="eye" />{t("See as nobody")}
  </button>
);

/** Ends it, for the service, too. */
async function end(): Promise<void> {
  const was = seeing.end();
  if (!was?.token) return;
  try {
    await client.call({ method: "DELETE", path: `/auth/sessions/${encodeURIComponent(was.session)}` });
  } catch (err) {
    say(t("The token may be good until it expires: {0}", reason(err)), true);
  }
}

/** Says above every page as whom it is seen. */
export function SeeingBar({ as: one }: { as: Seeing }) {
  const [now, tick] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => {
      tick(Date.now());
      if (Date.now() < one.until) return;
      seeing.end();
      say(t("It was seen as another for ten minutes. You are yourself again."));
    }, 1000);
    return () => clearInterval(timer);
  }, [one]);
  const left = Math.max(0, Math.round((one.until - now) / 1000));
  return (
    <div class="seeing" role="region" aria-label={t("Seeing as another")}>
      <p role="status"><Icon name="eye" /><span>{!one.token ? t("You see what callers do who have not signed in.") : tx(one.user ? "You see as {0}, {1}. Nothing can be changed." : "You see as {0}. Nothing can be changed.", <b>{one.who}</b>, one.role.replace(/_/g, " "))}</span></p>
      {one.token && <span class="figure" aria-hidden="true">{Math.floor(left / 60)}:{String(left % 60).padStart(2, "0")}</span>}
      <button type="button" onClick={end}>{t("End")}</button>
    </div>
  );
}
