// The control for a kind of field.
import { labelOf, type Field, type Service } from "../api/service";
import { Reference } from "./reference";
import { Upload } from "./upload";
import { t } from "../texts/text";

export interface ControlProps {
  service: Service;
  field: Field;
  id: string;
  draft: string;
  invalid: boolean;
  about: string | undefined;
  required: boolean;
  onChange: (draft: string) => void;
}

export function Control(props: ControlProps) {
  const { field, id, draft, invalid, about, required, onChange } = props;
  const common = {
    id, name: field.name, "aria-invalid": invalid || undefined, "aria-describedby": about, "aria-required": required || undefined,
    onInput: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  };
  if (field.file) return <Upload {...props} />;
  switch (field.kind) {
    case "bool":
      if (!field.nullable) {
        return <input {...common} type="checkbox" checked={draft === "true"} onInput={(event) => onChange(String(event.currentTarget.checked))} />;
      }
      return <Choice {...common} draft={draft} none={t("Not set")} values={[{ name: "true", label: t("Yes") }, { name: "false", label: t("No") }]} />;
    case "enum": return <Choice {...common} draft={draft} none={required ? t("Choose…") : t("Not set")} values={field.values ?? []} />;
    case "int": return <input {...common} value={draft} inputMode="numeric" autocomplete="off" />;
    case "float": case "money": return <input {...common} value={draft} inputMode="decimal" autocomplete="off" />;
    case "date": return <input {...common} type="date" value={draft} />;
    case "time": return <input {...common} type="datetime-local" step="1" value={draft} />;
    case "ref": return <Reference {...props} />;
    case "strings":
      if (field.values) return <Several {...props} />;
      return <textarea {...common} rows={3} value={draft} placeholder={t("one on each line")} />;
    case "json": return <textarea {...common} class="code" rows={6} value={draft} spellcheck={false} />;
  }
  if (field.long) return <textarea {...common} rows={6} value={draft} />;
  return <input {...common} type={typeOf(field)} value={draft} autocomplete={field.secret ? "new-password" : "off"} />;
}

/** Any of the values that there are. */
function Several({ field, id, draft, about, onChange }: ControlProps) {
  const chosen = draft.split("\n");
  const choose = (name: string, is: boolean): void => onChange(field.values!.map((one) => one.name).filter((one) => (one === name ? is : chosen.includes(one))).join("\n"));
  return (
    <div role="group" id={id} aria-label={labelOf(field)} aria-describedby={about}>
      {field.values!.map((one) => (
        <label key={one.name} class="check">
          <input type="checkbox" name={field.name} checked={chosen.includes(one.name)} onInput={(event) => choose(one.name, event.currentTarget.checked)} />
          <span>{labelOf(one)} <span class="hint">{one.description}</span></span>
        </label>
      ))}
    </div>
  );
}

function Choice({ draft, none, values, ...common }: { draft: string; none: string; values: NonNullable<Field["values"]>; [name: string]: unknown }) {
  return (
    <select {...common}>
      <option value="" selected={draft === ""}>{none}</option>
      {values.map((one) => <option key={one.name} value={one.name} selected={draft === one.name}>{labelOf(one)}</option>)}
    </select>
  );
}

function typeOf(field: Field): string {
  if (field.secret) return "password";
  switch (field.limits?.format) {
    case "email": return "email";
    case "url": case "uri": return "url";
  }
  return "text";
}
