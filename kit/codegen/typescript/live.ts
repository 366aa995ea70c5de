// Lists that stay true by themselves: the list as its service answers with it, and what
// becomes of that. Beside the run-time, for services that have such lists.
import { ApiError, asked, sleep } from "./runtime.js";
import type { Connection, Listing } from "./runtime.js";

/** What the service says of a row. */
type Step<Row> =
  | { kind: "enter"; index: number; row: Row }
  | { kind: "leave"; index: number }
  | { kind: "move"; index: number; from: number }
  | { kind: "change"; index: number; row?: Row; fields?: Partial<Row> };

/** What a write will make of the rows. */
export type Draft<Row> = (rows: readonly Row[]) => readonly Row[];

/** The rows that a server has rendered, and what they are: JSON. */
export interface Rendered<Row> {
  rows: readonly Row[];
  position: string;
}

/** How long what a write that is done has made is shown where nothing comes: the row is none of the list's. */
const settled = 2000;

/** How long a stream may say nothing: the service says something every 15 seconds. */
const silence = 40_000;

/**
 * A list that stays true while something subscribes to it: `useSyncExternalStore(list.subscribe, list.getSnapshot)` of React.
 * Its connection is made anew where it is cut, and goes on from the rows that there are.
 */
export class LiveList<Row> {
  /** Why the list has ended, where the service refuses it. */
  error: ApiError | undefined;
  /** How many rows there are, where that was asked for, counted up to 10,000: there may be more where totalExact is false. */
  total: number | undefined;
  totalExact = true;
  private rows: readonly Row[] | undefined; // as the service says
  private shown: readonly Row[] | undefined; // with the drafts
  private readonly drafts = new Map<Draft<Row>, unknown>(); // with what their writes were answered
  private position: string | undefined;
  private readonly listeners = new Set<() => void>();
  private running: AbortController | undefined;

  constructor(
    protected readonly connection: Connection,
    private readonly path: string,
    private readonly listing: Listing = {},
    private readonly more: Record<string, unknown> = {},
  ) {}

  /** The rows as they are now, another array each time that they are others: undefined before the first page. */
  readonly getSnapshot = (): readonly Row[] | undefined => this.shown;

  /** Calls the function each time that the rows are others, or the list has ended. It returns what ends that. */
  readonly subscribe = (listener: () => void): (() => void) => {
    const one = () => listener();
    this.listeners.add(one);
    if (!this.running && !this.error) void this.run((this.running = new AbortController()).signal);
    return () => {
      this.listeners.delete(one);
      if (this.listeners.size > 0) return;
      this.running?.abort();
      this.running = undefined;
    };
  };

  /** The rows each time that they are others. */
  async *[Symbol.asyncIterator](): AsyncIterator<readonly Row[]> {
    let wake = () => {};
    const end = this.subscribe(() => wake());
    try {
      for (let last: readonly Row[] | undefined; ; ) {
        const changed = new Promise<void>((resolve) => (wake = resolve));
        if (this.shown !== last) yield (last = this.shown!);
        else if (this.error) throw this.error;
        else await changed;
      }
    } finally {
      end();
    }
  }

  /**
   * Shows what a write will do before the service has done it: `list.optimistic((rows) => rows.filter((r) => r.id !== row.id), () => db.posts.delete(row))`.
   * Where the write is refused the rows are again as the service says, and the error is thrown. Where it is done they are so once the row that it
   * has answered with has come, or after two seconds: the list may not have that row.
   */
  async optimistic<Result>(draft: Draft<Row>, write: () => Promise<Result>): Promise<Result> {
    const one: Draft<Row> = (rows) => draft(rows);
    this.drafts.set(one, undefined);
    this.tell();
    try {
      const result = await write();
      this.drafts.set(one, result ?? {});
      setTimeout(() => this.drafts.delete(one) && this.tell(), settled);
      this.tell();
      return result;
    } catch (err) {
      this.drafts.delete(one);
      this.tell();
      throw err;
    }
  }

  /** Waits until the rows are so, two seconds at the most: the list may not have a row that was written. */
  settled(is: (rows: readonly Row[]) => boolean): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(late);
        end();
        resolve();
      };
      const late = setTimeout(done, settled);
      const end = this.subscribe(() => is(this.rows ?? []) && done());
      if (is(this.rows ?? [])) done();
    });
  }

  /** Reads the rows once, at a server: what it renders, and what the client goes on from. */
  async first(): Promise<Rendered<Row>> {
    for await (const rows of this) return { rows, position: this.position! };
    throw this.error;
  }

  /** Goes on from what a server has rendered: the rows are not read again. It is done before anything subscribes. */
  from({ rows, position }: Rendered<Row>): this {
    this.rows = this.shown = rows;
    this.position = position;
    return this;
  }

  /** Whether the service has sent the row that a write was answered with. */
  has(result: unknown): boolean {
    const fields = Object.entries((result ?? {}) as Record<string, unknown>);
    const said = (value: unknown) => this.connection.json.stringify(value);
    const isOf = (row: Record<string, unknown>) => fields.every(([name, value]) => !(name in row) || said(row[name]) === said(value));
    return fields.length > 0 && (this.rows ?? []).some((row) => isOf(row as Record<string, unknown>));
  }

  private async run(signal: AbortSignal): Promise<void> {
    for (let tries = 0; !signal.aborted; tries++) {
      try {
        await this.follow(signal, () => (tries = 0));
      } catch (err) {
        if (signal.aborted) return;
        if (err instanceof ApiError && err.status >= 400 && err.status < 500 && err.status !== 408 && err.status !== 429) {
          this.error = err;
          return this.tell();
        }
      }
      const wait = Math.min((this.connection.options.backoff ?? 200) * 2 ** tries, 30_000);
      await Promise.race([sleep(wait / 2 + (Math.random() * wait) / 2, signal), online(signal)]).catch(() => undefined);
    }
  }

  /** Takes events until the connection ends. */
  private async follow(signal: AbortSignal, heard: () => void): Promise<void> {
    const cut = new AbortController();
    const stop = () => cut.abort();
    signal.addEventListener("abort", stop, { once: true });
    const stay = this.connection.session.onChange(stop); // the list is another for another caller
    let quiet = setTimeout(stop, silence);
    try {
      const answer = await this.connection.stream({
        method: "GET",
        path: this.path,
        query: { ...asked(this.connection, this.listing), ...this.more },
        headers: { Accept: "text/event-stream", ...(this.position !== undefined && { "Last-Event-ID": this.position }) },
        options: { signal: cut.signal },
      });
      const reader = answer.body!.getReader();
      const decoder = new TextDecoder();
      for (let text = ""; ; ) {
        const { done, value } = await reader.read();
        if (done) return;
        clearTimeout(quiet);
        quiet = setTimeout(stop, silence);
        const events = (text + decoder.decode(value, { stream: true })).split("\n\n");
        text = events.pop()!;
        for (const event of events) if (this.take(event)) heard();
      }
    } finally {
      clearTimeout(quiet);
      stay();
      signal.removeEventListener("abort", stop);
      cut.abort();
    }
  }

  /** Does what a whole event says. */
  private take(event: string): boolean {
    const said: Record<string, string> = {};
    for (const line of event.split("\n")) {
      const colon = line.indexOf(": ");
      if (colon > 0) said[line.slice(0, colon)] = line.slice(colon + 2);
    }
    if (!said["event"] || !said["data"]) return false;
    if (said["id"] !== undefined) this.position = said["id"];
    return this.heard(said["event"], this.connection.json.parse(said["data"]));
  }

  /** Does what an event says, and reports whether it is one that it knows. */
  protected heard(event: string, said: unknown): boolean {
    if (event !== "page" && event !== "steps") return false;
    const data = said as { rows: Row[]; steps: Step<Row>[]; total?: number; total_exact?: boolean; totalExact?: boolean };
    const rows = event === "page" ? data.rows : this.rows!.slice();
    for (const s of data.steps ?? []) {
      if (s.kind === "enter") rows.splice(s.index, 0, s.row);
      else if (s.kind === "leave") rows.splice(s.index, 1);
      else if (s.kind === "move") rows.splice(s.index, 0, ...rows.splice(s.from, 1));
      else rows[s.index] = s.row ?? { ...rows[s.index]!, ...s.fields };
    }
    const counted = data.total !== this.total;
    this.total = data.total;
    this.totalExact = (data.total_exact ?? data.totalExact) !== false;
    if (event === "page" || data.steps.length > 0 || counted) {
      this.rows = rows;
      this.tell();
    }
    return true;
  }

  private tell(): void {
    for (const [draft, result] of this.drafts) if (this.has(result)) this.drafts.delete(draft);
    this.shown = this.rows && [...this.drafts.keys()].reduce((rows, draft) => draft(rows), this.rows);
    for (const listener of [...this.listeners]) listener();
  }
}

/** Waits until the device is on a network again, where that is told. */
const online = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (typeof window !== "undefined") window.addEventListener("online", () => resolve(), { once: true, signal });
  });
