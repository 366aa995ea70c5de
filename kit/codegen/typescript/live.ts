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

/** How long a stream may say nothing: the service says something every 15 seconds. */
const silence = 40_000;

/**
 * A list that stays true while something subscribes to it: `useSyncExternalStore(list.subscribe, list.getSnapshot)` of React.
 * Its connection is made anew where it is cut, and goes on from the rows that there are.
 */
export class LiveList<Row> {
  /** Why the list has ended, where the service refuses it. */
  error: ApiError | undefined;
  private rows: readonly Row[] | undefined;
  private position: string | undefined;
  private readonly listeners = new Set<() => void>();
  private running: AbortController | undefined;

  constructor(
    private readonly connection: Connection,
    private readonly path: string,
    private readonly listing: Listing = {},
  ) {}

  /** The rows as they are now, another array each time that they are others: undefined before the first page. */
  readonly getSnapshot = (): readonly Row[] | undefined => this.rows;

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
        if (this.rows !== last) yield (last = this.rows!);
        else if (this.error) throw this.error;
        else await changed;
      }
    } finally {
      end();
    }
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
    let quiet = setTimeout(stop, silence);
    try {
      const answer = await this.connection.stream({
        method: "GET",
        path: this.path,
        query: asked(this.connection, this.listing),
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
    if (said["event"] !== "page" && said["event"] !== "steps") return false;
    const data = this.connection.json.parse(said["data"]!) as { rows: Row[]; steps: Step<Row>[] };
    const rows = said["event"] === "page" ? data.rows : this.rows!.slice();
    for (const s of data.steps ?? []) {
      if (s.kind === "enter") rows.splice(s.index, 0, s.row);
      else if (s.kind === "leave") rows.splice(s.index, 1);
      else if (s.kind === "move") rows.splice(s.index, 0, ...rows.splice(s.from, 1));
      else rows[s.index] = s.row ?? { ...rows[s.index]!, ...s.fields };
    }
    this.position = said["id"];
    if (said["event"] === "page" || data.steps.length > 0) {
      this.rows = rows;
      this.tell();
    }
    return true;
  }

  private tell(): void {
    for (const listener of [...this.listeners]) listener();
  }
}

/** Waits until the device is on a network again, where that is told. */
const online = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (typeof window !== "undefined") window.addEventListener("online", () => resolve(), { once: true, signal });
  });
