// Two people changed a row: what each field was, what it is now, and what the reader
// meant. They choose, field by field.
import { useState } from "preact/hooks";
import { same, type Members } from "../api/json";
import { labelOf, type Field } from "../api/service";
import { Dialog } from "../parts/dialog";
import { digitsOf } from "./amount";
import { t } from "../texts/text";

export function Conflict({ fields, before, mine, now, onChoose, onClose }: {
  fields: Field[]; before: Members; mine: Members; now: Members; onChoose: (chosen: Members) => void; onClose: () => void;
}) {
  const differs = (one: Field): boolean => one.name in mine || !same(before[one.name], now[one.name]);
  const shown = fields.filter(differs);
  const contested = (one: Field): boolean => one.name in mine && !same(before[one.name], now[one.name]) && !same(mine[one.name], now[one.name]);
  const [keep, set] = useState<Record<string, boolean>>(() => Object.fromEntries(shown.map((one) => [one.name, one.name in mine])));

  const choose = (): void => onChoose(Object.fromEntries(shown.filter((one) => keep[one.name] && one.name in mine).map((one) => [one.name, mine[one.name]!])));

  return (
    <Dialog title={t("Changed meanwhile")} onClose={onClose}>
      <div class="dialog-body">
        <p>{t("Somebody saved this row while you were changing it. Choose what each field is to be.")}</p>
        <div class="scroll" tabIndex={0} role="region" aria-label={t("Both versions")}>
          <table class="conflict">
            <thead><tr><th scope="col">{t("Field")}</th><th scope="col">{t("As it is now")}</th><th scope="col">{t("Yours")}</th></tr></thead>
            <tbody>
              {shown.map((one) => (
                <tr key={one.name} class={contested(one) ? "contested" : undefined}>
                  <th scope="row">{labelOf(one)}</th>
                  <Choice name={one.name} label={t("{0}, now", labelOf(one))} value={digitsOf(one, now)} chosen={!keep[one.name]} onChoose={() => set({ ...keep, [one.name]: false })} />
                  {one.name in mine
                    ? <Choice name={one.name} label={t("{0}, yours", labelOf(one))} value={digitsOf(one, { ...now, ...mine })} chosen={keep[one.name]!} onChoose={() => set({ ...keep, [one.name]: true })} />
                    : <td class="muted">{t("unchanged by you")}</td>}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </div>
      <footer>
        <button type="button" onClick={onClose}>{t("Back to the form")}</button>
        <button type="button" class="primary" onClick={choose}>{t("Save what is chosen")}</button>
      </footer>
    </Dialog>
  );
}

function Choice({ name, label, value, chosen, onChoose }: { name: string; label: string; value: string; chosen: boolean; onChoose: () => void }) {
  return (
    <td>
      <label class="check">
        <input type="radio" name={`choose-${name}`} checked={chosen} onChange={onChoose} aria-label={label} />
        <span class="prose">{value || "—"}</span>
      </label>
    </td>
  );
}
