// Which fields are columns. The choice stands in the address, and is kept on this machine.
import { useRef } from "preact/hooks";
import { labelOf, type Entity } from "../api/service";
import { Pop, type Closing } from "../parts/pop";
import { go, href } from "../router";
import { columns, keep, showable } from "./query";
import { t } from "../texts/text";

export function Columns({ entity, here, query }: { entity: Entity; here: string[]; query: URLSearchParams }) {
  const panel = useRef<Closing>(null);
  const shown = columns(entity, query).map((one) => one.name);

  function show(event: Event): void {
    event.preventDefault();
    const chosen = new FormData(event.target as HTMLFormElement).getAll("column").map(String);
    if (chosen.length === 0) return;
    const ordered = [...shown.filter((name) => chosen.includes(name)), ...chosen.filter((name) => !shown.includes(name))];
    keep(entity, ordered);
    const next = new URLSearchParams(query);
    next.set("fields", ordered.join(","));
    panel.current?.close();
    go(href(here, next), true);
  }

  return (
    <Pop label={t("Columns")} handle={panel}>
      <form class="columns" onSubmit={show} key={shown.join()}>
        <div class="filter-fields">
          {(entity.fields ?? []).filter(showable).filter((one) => one.name !== entity.id).map((one) => (
            <label key={one.name} class="check"><input type="checkbox" name="column" value={one.name} checked={shown.includes(one.name)} />{labelOf(one)}</label>
          ))}
        </div>
        <footer><button class="primary">{t("Show")}</button></footer>
      </form>
    </Pop>
  );
}
