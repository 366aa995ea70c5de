// The address of a page says all that it shows, so that a view is a link.
import { useEffect, useState } from "preact/hooks";
import { root } from "./api/settings";

export interface Route { path: string[]; query: URLSearchParams }

const base = new URL("console", root).pathname;
const listeners = new Set<() => void>();
let shown = read();

function read(): Route {
  const rest = location.pathname.slice(base.length).replace(/^\/+|\/+$/g, "");
  return { path: rest === "" ? [] : rest.split("/").map(decodeURIComponent), query: new URLSearchParams(location.search) };
}

/** The address of a page of the console. */
export function href(path: string[], query?: URLSearchParams): string {
  return [base, ...path.map(encodeURIComponent)].join("/") + (query && query.size > 0 ? "?" + query : "");
}

/** Shows another page. With replace the browser's way back skips the present one. */
export function go(to: string, replace = false): void {
  if (replace) history.replaceState(null, "", to);
  else history.pushState(null, "", to);
  changed();
  if (!replace) scrollTo(0, 0);
}

function changed(): void {
  shown = read();
  for (const listener of listeners) listener();
}

export function useRoute(): Route {
  const [, again] = useState({});
  useEffect(() => {
    const listener = () => again({});
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
  return shown;
}

/** Has links of the console change the page without loading it anew. */
export function follow(): void {
  addEventListener("popstate", changed);
  document.addEventListener("click", (event) => {
    const link = (event.target as Element).closest?.("a");
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!link || !plain || event.defaultPrevented || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
    if (link.pathname !== base && !link.pathname.startsWith(base + "/") || link.pathname.includes("/assets/")) return;
    if (link.hash && link.pathname === location.pathname) return;
    event.preventDefault();
    go(link.pathname + link.search);
  });
}
