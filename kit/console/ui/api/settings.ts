// What the page says of the service before anything was asked.

const element = document.getElementById("console")!;
const given = element.dataset;

/** The address of the service, below whatever a proxy serves it at. */
export const root = new URL(given.root ?? "/", location.href);

export const settings = {
  element,
  name: given.name ?? "",
  api: given.api ?? "/api/v1",
  accounts: given.accounts !== undefined,
  explorer: given.explorer !== undefined,
  notices: given.notices ?? "",
};

/** The address of a path of the service. */
export function within(path: string): string {
  return new URL(path.replace(/^\//, ""), root).href;
}
