// What becomes of the rows of an entity, as it happens: the feed of its changes, which is
// asked for what is new while the page is in sight.
import { useEffect, useRef, useState } from "preact/hooks";
import { changesOf, type Change } from "../api/changes";
import { ApiError } from "../api/client";
import { same, text, type Members } from "../api/json";
import { field, labelOf, oneOf, slug, verb, worded, type Entity, type Service } from "../api/service";
import { Head } from "../parts/head";
import { Empty, reason } from "../parts/say";
import { Missing } from "../pages/page";
import { href } from "../router";
import { nameOf, placeOf } from "../rows/place";
import { showable } from "../rows/query";
import { Badge, Time } from "../rows/value";
import { t } from "../texts/text";

interface Event extends Change { fields: string[] }

/** What was heard of an entity, and from where it goes on. */
interface Heard { events: Event[]; since?: string; known: Map<string, Members> }

// What was heard since who sees it signed in, and of which entity last: it goes on when the reader comes back to the page.
const heard = new WeakMap<Service, { last?: string; of: Map<string, Heard> }>();

function hear(service: Service): { last?: string; of: Map<string, Heard> } {
  const all = heard.get(service) ?? { of: new Map() };
  heard.set(service, all);
  return all;
}

const often = 2_500;
const most = 200;

/** Entities whose changes can be followed. */
export const followed = (service: Service): Entity[] => service.entities.filter((one) => one.changes);

export function Events({ service, of }: { service: Service; of: string | undefined }) {
  const all = followed(service);
  const { last } = hear(service);
  const entity = of ? all.find((one) => slug(one) === of) : all.find((one) => one.name === last) ?? all[0];
  const [paused, pause] = useState(false);
  if (!entity) return <Missing what={of ? t("feed of changes of {0}", of) : t("entity whose changes can be followed")} />;
  return (
    <>
      <Head title={t("Events")} about={t("Rows that are made, changed and deleted, as it happens, by whichever program does it. You see those that you may read.")}>
        <button type="button" aria-pressed={paused} onClick={() => pause(!paused)}>{paused ? t("Go on") : t("Pause")}</button>
      </Head>
      <nav class="tabs" aria-label={t("Entities")}>
        {all.map((one) => <a key={one.name} href={href(["events", slug(one)])} aria-current={one === entity ? "page" : undefined}>{one.labels}</a>)}
      </nav>
      <Feed key={entity.name} service={service} entity={entity} paused={paused} />
    </>
  );
}

function Feed({ service, entity, paused }: { service: Service; entity: Entity; paused: boolean }) {
  const { of: all } = hear(service);
  const kept = useRef<Heard>(all.get(entity.name) ?? { events: [], known: new Map() }).current;
  const [events, show] = useState(kept.events);
  const [state, tell] = useState<"" | "on" | string>("");
  useEffect(() => {
    hear(service).last = entity.name;
    all.set(entity.name, kept);
  }, []);
  useEffect(() => {
    if (paused) return tell(t("Paused. What happens meanwhile is shown when it goes on."));
    const end = new AbortController();
    void follow(end.signal);
    return () => end.abort();
  }, [paused]);

  async function follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      let more = false;
      try {
        const heard = await changesOf(entity, { since: kept.since }, signal);
        kept.since = heard.token;
        more = heard.more;
        const news = heard.changes.map(told);
        if (news.length > 0) show(kept.events = [...news.reverse(), ...kept.events].slice(0, most));
        tell("on");
      } catch (err) {
        if (signal.aborted) return;
        if (err instanceof ApiError && err.status === 410) delete kept.since; // it is listened to from now on
        tell(t("{0}. It is asked again.", reason(err)));
      }
      if (!more) await pauseFor(often, signal);
    }
  }

  /** A change with the fields that are others than when the row was shown last. */
  function told(one: Change): Event {
    const id = text(one.id);
    const before = kept.known.get(id);
    const fields = before && one.row ? Object.keys(one.row).filter((name) => !same(before[name], one.row![name]) && interesting(entity, name)) : [];
    if (one.row) kept.known.set(id, one.row);
    return { ...one, fields };
  }

  return (
    <>
      <p class="listening" role="status"><span class={state === "on" ? "state ok" : "state"}>{state === "on" ? t("Listening.") : state || t("Connecting…")}</span></p>
      {events.length === 0 ? <Empty title={t("Nothing has happened yet.")}>
          <p>{t("A change of one of the {0} appears here within seconds.", worded(entity.labels))}</p>
          {verb(entity, "create") && <p><a href={href(["new", slug(entity)])}>{t("New {0}", oneOf(entity))}</a></p>}
        </Empty> : (
        <div role="log" aria-label={t("What happened to {0}", worded(entity.labels))}>
          <ol class="events">{events.map((one) => <One key={`${text(one.id)} ${one.at} ${one.type}`} entity={entity} event={one} />)}</ol>
        </div>
      )}
    </>
  );
}

function One({ entity, event: one }: { entity: Entity; event: Event }) {
  const to = one.row && placeOf(entity, one.row);
  const name = one.row ? nameOf(entity, one.row) : `${entity.label} ${text(one.id)}`;
  return (
    <li>
      <Time value={one.at} exact />
      <Badge name={one.type} label={t(one.type)} />
      <div>
        {to && one.type !== "deleted" ? <a href={href(["rows", ...to])}>{name}</a> : name}
        {one.fields.length > 0 && (
          <dl class="changed">
            {one.fields.map((member) => <div key={member}><dt>{labelOf(field(entity, member)!)}</dt><dd class="cut">{text(one.row![member]) || "—"}</dd></div>)}
          </dl>
        )}
      </div>
    </li>
  );
}

const interesting = (entity: Entity, name: string): boolean => {
  const one = field(entity, name);
  return one !== undefined && showable(one) && name !== entity.version && !/^updated_?at$/i.test(name);
};

/** Waits, and longer while the page is out of sight. */
function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      if (document.hidden && !signal.aborted) return;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", done);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    document.addEventListener("visibilitychange", done);
    signal.addEventListener("abort", done);
  });
}
