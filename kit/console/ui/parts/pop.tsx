// A panel below a button. Esc closes it, as does a press elsewhere.
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

export interface Closing { close: () => void }

export function Pop({ label, count = 0, handle, children }: { label: string; count?: number; handle: { current: Closing | null }; children: ComponentChildren }) {
  const panel = useRef<HTMLDetailsElement>(null);
  handle.current = { close: () => panel.current?.removeAttribute("open") };
  useEffect(() => {
    const outside = (event: Event): void => {
      if (panel.current?.open && !panel.current.contains(event.target as Node)) panel.current.open = false;
    };
    document.addEventListener("pointerdown", outside);
    return () => document.removeEventListener("pointerdown", outside);
  }, []);

  function escape(event: KeyboardEvent): void {
    if (event.key !== "Escape" || !panel.current?.open) return;
    panel.current.open = false;
    panel.current.querySelector("summary")?.focus();
  }

  return (
    <details class="pop" ref={panel} onKeyDown={escape}>
      <summary>{label}{count > 0 && <span class="count">{count}</span>}</summary>
      {children}
    </details>
  );
}
