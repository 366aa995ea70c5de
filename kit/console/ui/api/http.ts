// One request to the service. The browser sends the cookie of the session, which no
// script can read.
import { list, members, parse, print, text, type Value } from "./json";
import { settings, within } from "./settings";

export interface Finding { field: string; message: string }

/** An answer of the service that says no, or that it gave none (status 0). */
export class Refusal extends Error {
  constructor(
    readonly status: number, message: string,
    readonly code = "", readonly findings: Finding[] = [], readonly request = "", readonly retry = "",
  ) { super(message); }
}

export interface Answer { status: number; body: Value; tag: string; location: string }

export interface Options {
  query?: URLSearchParams;
  body?: Value;
  /** The ETag of the version that is meant. */
  match?: string;
  /** The Idempotency-Key of a request that may be sent again. */
  key?: string;
  signal?: AbortSignal;
}

/** What is called when the service says that the sign-in has ended. */
export const session = { ended: (): void => {} };

/** Calls an operation of the API. The path is relative to its version. */
export async function call(method: string, path: string, options: Options = {}): Promise<Answer> {
  const headers: Record<string, string> = { Accept: "application/json" };
  if (options.body !== undefined) headers["Content-Type"] = "application/json";
  if (options.match) headers["If-Match"] = options.match;
  if (options.key) headers["Idempotency-Key"] = options.key;
  const response = await send(settings.api + path + asked(options.query), {
    method, headers, signal: options.signal ?? null, body: options.body === undefined ? null : print(options.body),
  });
  const body = await read(response);
  if (!response.ok) throw refused(response, body);
  return {
    status: response.status, body,
    tag: response.headers.get("ETag") ?? "", location: response.headers.get("Location") ?? "",
  };
}

/** Fetches what is no JSON, such as CSV. */
export async function file(path: string, query: URLSearchParams, accept: string): Promise<Blob> {
  const response = await send(settings.api + path + asked(query), { headers: { Accept: accept } });
  if (!response.ok) throw refused(response, await read(response));
  return response.blob();
}

/** Asks a path of the service that is of no API, and returns its answer whatever the status. */
export async function ask(path: string): Promise<{ status: number; body: Value }> {
  const response = await send(within(path), { headers: { Accept: "application/json" } });
  return { status: response.status, body: await read(response) };
}

/** A key for a request that is sent once more where its answer was lost. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function send(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, { credentials: "same-origin", ...init });
  } catch (err) {
    if (err instanceof DOMException && err.name === "AbortError") throw err;
    throw new Refusal(0, "The service does not answer. Is it running, and is this machine online?");
  }
}

async function read(response: Response): Promise<Value> {
  const body = await response.text();
  if (body === "" || !(response.headers.get("Content-Type") ?? "").includes("json")) return null;
  try {
    return parse(body);
  } catch {
    throw new Refusal(response.status, "The service answered with JSON that can't be read.");
  }
}

const asked = (query?: URLSearchParams): string => (query && query.size > 0 ? "?" + query : "");

// The errors of each convention have their facts in other places.
function refused(response: Response, body: Value): Refusal {
  const whole = members(body);
  const error = typeof whole.error === "object" ? members(whole.error) : whole;
  const code = text(error.code) || text(whole.error);
  const findings = list(error.details).map((one) => ({ field: text(members(one).field), message: text(members(one).message) }));
  for (const [field, message] of Object.entries(members(error.errors))) findings.push({ field, message: text(message) });
  const request = text(error.request_id) || (response.headers.get("X-Request-Id") ?? "");
  const message = text(error.message) || `The service answered ${response.status}.`;
  if (response.status === 401 && !new URL(response.url).pathname.endsWith("/auth/login")) session.ended();
  return new Refusal(response.status, message, code, findings, request, response.headers.get("Retry-After") ?? "");
}
