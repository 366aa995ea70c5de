// The control for a field that has the address of a file: it is uploaded when it is chosen, and
// the row gets it with the rest of the form. An upload can be paused, and one that broke off
// goes on when the same file is chosen again.
import { useEffect, useRef, useState } from "preact/hooks";
import { Files, type Upload as Sending } from "client/files";
import { ApiError, client } from "../api/client";
import { within } from "../api/settings";
import { reason } from "../parts/say";
import type { ControlProps } from "./control";
import { locale, t } from "../texts/text";

interface Progress { file: File; sent: number; state: "sends" | "paused" | "broken" }

export function Upload({ field, id, draft, invalid, about, required, onChange }: ControlProps) {
  const rule = field.file!;
  const [said, say] = useState("");
  const [progress, show] = useState<Progress>();
  const sending = useRef<Sending>();
  useEffect(() => () => sending.current?.pause(), []); // what has arrived of it stays for a day

  async function take(file: File | undefined): Promise<void> {
    if (!file) return;
    await sending.current?.stop().catch(() => {}); // it goes by itself
    if (file.size > rule.max_size) return say(t("{0} has {1}, and {2} are allowed.", file.name, bytes(file.size), bytes(rule.max_size)));
    say(t("Uploads {0}…", file.name));
    show({ file, sent: 0, state: "sends" });
    const shelf = `console.upload ${rule.for} ${file.name} ${file.size} ${file.lastModified}`;
    const upload = new Files(client).begin(file, {
      for: rule.for, id: sessionStorage.getItem(shelf) ?? "",
      onProgress: (sent) => {
        sessionStorage.setItem(shelf, upload.id);
        if (sending.current === upload && !upload.paused) show({ file, sent, state: "sends" });
      },
    });
    sending.current = upload;
    try {
      const { url } = await upload.done;
      sessionStorage.removeItem(shelf);
      if (sending.current !== upload) return;
      sending.current = undefined;
      onChange(url);
      say(t("{0} is uploaded: it is the row's once the form is saved.", file.name));
      show(undefined);
    } catch (err) {
      const known = err instanceof ApiError && err.status >= 400 && err.status < 500;
      const was = sessionStorage.getItem(shelf);
      if (known) sessionStorage.removeItem(shelf);
      else if (upload.id) sessionStorage.setItem(shelf, upload.id);
      if (sending.current !== upload) return;
      sending.current = undefined;
      if (known && err.status === 404 && was) return take(file); // it was removed meanwhile
      say(reason(err));
      show(known ? undefined : { file, sent: 0, state: "broken" });
    }
  }

  function stop(): void {
    const upload = sending.current;
    sending.current = undefined;
    show(undefined);
    say("");
    void upload?.stop().catch(() => {}); // it goes by itself
  }

  return (
    <div class="upload">
      {draft !== "" && <Shown address={draft} picture={(rule.types ?? []).some((type) => type.startsWith("image/"))} variant={rule.variants?.[0]?.name} />}
      <input id={id} type="file" accept={(rule.types ?? []).join(",") || undefined} aria-invalid={invalid || undefined} aria-describedby={about}
        aria-required={required || undefined} onChange={(event) => void take(event.currentTarget.files?.[0])} />
      {progress && (
        <div class="uploading">
          <progress max={progress.file.size} value={progress.sent} aria-label={progress.file.name} />
          <span class="muted figure">{t("{0} of {1}", bytes(progress.sent), bytes(progress.file.size))}</span>
          {progress.state === "sends" && <button type="button" onClick={() => { sending.current?.pause(); show({ ...progress, state: "paused" }); }}>{t("Pause")}</button>}
          {progress.state === "paused" && <button type="button" onClick={() => { sending.current?.resume(); show({ ...progress, state: "sends" }); }}>{t("Go on")}</button>}
          {progress.state === "broken" && <button type="button" onClick={() => void take(progress.file)}>{t("Try again")}</button>}
          <button type="button" onClick={stop}>{t("Stop")}</button>
        </div>
      )}
      {rule.elsewhere && (
        <input aria-label={t("Address of {0}", field.label ?? field.name)} name={field.name} value={draft} autocomplete="off" placeholder={t("or an address of another server")}
          onInput={(event) => onChange(event.currentTarget.value)} />
      )}
      {draft !== "" && <button type="button" onClick={() => { onChange(""); say(""); }}>{t("Remove")}</button>}
      <span role="status">{said}</span>
    </div>
  );
}

/** A number of bytes in words: 1.5 MB. */
export function bytes(count: number): string {
  const [unit, size] = count < 1e6 ? ["kilobyte", 1e3] as const : count < 1e9 ? ["megabyte", 1e6] as const : ["gigabyte", 1e9] as const;
  return new Intl.NumberFormat(locale(), { style: "unit", unit, maximumFractionDigits: 1 }).format(count / size);
}

/** The file that the field has: a small picture, or a link. Pictures of other servers are not loaded. */
function Shown({ address, picture, variant }: { address: string; picture: boolean; variant: string | undefined }) {
  const own = /^\/api\/files\/[a-z2-7]{26}$/.test(address);
  if (!own) return <span>{address}</span>;
  if (!picture) return <a href={within(address)}>{t("Download")}</a>;
  return <img src={within(address) + (variant ? `?variant=${variant}` : "")} alt={t("The picture that the row has")} />;
}
