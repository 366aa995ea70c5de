// Files of fields: uploads with their progress, links, and addresses for pages.

import { ApiError, sleep } from "./runtime.js";
import type { CallOptions, Connection } from "./runtime.js";

/** What can be uploaded. */
export type Content = Blob | ArrayBuffer | Uint8Array<ArrayBuffer>;

/** A file that was uploaded. */
export interface StoredFile {
  id: string;
  /** What the field of a row is set to. */
  url: string;
  name: string;
  size: number;
  sha256: string;
  /** Set where a scanner has not judged it yet: until then its content is answered with 503. */
  waits_for_scan?: boolean;
}

/** How many bytes are stored, and how many may be: null for any number. */
export interface FileAmount {
  used: number;
  quota: number | null;
}

export interface Uploading extends CallOptions {
  /** What the file is called: by default the name of a File. */
  name?: string;
  /** Is called as bytes are sent. After a lost answer it begins anew. */
  onProgress?: (sent: number, total: number) => void;
}

export interface InParts extends Uploading {
  /** The id of an upload that goes on. */
  id?: string;
  /** How many bytes are sent at a time, 8 MiB by default: what is sent again, at most, where an answer is lost. An object store takes 5 MiB at least. */
  partSize?: number;
}

/** The files of the service, of these fields. */
export class Files<Target extends string> {
  constructor(private readonly connection: Connection) {}

  /**
   * Uploads a file for a field, which is set to its url afterwards. A repetition after a lost answer stores it once. One
   * of more than 8 MiB is sent in parts, and goes on where the connection broke off: to the object store where the
   * service says so, and else to the service.
   */
  async upload(file: Content, options: Uploading & { for: Target }): Promise<StoredFile> {
    const blob = file instanceof Blob ? file : new Blob([file]);
    if (blob.size > partSize) return this.begin(file, options).done;
    const name = options.name ?? (file as Partial<File>).name;
    const send = options.onProgress && sending(blob, options.onProgress, this.connection.options.fetch, options.signal);
    const answer = await this.connection.call({
      method: "POST",
      path: "/files",
      query: { for: options.for, name: name || undefined },
      content: blob,
      ...(send && { send }),
      keyed: true,
      options,
    });
    return this.connection.row<StoredFile>(answer, "file");
  }

  /** Uploads a file in parts, for callers who pause it, or go on with it after the page was loaded anew. */
  begin(file: Content, options: InParts & { for: Target }): Upload {
    return new Upload(this.connection, file instanceof Blob ? file : new Blob([file]), { name: (file as Partial<File>).name ?? "", ...options });
  }

  /** The address of a file for a page of the same sign-in. */
  address(url: string): string {
    return url.startsWith("/") ? (this.connection.options.url ?? "") + url : url;
  }

  /** An address of a file, or of its variant, that needs no credentials, for so many seconds: an hour by default. */
  async link(url: string, options: CallOptions & { seconds?: number; variant?: string } = {}): Promise<string> {
    const answer = await this.connection.call({ method: "GET", path: `${this.pathOf(url)}/link`, query: { seconds: options.seconds, variant: options.variant }, options });
    return this.address(this.connection.row<{ url: string }>(answer, "link").url);
  }

  /** How much is stored for the caller, and for their tenant, with uploads that are not complete. */
  async usage(options: CallOptions = {}): Promise<{ own: FileAmount; tenant: FileAmount | null }> {
    const answer = await this.connection.call({ method: "GET", path: "/files/usage", options });
    return this.connection.row(answer, "usage");
  }

  /** Takes a file from its row, whose field becomes null, or removes an upload that no row has. */
  async remove(url: string, options: CallOptions = {}): Promise<void> {
    await this.connection.call({ method: "DELETE", path: this.pathOf(url), options });
  }

  private pathOf(url: string): string {
    return "/files/" + encodeURIComponent(url.slice(url.lastIndexOf("/") + 1));
  }
}

const partSize = 8 << 20;

/** A request that sends a part of a file: to the service, or to an object store. */
interface Part {
  offset: number;
  size: number;
  method: string;
  url: string;
  headers: { name: string; value: string }[];
}

/** How often in a row the parts that are missing are asked for, where none of them can be sent. */
const mostAsked = 4;

/** A file that is uploaded in parts. It begins at once. */
export class Upload {
  /** The file, once all of it is there. It fails as other calls do, and where the upload was stopped. */
  readonly done: Promise<StoredFile>;
  private named: string;
  /** The parts that have not arrived: undefined where the service is to be asked for them. */
  private missing: Part[] | undefined;
  private going = new AbortController();
  private stopped = false;
  private go: (() => void) | undefined;
  private waits: Promise<void> | undefined;

  constructor(
    private readonly connection: Connection,
    private readonly content: Blob,
    private readonly options: InParts & { for: string },
  ) {
    this.named = options.id ?? "";
    options.signal?.addEventListener("abort", () => this.going.abort(options.signal!.reason), { once: true });
    this.done = this.run();
    this.done.catch(() => {}); // it is thrown to those who wait for it
  }

  /** What the service calls the upload: with it another page goes on, for a day. It is empty until the service has answered. */
  get id(): string {
    return this.named;
  }

  get paused(): boolean {
    return this.waits !== undefined;
  }

  /** Breaks the request off. What has arrived of it stays. */
  pause(): void {
    if (this.waits || this.stopped) return;
    this.waits = new Promise((go) => (this.go = go));
    this.going.abort();
  }

  /** Goes on after a pause. */
  resume(): void {
    const go = this.go;
    this.waits = this.go = undefined;
    if (this.going.signal.aborted && !this.stopped && !this.options.signal?.aborted) this.going = new AbortController();
    go?.();
  }

  /** Ends the upload: what has arrived is removed. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.going.abort();
    this.resume();
    await this.done.catch(() => {});
    if (this.id) await this.connection.call({ method: "DELETE", path: this.path("upload") });
  }

  private path(of: string): string {
    return "/files/" + encodeURIComponent(this.id) + "/" + of;
  }

  private async run(): Promise<StoredFile> {
    const key = this.options.idempotencyKey ?? crypto.randomUUID();
    for (let asked = 0; ; ) {
      await this.waits;
      const going = this.going.signal;
      if (this.stopped) throw stopped();
      this.options.signal?.throwIfAborted();
      try {
        this.missing ??= await this.ask(key);
        const part = this.missing[0];
        if (!part) return await this.complete();
        await this.send(part);
        this.missing.shift();
        asked = 0;
      } catch (err) {
        const paused = going.aborted && !this.stopped && !this.options.signal?.aborted;
        const lacks = err instanceof ApiError && (err.status === 409 || err instanceof StoreError) && asked++ < mostAsked;
        if (!lacks && !paused) throw this.stopped ? stopped() : err;
        this.missing = undefined;
      }
    }
  }

  /** Asks how the parts are sent that have not arrived, and begins the upload where it is new. */
  private async ask(key: string): Promise<Part[]> {
    const { options, content } = this;
    const answer = await this.connection.call({
      ...(this.id
        ? { method: "GET", path: this.path("parts"), query: { part: options.partSize } }
        : { method: "POST", path: "/files/uploads", query: { for: options.for, name: options.name || undefined, size: content.size, part: options.partSize }, keyed: true }),
      options: { idempotencyKey: key, signal: this.going.signal },
    });
    const plan = this.connection.row<{ id: string; parts: Part[] }>(answer, "upload");
    this.named = plan.id;
    return plan.parts;
  }

  private async complete(): Promise<StoredFile> {
    const answer = await this.connection.call({ method: "PUT", path: this.path("upload"), options: { signal: this.going.signal } });
    return this.connection.row<StoredFile>(answer, "file");
  }

  private async send(part: Part): Promise<void> {
    const { content, options, going } = this;
    const body = content.slice(part.offset, part.offset + part.size);
    const headers = Object.fromEntries(part.headers.map((h) => [h.name, h.value]));
    const progress = (sent: number) => options.onProgress?.(part.offset + sent, content.size);
    const by = this.connection.options.fetch;
    if (part.url.startsWith("/")) {
      const send = options.onProgress && sending(body, progress, by, going.signal);
      await this.connection.call({ method: part.method, path: this.path("upload"), content: body, headers, ...(send && { send }), options: { signal: going.signal } });
      return;
    }
    // An object store takes no body whose length is unknown, and no credentials of the service.
    const send = options.onProgress && inPage(by) ? sending(body, progress, by, going.signal) : by ?? fetch;
    let answer: Response;
    try {
      answer = await send(part.url, { method: part.method, headers, body, signal: going.signal, credentials: "omit" });
      await answer.text();
    } catch (err) {
      if (going.signal.aborted) throw err;
      await sleep(this.connection.options.backoff ?? 200, going.signal);
      throw new StoreError(0, "NO_ANSWER", "the object store did not answer", [], undefined, undefined, { cause: err });
    }
    if (!answer.ok) throw new StoreError(answer.status, "NO_ANSWER", `the object store has refused a part of the file: ${answer.status}`);
    progress(part.size);
  }
}

/** An error of the object store. The part is sent again, to a new address. */
class StoreError extends ApiError {}

const stopped = () => new ApiError(0, "NO_ANSWER", "the upload was stopped");

/** Whether XMLHttpRequest sends. */
const inPage = (by: typeof fetch | undefined) => typeof XMLHttpRequest !== "undefined" && !by;

/** Sends a body and says how much of it has gone: by XMLHttpRequest in browsers, whose fetch does not say it. */
function sending(blob: Blob, progress: (sent: number, total: number) => void, by: typeof fetch | undefined, signal?: AbortSignal): typeof fetch {
  if (inPage(by)) {
    return (url, init) =>
      new Promise((resolve, reject) => {
        const request = new XMLHttpRequest();
        request.open(init!.method!, String(url));
        request.withCredentials = init!.credentials !== "omit";
        for (const [name, value] of Object.entries(init!.headers as Record<string, string>)) request.setRequestHeader(name, value);
        request.upload.onprogress = (event) => progress(event.loaded, blob.size);
        request.onload = () => {
          const headers = new Headers();
          for (const line of request.getAllResponseHeaders().trim().split(/\r\n/)) {
            const at = line.indexOf(":");
            if (at > 0) headers.append(line.slice(0, at), line.slice(at + 1).trim());
          }
          resolve(new Response(request.responseText || null, { status: request.status, statusText: request.statusText, headers }));
        };
        request.onerror = () => reject(new TypeError("the upload was broken off"));
        const stop = () => request.abort();
        request.onabort = () => reject(signal?.reason ?? new ApiError(0, "NO_ANSWER", "the upload was ended"));
        request.onloadend = () => signal?.removeEventListener("abort", stop);
        if (signal?.aborted) return reject(signal.reason);
        signal?.addEventListener("abort", stop, { once: true });
        request.send(blob);
      });
  }
  return (url, init) => {
    let sent = 0;
    const body = blob.stream().pipeThrough(
      new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
        transform(chunk, out) {
          out.enqueue(chunk);
          progress((sent += chunk.byteLength), blob.size);
        },
      }),
    );
    return (by ?? fetch)(url, { ...init, body, duplex: "half" } as RequestInit);
  };
}
