// What a person is warned of before changing the account that they are signed in with.
import { text, type Members } from "../api/json";
import type { Entity, Service } from "../api/service";
import { t } from "../texts/text";

/** Whether the row is the account of the one who signed in. */
export const isOwn = (service: Service, entity: Entity, row: Members): boolean =>
  entity.name === "User" && service.me !== undefined && text(row[entity.id]) === String(service.me);

export const Own = ({ ends = false }: { ends?: boolean }) => (
  <p class="warning" role="note"><b>{t("This is your own account.")}</b> {ends ? t("You are signed out, and another admin has to let you in again.") : t("What you take from it you may be unable to give back.")}</p>
);
