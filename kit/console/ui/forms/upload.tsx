// The control for a field that has the address of a file: it is uploaded when it is chosen, and
// the row gets it with the rest of the form.
import { useState } from "preact/hooks";
import { client } from "../api/client";
import { text, type Members } from "../api/json";
import { within } from "../api/settings";
import type { ControlProps } from "./control";
import { t } from "../texts/text";

export function Upload({ field, id, draft, invalid, about, required, onChange }: ControlProps) {
  const rule = field.file!;
  const [said, say] = useState("");
  const take = async (chosen: File | undefined): Promise<void> => {
    if (!chosen) return;
    if (chosen.size > rule.max_size) return say(t("{0} has {1} bytes, and {2} are allowed.", chosen.name, chosen.size, rule.max_size));
    say(t("Uploads {0}…", chosen.name));
    try {
      const answer = await client.call({ method: "POST", path: "/files", query: { for: rule.for, name: chosen.name }, content: chosen, keyed: true });
      onChange(text(client.row<Members>(answer, "file").url));
      say(t("{0} is uploaded: it is the row's once the form is saved.", chosen.name));
    } catch (err) {
      say(err instanceof Error ? err.message : String(err));
    }
  };
  return (
    <div class="upload">
      {draft !== "" && <Shown address={draft} picture={(rule.types ?? []).some((type) => type.startsWith("image/"))} variant={rule.variants?.[0]?.name} />}
      <input id={id} type="file" accept={(rule.types ?? []).join(",") || undefined} aria-invalid={invalid || undefined} aria-describedby={about}
        aria-required={required || undefined} onChange={(event) => void take(event.currentTarget.files?.[0])} />
      {rule.elsewhere && (
        <input aria-label={`Address of ${field.name}`} name={field.name} value={draft} autocomplete="off" placeholder={t("or an address of another server")}
          onInput={(event) => onChange(event.currentTarget.value)} />
      )}
      {draft !== "" && <button type="button" onClick={() => { onChange(""); say(""); }}>{t("Remove")}</button>}
      <span role="status">{said}</span>
    </div>
  );
}

/** The file that the field has: a small picture, or a link. Pictures of other servers are not loaded. */
function Shown({ address, picture, variant }: { address: string; picture: boolean; variant: string | undefined }) {
  const own = /^\/api\/files\/[a-z2-7]{26}$/.test(address);
  if (!own) return <span>{address}</span>;
  if (!picture) return <a href={within(address)}>{t("Download")}</a>;
  return <img src={within(address) + (variant ? `?variant=${variant}` : "")} alt={t("The picture that the row has")} />;
}
