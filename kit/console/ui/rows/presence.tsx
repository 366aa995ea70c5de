// Who else looks at a row, while its page is in sight, and what they say of themselves.
import { useEffect, useState } from "preact/hooks";
import { Presence } from "client/presence";
import { client, Rows } from "../api/client";
import { text, type Members } from "../api/json";
import { labelOf, type Entity, type Field, type Service } from "../api/service";
import { nameOf } from "./place";
import { t } from "../texts/text";

/** A member, with the name of v1 or v2 for its user. */
type Member = { id: string; user_id?: Members[string]; userId?: Members[string]; state: Members };

export function Lookers({ service, entity, id }: { service: Service; entity: Entity; id: string }) {
  const [members, show] = useState<readonly Member[]>([]);
  const [names, name] = useState<Record<string, string>>({});
  useEffect(() => {
    const presence = new Presence<Member>(client, entity.path.slice(1), id);
    let leave: (() => void) | undefined;
    function look(): void {
      if (document.hidden) leave = void leave?.();
      else leave ??= presence.subscribe(() => show((presence.error ? [] : presence.getSnapshot() ?? []).filter((one) => one.id !== presence.me)));
    }
    look();
    document.addEventListener("visibilitychange", look);
    return () => { document.removeEventListener("visibilitychange", look); leave?.(); };
  }, [entity.name, id]);

  const users = service.entity("User");
  const unknown = [...new Set(members.map(userOf))].filter((one) => one !== "" && !(one in names)).join();
  useEffect(() => {
    if (unknown === "" || !users) return;
    const fields = [...new Set([users.id, users.title])];
    new Rows(users.path, users).list({ where: { [users.id]: unknown.split(",") }, fields, limit: 100 }).then(
      ({ rows }) => name((known) => ({ ...known, ...Object.fromEntries(rows.map((row) => [text(row[users.id]), nameOf(users, row)])) })),
      () => {}, // their ids are shown
    );
  }, [unknown]);

  if (members.length === 0) return null;
  return (
    <ul class="lookers" aria-label={t("Looking at this row, too")}>
      {members.map((one) => (
        <li key={one.id} class="badge">
          {userOf(one) === "" ? t("somebody") : names[userOf(one)] ?? `${users?.label ?? ""} ${userOf(one)}`}
          {said(entity.presence!.state, one.state).map((words) => <span key={words} class="muted"> {words}</span>)}
        </li>
      ))}
    </ul>
  );
}

const userOf = (one: Member): string => text(one.user_id ?? one.userId);

/** What is more than the zero of its kind. */
const said = (fields: Field[], state: Members): string[] =>
  fields.filter((one) => ![null, undefined, false, 0, ""].includes(state[one.name] as null)).map((one) => (state[one.name] === true ? labelOf(one) : `${labelOf(one)} ${text(state[one.name])}`));
