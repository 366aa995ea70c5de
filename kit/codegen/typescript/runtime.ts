// What every client of a service has: requests, retries, sign-in and pages. Beside it
// index.ts has what is of this service alone. There are no dependencies.

/** The id of a row: a bigint where a number would not be exact, a text in versions with global ids. */
export type ID = number | bigint | string;

/** What the service refused, or could not do. */
export class ApiError extends Error {
  constructor(
    /** The status of HTTP, 0 where there was no answer. */
    readonly status: number,
    /** What programs decide by. */
    readonly code: string,
    message: string,
    /** What is wrong with which field. */
    readonly details: readonly Detail[] = [],
    /** What to report, of an error of the service. */
    readonly requestId?: string,
    /** Seconds after which it may be tried again. */
    readonly retryAfter?: number,
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.name = "ApiError";
  }
}

/** What is wrong with a field. */
export interface Detail {
  field: string;
  message: string;
  value?: unknown;
}

/** How a client calls the service. */
export interface Options {
  /** Where the service is: "https://example.com". Empty: where the page is from. */
  url?: string;
  /** The API key of a program. */
  apiKey?: string;
  /** Session: the browser keeps a cookie, and there is nothing to refresh. Bearer, the default: an access token is refreshed. */
  mode?: "bearer" | "session";
  /** How often a request without an answer is tried again: 4 times. */
  retries?: number;
  /** The first wait before that in milliseconds, which doubles each time: 200. */
  backoff?: number;
  /** The longest wait in milliseconds that the service can ask for, 60000: above it the error is thrown. */
  patience?: number;
  fetch?: typeof fetch;
  /** How bodies are read and written: with integers that no number holds as bigints. */
  json?: Codec;
}

/** Reads and writes JSON. */
export interface Codec {
  parse(text: string): unknown;
  stringify(value: unknown): string;
}

/** What each call can take beside its input. */
export interface CallOptions {
  signal?: AbortSignal;
  /** Makes repetitions of a write one, also those of another process: a random key by default. */
  idempotencyKey?: string;
  /** The ETag of the version that a write is meant for, instead of the one that the row's version says. */
  ifMatch?: string;
}

/** A page of a list. */
export interface Page<Row> {
  rows: Row[];
  /** Asks for the next page as `cursor`, null on the last one. */
  next: string | null;
  /** Asks for the page before as `cursor`, null on the first one. */
  previous: string | null;
  /** How many there are, of pages by number. */
  total?: number;
}

/** What bodies of a version look like. */
export interface Conventions {
  base: string;
  /** Whether rows stand under their name in data. */
  item: "bare" | "named";
  list: "bare" | "named";
  page: Record<string, string>;
  auth: Record<string, string>;
}

type Query = Record<string, unknown>;

/** A request before it is sent. */
export interface Call {
  method: string;
  path: string;
  query?: Query;
  body?: unknown;
  /** A body that is no JSON. */
  content?: Blob;
  /** Sends it in place of fetch. */
  send?: typeof fetch;
  headers?: Record<string, string>;
  /** Whether it takes an Idempotency-Key. */
  keyed?: boolean;
  options?: CallOptions;
}

/** What the service answered with. The body is read where it is JSON. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  body: any;
}

const big = /("(?:[^"\\]|\\.)*")|(-?\d{16,})(?![\d.eE])/g;

/** JSON in which integers that are no exact numbers become bigints. */
function parse(text: string): unknown {
  const exact = text.replace(big, (all, quoted: string | undefined, digits: string | undefined) =>
    quoted !== undefined || Number.isSafeInteger(Number(digits)) ? all : `"\\u0000${digits}"`);
  if (exact === text) return JSON.parse(text);
  return JSON.parse(exact, (_, value: unknown) => (typeof value === "string" && value[0] === "\0" ? BigInt(value.slice(1)) : value));
}

function stringify(value: unknown): string {
  return JSON.stringify(value, (_, v: unknown) => (typeof v === "bigint" ? `\0${v}` : v)).replace(/"\\u0000(-?\d+)"/g, "$1");
}

export const sleep = (ms: number, signal?: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });

/** Seconds until Retry-After, which is a number of them or a date. */
function retryAfter(headers: Headers): number | undefined {
  const text = headers.get("Retry-After");
  if (!text) return undefined;
  const seconds = Number(text);
  return Number.isNaN(seconds) ? Math.max(0, (Date.parse(text) - Date.now()) / 1000) : seconds;
}

/** Sends requests, and tries those again whose answer was lost. */
export class Connection {
  readonly session: Session;
  readonly json: Codec;
  private readonly send: typeof fetch;
  /** What was seen of a database with replicas, the greatest of all answers. */
  private seen = "";

  constructor(
    readonly options: Options,
    readonly conventions: Conventions,
  ) {
    this.send = options.fetch ?? ((...args) => fetch(...args));
    this.json = options.json ?? { parse, stringify };
    this.session = new Session(this);
  }

  /** Does the call. A repetition of a write takes effect once: it has the same key. */
  async call(c: Call): Promise<Answer> {
    const headers: Record<string, string> = { Accept: "application/json", ...c.headers };
    if (c.keyed) headers["Idempotency-Key"] = c.options?.idempotencyKey ?? crypto.randomUUID();
    let lost = false;
    for (let tries = 0; ; tries++) {
      try {
        return await this.authorized(headers, (h) => this.once(c, h));
      } catch (err) {
        if (!(err instanceof ApiError) || c.options?.signal?.aborted) throw err;
        if (lost && c.method === "DELETE" && err.status === 404) return { status: 204, headers: new Headers(), text: "", body: undefined }; // the first try deleted it
        const again = err.status === 0 || err.status === 429 || (err.status >= 502 && err.status <= 504) || (err.status === 409 && lost && err.retryAfter !== undefined);
        const asked = (err.retryAfter ?? 0) * 1000;
        if (!again || asked > (this.options.patience ?? 60_000) || tries >= (this.options.retries ?? 4) || (c.method === "POST" && !c.keyed && err.status !== 429)) {
          throw lost && err.status === 412 ? Object.assign(err, { afterLoss: true }) : err;
        }
        lost ||= err.status === 0 || err.status >= 502;
        const wait = (this.options.backoff ?? 200) * 2 ** tries;
        await sleep(Math.max(asked, wait / 2 + (Math.random() * wait) / 2), c.options?.signal);
      }
    }
  }

  /** Sends with the access token, and with another where that has expired. */
  private async authorized<A>(headers: Record<string, string>, send: (headers: Record<string, string>) => Promise<A>): Promise<A> {
    const used = this.session.token;
    try {
      return await send(used ? { ...headers, Authorization: `Bearer ${used}` } : headers);
    } catch (err) {
      if (!(err instanceof ApiError) || err.status !== 401 || !used) throw err;
      const fresh = await this.session.refresh(used).catch(() => undefined);
      if (!fresh) throw err;
      return send({ ...headers, Authorization: `Bearer ${fresh}` });
    }
  }

  /** Does a call that is answered by a stream. */
  stream(c: Call): Promise<Response> {
    return this.authorized(c.headers ?? {}, async (headers) => {
      const answer = await this.sent(c, headers);
      if (!answer.ok) throw failure(answer, this.body(await answer.text()));
      return answer;
    });
  }

  private body(text: string, unread?: (cause: unknown) => never): unknown {
    try {
      return text ? this.json.parse(text) : undefined;
    } catch (err) {
      return unread?.(err); // of a proxy, or of another type
    }
  }

  /** Sends it once. */
  async once(c: Call, headers: Record<string, string>): Promise<Answer> {
    const answer = await this.sent(c, headers);
    let text: string;
    try {
      text = await answer.text();
    } catch (err) {
      throw c.options?.signal?.aborted ? err : unanswered(err);
    }
    const strict = answer.ok && headers["Accept"] === "application/json";
    const body = this.body(text, strict ? (cause) => { throw unanswered(cause, "the answer is no JSON, and so not of the service", answer.status); } : undefined);
    if (!answer.ok) throw failure(answer, body);
    return { status: answer.status, headers: answer.headers, text, body };
  }

  private async sent(c: Call, headers: Record<string, string>): Promise<Response> {
    const init: RequestInit = { method: c.method, headers: { ...headers }, credentials: "include" };
    if (this.options.apiKey) (init.headers as Record<string, string>)["X-API-Key"] = this.options.apiKey;
    if (this.seen) (init.headers as Record<string, string>)["Consistency-Token"] = this.seen;
    if (c.options?.signal) init.signal = c.options.signal;
    if (c.body !== undefined) {
      init.body = this.json.stringify(c.body);
      (init.headers as Record<string, string>)["Content-Type"] = "application/json";
    }
    if (c.content) {
      init.body = c.content;
      (init.headers as Record<string, string>)["Content-Type"] ??= "application/octet-stream";
    }
    try {
      const answer = await (c.send ?? this.send)((this.options.url ?? "") + this.conventions.base + c.path + query(c.query), init);
      const seen = answer.headers.get("Consistency-Token") ?? "";
      if (seen > this.seen) this.seen = seen;
      return answer;
    } catch (err) {
      throw c.options?.signal?.aborted ? err : unanswered(err);
    }
  }

  /** The row of an answer. */
  row<Row>(answer: Answer, singular: string): Row {
    const data = answer.body?.data;
    return this.conventions.item === "named" ? data?.[singular] : data;
  }
}

const unanswered = (cause: unknown, message = "the service did not answer", status = 0) => new ApiError(status, "NO_ANSWER", message, [], undefined, undefined, { cause });

// eslint-disable-next-line @typescript-eslint/no-explicit-any
function failure(answer: Response, body: any): ApiError {
  const said = typeof body?.error === "object" ? body.error : body ?? {};
  const details = said.details ?? Object.entries(said.errors ?? {}).map(([field, message]) => ({ field, message: String(message) }));
  return new ApiError(answer.status, said.code ?? (typeof body?.error === "string" ? body.error : "UNKNOWN"), said.message ?? answer.statusText, details, said.request_id ?? answer.headers.get("X-Request-Id") ?? undefined, retryAfter(answer.headers));
}

function query(values: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) parameters.append(name, text(value));
  }
  const all = parameters.toString();
  return all && "?" + all;
}

function text(value: unknown): string {
  if (Array.isArray(value)) return value.map((one) => text(one).replace(/[\\,]/g, "\\$&")).join(",");
  return value instanceof Date ? value.toISOString() : String(value);
}

/** The parameters of filters: {price: {gte: 5}} is price[gte]=5, and {id: [1, 2]} is id[in]=1,2. */
function filters(where: Query = {}): Query {
  const all: Query = {};
  for (const [name, value] of Object.entries(where)) {
    if (value === undefined) continue;
    if (Array.isArray(value)) all[`${name}[in]`] = value;
    else if (typeof value === "object" && value !== null && !(value instanceof Date)) {
      for (const [operator, bound] of Object.entries(value)) {
        if (bound !== undefined) all[operator === "eq" ? name : `${name}[${operator}]`] = bound;
      }
    } else all[name] = value;
  }
  return all;
}

/** What tabs tell each other. */
interface Told {
  token?: string;
  signedIn: boolean;
}

/** Who is signed in. One tab refreshes the access token for all of the origin. */
export class Session {
  /** The access token, which stays in memory. */
  token: string | undefined;
  signedIn = false;
  private readonly name: string;
  private readonly channel: BroadcastChannel | undefined;
  private readonly listeners = new Set<(signedIn: boolean) => void>();
  private readonly waiting = new Set<() => void>();
  private refreshing: Promise<string | undefined> | undefined;

  constructor(private readonly connection: Connection) {
    this.name = "entwine " + (connection.options.mode === "session" ? "session " : "") + (connection.options.url ?? "") + connection.conventions.base;
    if (typeof window !== "undefined" && typeof BroadcastChannel !== "undefined" && !connection.options.apiKey) {
      this.channel = new BroadcastChannel(this.name);
      this.channel.onmessage = (event: MessageEvent<Told>) => this.keep(event.data);
    }
  }

  /** Calls the function when the caller signs in or out, in another tab, too. It returns what ends that. */
  onChange(listener: (signedIn: boolean) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Signs in. Where a code of a second factor is needed, requires2FA is true: call it again with totpToken. */
  async signIn(input: { email: string; password: string; totpToken?: string }): Promise<{ requires2FA: boolean }> {
    const mode = this.connection.options.mode ?? "bearer";
    const { body } = await this.connection.once({ method: "POST", path: this.path("login"), query: { mode }, body: input }, {});
    const requires2FA = body?.requires2FA === true;
    if (!requires2FA) this.tell(true, mode === "bearer" ? this.of(body) : undefined);
    return { requires2FA };
  }

  /** Makes an account, and signs in unless the address is to be verified first. */
  async register(input: { name: string; email: string; password: string }): Promise<void> {
    const { body } = await this.connection.once({ method: "POST", path: this.path("register"), body: input }, {});
    const token = this.of(body);
    this.tell(token !== undefined, token);
  }

  async signOut(): Promise<void> {
    await this.connection.once({ method: "POST", path: this.path("logout") }, this.token ? { Authorization: `Bearer ${this.token}` } : {});
    this.tell(false);
  }

  /** Who is signed in, undefined where nobody is. */
  async me<User>(): Promise<User | undefined> {
    try {
      const user = this.connection.row<User>(await this.connection.call({ method: "GET", path: this.path("me") }), "user");
      if (!this.signedIn) this.tell(true, this.token);
      return user;
    } catch (err) {
      if (err instanceof ApiError && err.status === 401) return undefined;
      throw err;
    }
  }

  /** Goes on with the sign-in of an earlier visit: false where that has ended. */
  async resume(): Promise<boolean> {
    if (this.connection.options.mode === "session") return (await this.me()) !== undefined;
    try {
      return (await this.refresh(this.token)) !== undefined;
    } catch (err) {
      if (err instanceof ApiError && err.status === 401) return false;
      throw err;
    }
  }

  /** Returns another token than the one that was used. Calls at the same time are one. */
  refresh(used: string | undefined): Promise<string | undefined> {
    if (this.token !== used) return Promise.resolve(this.token); // another call, or tab, has refreshed it
    this.refreshing ??= this.alone(used).finally(() => (this.refreshing = undefined));
    return this.refreshing;
  }

  /** Refreshes while no other tab does. */
  private alone(used: string | undefined): Promise<string | undefined> {
    const locks = this.channel && typeof navigator !== "undefined" ? navigator.locks : undefined;
    if (!locks) return this.renew(used);
    const before = this.stamp();
    return locks
      .request(this.name, async () => {
        // What the tab before told may arrive after its lock.
        if (this.token === used && this.stamp() !== before) await Promise.race([new Promise<void>((heard) => this.waiting.add(heard)), sleep(1000)]);
        return this.token !== used ? this.token : this.renew(used);
      })
      .then((token) => token);
  }

  private async renew(used: string | undefined): Promise<string | undefined> {
    try {
      const { body } = await this.connection.once({ method: "POST", path: this.path("refresh") }, {});
      this.stamp(crypto.randomUUID());
      this.tell(true, this.of(body));
    } catch (err) {
      if (used && err instanceof ApiError && err.status === 401) this.tell(false);
      throw err;
    }
    return this.token;
  }

  /** What the last refresh of any tab left where all see it at once: no secret. */
  private stamp(value?: string): string | null {
    try {
      if (value) localStorage.setItem(this.name, value);
      return localStorage.getItem(this.name);
    } catch {
      return null; // storage is blocked
    }
  }

  private path(operation: string): string {
    return this.connection.conventions.auth[operation] ?? "/auth/" + operation;
  }

  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  private of(body: any): string | undefined {
    return body?.token ?? body?.accessToken;
  }

  private keep(told: Told): void {
    const changed = told.signedIn !== this.signedIn;
    this.token = told.token;
    this.signedIn = told.signedIn;
    for (const heard of this.waiting) heard();
    this.waiting.clear();
    if (changed) for (const listener of this.listeners) listener(told.signedIn);
  }

  private tell(signedIn: boolean, token?: string): void {
    const told: Told = { signedIn, ...(token !== undefined && { token }) };
    this.keep(told);
    this.channel?.postMessage(told);
  }
}

/** What reads can ask for. */
export interface Asked {
  fields?: readonly string[];
  expand?: readonly string[];
}

/** What lists can ask for. */
export interface Listing extends Asked {
  where?: object;
  search?: string;
  sort?: string | readonly string[];
  limit?: number;
  /** Begins behind the page whose `next` this is. */
  cursor?: string;
  /** Asks for a page by its number, with the total. */
  page?: number;
  includeDeleted?: boolean;
}

/** A list: `await` reads a page, and `for await` every row, page by page. */
export class List<Row> implements PromiseLike<Page<Row>>, AsyncIterable<Row> {
  constructor(
    private readonly connection: Connection,
    private readonly path: string,
    private readonly plural: string,
    private readonly asked: Listing & CallOptions = {},
  ) {}

  then<A = Page<Row>, B = never>(done?: ((page: Page<Row>) => A | PromiseLike<A>) | null, failed?: ((err: unknown) => B | PromiseLike<B>) | null): Promise<A | B> {
    return this.read(this.asked.cursor ?? "").then(done, failed);
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Row> {
    for (let cursor: string | null = this.asked.cursor ?? ""; cursor !== null; ) {
      const page: Page<Row> = await this.read(cursor, true);
      yield* page.rows;
      cursor = page.next;
    }
  }

  /** All rows in another type that lists have, such as text/csv. */
  async as(type: string): Promise<string> {
    return (await this.ask({ limit: "all" }, { Accept: type })).text;
  }

  private async read(cursor: string, all = false): Promise<Page<Row>> {
    const { page, limit } = this.asked;
    const answer = await this.ask(page !== undefined && !all ? { limit, page } : { limit, cursor });
    const { data, pagination = {}, links } = answer.body;
    const rows: Row[] = this.connection.conventions.list === "named" ? data[this.plural] : data;
    return {
      rows,
      next: pagination[this.connection.conventions.page["next_cursor"]!] ?? null,
      previous: links?.prev ? new URLSearchParams(links.prev.slice(links.prev.indexOf("?"))).get("cursor") : null,
      ...(pagination.total !== undefined && { total: pagination.total }),
    };
  }

  private ask(more: Query, headers: Record<string, string> = {}): Promise<Answer> {
    const { signal } = this.asked;
    return this.connection.call({ method: "GET", path: this.path, query: { ...asked(this.connection, this.asked), ...more }, headers, ...(signal && { options: { signal } }) });
  }
}

/** The parameters of a list, but for its page. */
export function asked(connection: Connection, { where, search, sort, limit, includeDeleted, ...what }: Listing): Query {
  const camel = connection.conventions.page["next_cursor"] !== "next_cursor";
  return { ...filters(where as Query), ...shown(what), search, sort, limit, [camel ? "includeDeleted" : "include_deleted"]: includeDeleted || undefined };
}

const shown = (a: Asked | undefined): Query => ({ fields: a?.fields, expand: a?.expand });

/** How an entity is reached. */
export interface Place {
  path: string;
  singular: string;
  plural: string;
  /** The field that stands in paths, and the one that counts changes. */
  key: string;
  version?: string;
}

/** A row, or what stands for it in paths. */
export type Which = ID | object;

/** The operations on an entity, which index.ts gives their types. */
export class Resource {
  constructor(
    protected readonly connection: Connection,
    protected readonly at: Place,
  ) {}

  protected listed<Row>(asked?: Listing & CallOptions, path = this.at.path, plural = this.at.plural): List<Row> {
    return new List<Row>(this.connection, path, plural, asked);
  }

  protected async done<Row>(method: string, which: Which | undefined, more: { path?: string; after?: string; body?: unknown; query?: Query; keyed?: boolean; match?: boolean; options?: Asked & CallOptions }): Promise<Row> {
    const answer = await this.asked(method, which, more);
    return answer.status === 204 ? (undefined as Row) : this.connection.row<Row>(answer, this.at.singular);
  }

  /** Does what is answered with members of its own, in data or beside it. */
  protected async told<Told>(method: string, which: Which | undefined, more: { path?: string; after?: string; body?: unknown; query?: Query; keyed?: boolean; match?: boolean; options?: CallOptions }): Promise<Told> {
    const { body } = await this.asked(method, which, more);
    if (body?.data !== undefined) return body.data;
    const { status: _, success: __, ...told } = body ?? {};
    return told as Told;
  }

  private asked(method: string, which: Which | undefined, more: { path?: string; after?: string; body?: unknown; query?: Query; keyed?: boolean; match?: boolean; options?: Asked & CallOptions }): Promise<Answer> {
    const version = more.match && typeof which === "object" ? this.versionOf(which) : undefined;
    const match = (more.match && more.options?.ifMatch) || (version === undefined ? undefined : `"${version}"`);
    return this.connection.call({
      method,
      path: (more.path ?? this.pathOf(which)) + (more.after ?? ""),
      query: { ...shown(more.options), ...more.query },
      body: more.body,
      keyed: more.keyed ?? false,
      ...(match !== undefined && { headers: { "If-Match": match } }),
      ...(more.options && { options: more.options }),
    });
  }

  /** Changes a row. After a lost answer, a row that has the new values already is the answer. */
  protected async changed<Row>(method: "PATCH" | "PUT", which: Which, patch: object, options?: Asked & CallOptions): Promise<Row> {
    try {
      return await this.done<Row>(method, which, { body: patch, match: true, ...(options && { options }) });
    } catch (err) {
      if (!(err instanceof ApiError) || !("afterLoss" in err)) throw err;
      const now = await this.done<Record<string, unknown>>("GET", which, options ? { options } : {});
      const ours = Object.entries(patch).every(([name, value]) => this.connection.json.stringify(now[name]) === this.connection.json.stringify(value));
      if (!ours || Number(this.versionOf(now)) !== Number(this.versionOf(which as object)) + 1) throw err;
      return now as Row;
    }
  }

  private versionOf(row: object): unknown {
    return this.at.version ? (row as Record<string, unknown>)[this.at.version] : undefined;
  }

  protected keyOf(which: Which | undefined): unknown {
    return typeof which === "object" ? (which as Record<string, unknown>)[this.at.key] : which;
  }

  protected pathOf(which: Which | undefined): string {
    const key = this.keyOf(which);
    if (key === undefined || key === null) {
      if (which === undefined) return this.at.path;
      throw new TypeError(`the row has no ${this.at.key}, which its path is made of: ask for it with fields`);
    }
    const segment = encodeURIComponent(String(key));
    return this.at.path.includes("{") ? this.at.path.replace(/\{[^}]*\}/, segment) : `${this.at.path}/${segment}`;
  }
}

/** What an entity is to the types of its rows. */
export interface Model {
  /** All fields. */
  fields: object;
  /** The names of those that are shown with a row unless others are asked for. */
  shown: PropertyKey;
  /** The names of those that are shown beside these where one row is read. */
  single: PropertyKey;
  edges: object;
}

/** Where an edge leads. */
export interface Edge<To extends Model, Many extends boolean, Null extends boolean> {
  to: To;
  many: Many;
  null: Null;
}

type Names<T> = Extract<keyof T, string>;

/** An edge, or one behind it: "author", "comments.author". */
export type Path<M extends Model> = Names<M["edges"]> | { [K in Names<M["edges"]>]: M["edges"][K] extends Edge<infer To, boolean, boolean> ? `${K}.${Names<To["edges"]>}` : never }[Names<M["edges"]>];

type Head<E extends string> = E extends `${infer H}.${string}` ? H : E;
type Tail<E extends string, K extends string> = E extends `${K}.${infer R}` ? R : never;
type To<G, E extends string> = G extends Edge<infer M, infer Many, infer Null>
  ? Many extends true ? Row<M, never, E>[] : Null extends true ? Row<M, never, E> | null : Row<M, never, E>
  : never;

/** A row with the fields and edges that were asked for. */
export type Row<M extends Model, F extends string = never, E extends string = never> =
  Pick<M["fields"], ([F] extends [never] ? M["shown"] : F) & keyof M["fields"]> &
  { [K in Head<E> & Names<M["edges"]>]: To<M["edges"][K], Tail<E, K>> };

/** The same where one row is read or written. */
export type One<M extends Model, F extends string = never, E extends string = never> =
  Row<M, F, E> & Pick<M["fields"], ([F] extends [never] ? M["single"] : never) & keyof M["fields"]>;

/** What reads of an entity can ask for. */
export interface Reading<M extends Model, F, E> extends CallOptions {
  /** The fields that are shown: all but those on request without it. */
  fields?: readonly (F & Names<M["fields"]>)[];
  /** The rows at the other end of edges, which are shown with each row. */
  expand?: readonly (E & Path<M>)[];
}

/** What lists of an entity can ask for. */
export interface Lists<M extends Model, Where, Sort, F, E> extends Reading<M, F, E> {
  where?: Where;
  /** Finds rows with parts of these words. */
  search?: string;
  sort?: Sort | readonly Sort[];
  limit?: number;
  cursor?: string;
  page?: number;
  includeDeleted?: boolean;
}

/** A filter: a value, any of several, or operators. */
export type Equal<T> = T | readonly T[] | { eq?: T; in?: readonly T[] };

/** A filter of values that have an order. */
export type Ordered<T> = T | readonly T[] | { eq?: T; in?: readonly T[]; gte?: T; gt?: T; lte?: T; lt?: T };
