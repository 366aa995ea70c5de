// The control for a foreign key: an id, which is found by what the row is called.
import { useEffect, useState } from "preact/hooks";
import { Rows } from "../api/client";
import { text, type Members } from "../api/json";
import { oneOf, verb } from "../api/service";
import { nameOf } from "../rows/place";
import type { ControlProps } from "./control";
import { t } from "../texts/text";

export function Reference({ service, field, id, draft, invalid, about, required, onChange }: ControlProps) {
  const target = service.entity(field.to);
  const searches = target && !target.under && verb(target, "list") && (target.search ?? []).length > 0;
  const [found, show] = useState<Members[]>([]);
  const words = /^\d*$/.test(draft) ? "" : draft;
  useEffect(() => {
    if (!searches || words === "") return;
    const abort = new AbortController();
    const wait = setTimeout(() => {
      const fields = [...new Set([target.id, target.key, target.title])];
      new Rows(target.path, target).list({ search: words, limit: 8, fields, signal: abort.signal }).then(({ rows }) => show(rows), () => {});
    }, 250);
    return () => { clearTimeout(wait); abort.abort(); };
  }, [words]);
  return (
    <>
      <input id={id} name={field.name} value={draft} autocomplete="off" list={searches ? `${id}-found` : undefined}
        aria-invalid={invalid || undefined} aria-describedby={about} aria-required={required || undefined}
        placeholder={searches ? t("id, or words of the {0}", oneOf(target)) : "id"}
        onInput={(event) => onChange(event.currentTarget.value)} />
      {searches && (
        <datalist id={`${id}-found`}>
          {found.map((row) => <option key={text(row[target.id])} value={text(row[target.id])}>{nameOf(target, row)}</option>)}
        </datalist>
      )}
    </>
  );
}
