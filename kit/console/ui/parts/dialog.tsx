// A dialog above the page. The browser's own keeps the focus in it and closes it by Esc.
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { t } from "../texts/text";

export function Dialog({ title, onClose, children }: { title: string; onClose: () => void; children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const opener = document.activeElement as HTMLElement | null;
    dialog.current?.showModal();
    return () => opener?.focus?.();
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={onClose} onCancel={onClose}>
      <header>
        <h2 id={id}>{title}</h2>
        <button type="button" class="quiet" aria-label={t("Close")} onClick={onClose}>×</button>
      </header>
      {children}
    </dialog>
  );
}

export function Confirm({ title, verb, busy, onYes, onClose, children }: {
  title: string; verb: string; busy?: boolean; onYes: () => void; onClose: () => void; children: ComponentChildren;
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="dialog-body">{children}</div>
      <footer>
        <button type="button" onClick={onClose}>{t("Cancel")}</button>
        <button type="button" class="danger" disabled={busy} onClick={onYes}>{verb}</button>
      </footer>
    </Dialog>
  );
}
