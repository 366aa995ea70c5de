// Files of fields: uploads with their progress, links, and addresses for pages.

import { ApiError } from "./runtime.js";
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
  /** How many bytes are sent at a time, 8 MiB by default: what is sent again, at most, where an answer is lost. */
  partSize?: number;
}

/** The files of the service, of these fields. */
export class Files<Target extends string> {
  constructor(private readonly connection: Connection) {}

  /**
   * Uploads a file for a field, which is set to its url afterwards. A repetition after a lost answer stores it once. One
   * of more than 8 MiB is sent in parts, and goes on where the connection broke off.
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

  /** An address of a file that needs no credentials, for so many seconds: an hour by default. */
  async link(url: string, options: CallOptions & { seconds?: number } = {}): Promise<string> {
    const answer = await this.connection.call({ method: "GET", path: `${this.pathOf(url)}/link`, query: { seconds: options.seconds }, options });
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

/** A file that is uploaded in parts. It begins at once. */
export class Upload {
  /** The file, once all of it is there. It fails as other calls do, and where the upload was stopped. */
  readonly done: Promise<StoredFile>;
  private offset = 0;
  private named: string;
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
    if (this.id) await this.connection.call({ method: "DELETE", path: this.path });
  }

  private get path(): string {
    return "/files/" + encodeURIComponent(this.id) + "/upload";
  }

  private async run(): Promise<StoredFile> {
    const key = this.options.idempotencyKey ?? crypto.randomUUID();
    let known = !this.id;
    for (;;) {
      await this.waits;
      const going = this.going.signal;
      if (this.stopped) throw stopped();
      this.options.signal?.throwIfAborted();
      try {
        if (!this.id) await this.begin(key);
        const file = known ? await this.next() : await this.ask();
        if (file) return file;
        known = true;
      } catch (err) {
        const overtaken = err instanceof ApiError && err.status === 409 && known && this.id;
        const paused = going.aborted && !this.stopped && !this.options.signal?.aborted;
        if (!overtaken && !paused) throw this.stopped ? stopped() : err;
        known = !this.id;
      }
    }
  }

  private async begin(key: string): Promise<void> {
    const answer = await this.connection.call({
      method: "POST",
      path: "/files",
      query: { for: this.options.for, name: this.options.name || undefined },
      headers: { "Upload-Complete": "?0", "Upload-Length": String(this.content.size) },
      keyed: true,
      options: { idempotencyKey: key, signal: this.going.signal },
    });
    this.named = answer.headers.get("Location")!.split("/").at(-2)!;
  }

  /** Asks what has arrived, and returns the file where that is all. */
  private async ask(): Promise<StoredFile | undefined> {
    const answer = await this.connection.call({ method: "GET", path: this.path, options: { signal: this.going.signal } });
    this.offset = Number(answer.headers.get("Upload-Offset"));
    return answer.status === 200 ? this.connection.row<StoredFile>(answer, "file") : undefined;
  }

  /** Sends the next part, and returns the file after the last one. */
  private async next(): Promise<StoredFile | undefined> {
    const { offset, content, options, going } = this;
    const end = Math.min(offset + (options.partSize ?? partSize), content.size);
    const part = content.slice(offset, end);
    const progress = options.onProgress && ((sent: number) => options.onProgress!(offset + sent, content.size));
    const send = progress && sending(part, progress, this.connection.options.fetch, going.signal);
    const answer = await this.connection.call({
      method: "PATCH",
      path: this.path,
      content: part,
      headers: { "Content-Type": "application/partial-upload", "Upload-Offset": String(offset), "Upload-Complete": end === content.size ? "?1" : "?0" },
      ...(send && { send }),
      options: { signal: going.signal },
    });
    this.offset = end;
    return end === content.size ? this.connection.row<StoredFile>(answer, "file") : undefined;
  }
}

const stopped = () => new ApiError(0, "NO_ANSWER", "the upload was stopped");

/** Sends a body and says how much of it has gone: by XMLHttpRequest in browsers, whose fetch does not say it. */
function sending(blob: Blob, progress: (sent: number, total: number) => void, by: typeof fetch | undefined, signal?: AbortSignal): typeof fetch {
  if (typeof XMLHttpRequest !== "undefined" && !by) {
    return (url, init) =>
      new Promise((resolve, reject) => {
        const request = new XMLHttpRequest();
        request.open(init!.method!, String(url));
        request.withCredentials = true;
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
