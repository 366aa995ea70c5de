// Who may do what, as a table: what a caller may do to the rows of each entity. A cell
// says in words what it stands for.
import { useState } from "preact/hooks";
import { maySee, See, SeeAsNobody } from "../account/see-as";
import { field, type Entity, type Service } from "../api/service";
import { Dialog } from "../parts/dialog";
import { Head } from "../parts/head";
import { Empty } from "../parts/say";
import { go, href, useRoute } from "../router";
import { t } from "../texts/text";

interface Cell { entity: Entity; verb: string; rows: string | undefined; says: string }

export function Permissions({ service }: { service: Service }) {
  const { query } = useRoute();
  const [explained, explain] = useState<Cell>();
  const callers = service.manifest.callers ?? [];
  const caller = query.get("as") ?? service.manifest.viewer.role ?? callers[0] ?? "";
  const roles = (field(service.entity("User") ?? { fields: [] }, "role")?.values ?? []).map((one) => one.name);
  const ruled = service.entities.filter((one) => (one.rules ?? []).length > 0);
  const common = ["read", "create", "update", "delete"].filter((verb) => ruled.some((one) => one.rules!.some((rule) => rule.verb === verb)));
  return (
    <>
      <Head title={t("Permissions")} about={t("What the policies of the schema let a caller do. Press a cell for the rule in words.")}>
        {callers.length > 1 && (
          <label class="inline">{t("As")}
            <select onChange={(event) => go(href(["permissions"], new URLSearchParams({ as: event.currentTarget.value })), true)}>
              {callers.map((one) => <option key={one} value={one} selected={one === caller}>{one}</option>)}
            </select>
          </label>
        )}
        {maySee(service) && roles.includes(caller) && <See as={{ role: caller }} who={t("the role {0}", caller.replace(/_/g, " "))}>{t("See as this role")}</See>}
        {maySee(service) && caller === "anonymous" && <SeeAsNobody />}
      </Head>
      {ruled.length === 0 ? <Empty title={t("No rule is shown to you.")} /> : (
        <div class="scroll" tabIndex={0} role="region" aria-label={t("Table of permissions")}>
          <table class="matrix">
            <caption class="hidden">{t("What {0} may do", caller)}</caption>
            <thead><tr><th scope="col">{t("Rows")}</th>{common.map((one) => <th key={one} scope="col">{one}</th>)}<th scope="col">{t("Others")}</th></tr></thead>
            <tbody>
              {ruled.map((entity) => {
                const cell = (verb: string): Cell => {
                  const rule = entity.rules!.find((one) => one.verb === verb);
                  return { entity, verb, rows: rule?.rows?.[caller], says: rule?.says ?? "" };
                };
                const others = entity.rules!.map((one) => one.verb).filter((verb) => !common.includes(verb));
                return (
                  <tr key={entity.name}>
                    <th scope="row"><a href={href(["schema", entity.name])}>{entity.labels}</a></th>
                    {common.map((verb) => <td key={verb}>{entity.rules!.some((one) => one.verb === verb) ? <Mark cell={cell(verb)} onExplain={explain} /> : <span class="muted none">·<span class="hidden">{t("there is no such operation")}</span></span>}</td>)}
                    <td class="marks">{others.map((verb) => <Mark key={verb} cell={cell(verb)} named onExplain={explain} />)}</td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      )}
      {explained && (
        <Dialog title={`${explained.verb}: ${explained.entity.labels}`} onClose={() => explain(undefined)}>
          <div class="dialog-body">
            <p><b>{caller}</b>: {explained.rows === undefined ? t("may not.") : explained.rows === "all" ? t("may, to all rows.") : t("may where {0}.", explained.rows)}</p>
            {explained.says && <p class="muted">{t("The rule: {0}.", explained.says)}</p>}
          </div>
        </Dialog>
      )}
    </>
  );
}

function Mark({ cell, named = false, onExplain }: { cell: Cell; named?: boolean; onExplain: (cell: Cell) => void }) {
  const [tone, word] = cell.rows === undefined ? ["no", t("none")] : cell.rows === "all" ? ["yes", t("all")] : ["some", t("some")];
  return (
    <button type="button" class={`mark ${tone}`} onClick={() => onExplain(cell)}>
      <span class="hidden">{cell.entity.labels}, </span><span class={named ? undefined : "verb"}>{cell.verb.replace(/_/g, " ")} </span>{word}
    </button>
  );
}
