// The fields of a form, with what was found at each.
import type { Detail } from "../api/client";
import { labelOf, type Field, type Service } from "../api/service";
import { begin, type Draft, type Drafts } from "./draft";
import { Control } from "./control";
import { t } from "../texts/text";

interface Props {
  service: Service;
  fields: Field[];
  drafts: Drafts;
  findings: readonly Detail[];
  required: (field: Field) => boolean;
  onChange: (drafts: Drafts) => void;
  /** The path of what the fields lie in: "items[0]." */
  at?: string;
}

export function Fieldset({ service, fields, drafts, findings, required, onChange, at = "" }: Props) {
  const set = (name: string) => (value: Draft) => onChange({ ...drafts, [name]: value });
  return (
    <div class="form-fields">
      {fields.map((one) => {
        const path = at + one.name;
        const found = findings.filter((finding) => finding.field === path || (one.kind !== "objects" && finding.field.startsWith(path + "[")));
        const draft = drafts[one.name] ?? "";
        if (one.kind === "objects") {
          return <Objects key={one.name} service={service} field={one} drafts={Array.isArray(draft) ? draft : []} findings={findings} path={path} onChange={set(one.name)} />;
        }
        const id = `field-${path}`;
        const notes = [about(one) && `${id}-about`, found.length > 0 && `${id}-found`].filter(Boolean).join(" ") || undefined;
        const needed = required(one);
        return (
          <div key={one.name} class={one.long || one.kind === "json" ? "form-field wide" : "form-field"}>
            <label for={id}>{labelOf(one)}{needed && <span class="needed"> {t("required")}</span>}</label>
            <Control service={service} field={one} id={id} draft={String(draft)} invalid={found.length > 0} about={notes} required={needed} onChange={set(one.name)} />
            {about(one) && <p class="hint" id={`${id}-about`}>{about(one)}</p>}
            {found.length > 0 && <p class="finding" id={`${id}-found`}>{found.map((finding) => finding.message).join("; ")}</p>}
          </div>
        );
      })}
    </div>
  );
}

/** The description of a field, unless it says no more than its label after an article. */
const about = (one: Field): string => {
  const [, ...words] = (one.description ?? "").toLowerCase().split(" ");
  return words.join(" ") === `${labelOf(one).toLowerCase()}.` ? "" : one.description ?? "";
};

/** Rows within a row, such as the items of an order. */
function Objects({ service, field, drafts, findings, path, onChange }: {
  service: Service; field: Field; drafts: Drafts[]; findings: readonly Detail[]; path: string; onChange: (drafts: Draft) => void;
}) {
  const members = field.members ?? [];
  const found = findings.filter((one) => one.field === path);
  return (
    <fieldset class="objects" id={`field-${path}`}>
      <legend>{labelOf(field)}</legend>
      {field.description && <p class="hint">{field.description}</p>}
      {found.map((one) => <p key={one.message} class="finding">{one.message}</p>)}
      {drafts.map((draft, i) => (
        <div key={i} class="object">
          <Fieldset service={service} fields={members} drafts={draft} findings={findings} at={`${path}[${i}].`} required={(one) => one.create === "required"}
            onChange={(next) => onChange(drafts.map((old, j) => (i === j ? next : old)))} />
          <button type="button" aria-label={t("Take {0} {1} away", labelOf(field), i + 1)} onClick={() => onChange(drafts.filter((_, j) => i !== j))}>{t("Take away")}</button>
        </div>
      ))}
      <button type="button" onClick={() => onChange([...drafts, begin(members)])}>{t("Add")}</button>
    </fieldset>
  );
}
