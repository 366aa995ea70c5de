// The console asks the service by the client for TypeScript, with the cookie of a session,
// which no script can read.
import { ApiError, Connection, Resource, type Answer, type Call, type CallOptions, type Listing, type Page } from "client";
import type { Manifest } from "../manifest/types";
import { parse, print, type Members, type Value } from "./json";
import { seeing } from "./seeing";
import { root, settings } from "./settings";

export { ApiError };
export type { Answer, Detail, Page } from "client";

/** What is called when the service says that the sign-in has ended. */
export const session = { ended: (): void => {} };

/** The service as a client sees it, which learns from the manifest what bodies look like. */
export class Client extends Connection {
  constructor(base: string) {
    const codec = { parse, stringify: (value: unknown) => print(value as Value) };
    super({ url: new URL(".", root).href.replace(/\/$/, ""), mode: "session", retries: 2, json: codec }, { base, item: "bare", list: "bare", page: {}, auth: {} });
    this.session.onChange((signedIn) => signedIn || session.ended());
  }

  /** What the service is to the caller, with its words in a language where it has them. */
  async manifest(language: string): Promise<Manifest> {
    const { body } = await this.call({ method: "GET", path: "/manifest", headers: { "Accept-Language": language } });
    const manifest = body as Manifest;
    Object.assign(this.conventions, manifest.conventions, { auth: { ...manifest.sign_in } });
    return manifest;
  }

  override async call(c: Call): Promise<Answer> {
    const as = seeing.now;
    // What pages read by themselves is not among the requests that a developer looks for.
    const headers = { ...c.headers, ...(c.method === "GET" && { "X-Console": "1" }), ...(as?.token && { Authorization: `Bearer ${as.token}` }) };
    try {
      return await super.call({ ...c, headers, ...(as?.token === "" && { send: unknown }) });
    } catch (err) {
      if (err instanceof ApiError && err.status === 401) {
        if (as) { if (as.token && seeing.now === as) seeing.end(); } else if (c.path !== this.conventions.auth.me) session.ended();
      }
      throw err;
    }
  }
}

/** Sends a request as a caller who has not signed in. */
const unknown: typeof fetch = (to, init) => fetch(to, { ...init, credentials: "omit" });

export const client = new Client(settings.api);

/** What the process says of itself, to admins alone. */
const process = new Client("/console/data");

export async function look<T>(path: string, signal?: AbortSignal): Promise<T> {
  const { body } = await process.call({ method: "GET", path, options: signal ? { signal } : {} });
  return (body as { data: T }).data;
}

/** What a list asks for, under the names of the API. */
export interface Asking extends Listing { signal?: AbortSignal }

/** What is asked for of a row: all that it usually has, without fields. */
export interface Reading { expand?: string[]; fields?: string[]; deleted?: boolean; signal?: AbortSignal | undefined }

/** A row with the ETag of its version. */
export interface Found { row: Members; tag: string }

/** The rows at a path: those of a collection, or one. */
export class Rows extends Resource {
  constructor(private readonly path: string, private readonly of: { singular: string; plural: string; key: string; version?: string }) {
    super(client, { ...of, path }); // an entity has the path of all its rows
  }

  protected override pathOf(): string { return this.path; }

  async list(asking: Asking): Promise<Page<Members>> { return this.listed<Members>(asking); }

  /** All of the list as CSV. */
  csv(asking: Asking): Promise<string> { return this.listed(asking).as("text/csv"); }

  async read({ expand = [], fields = [], deleted = false, signal }: Reading): Promise<Found> {
    const given = (names: string[]): string[] | undefined => (names.length > 0 ? names : undefined);
    const query = { expand: given(expand), fields: given(fields), include_deleted: deleted || undefined };
    const answer = await client.call({ method: "GET", path: this.path, query, options: signal ? { signal } : {} });
    return { row: client.row(answer, this.of.singular), tag: answer.headers.get("ETag") ?? "" };
  }

  create(body: Members, keyed: boolean, options: CallOptions): Promise<Members> { return this.done("POST", undefined, { body, keyed, options }); }
  change(found: Found, patch: Members): Promise<Members> { return this.changed("PATCH", found.row, patch, { ifMatch: found.tag }); }
  delete(found: Found): Promise<unknown> { return this.told("DELETE", found.row, { match: true, options: { ifMatch: found.tag } }); }
  restore(): Promise<unknown> { return this.told("POST", undefined, { after: "/restore", keyed: true }); }
}

/** A key that a request and its repetitions share, those of the reader, too. */
export const newKey = (): string => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

