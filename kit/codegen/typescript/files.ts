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
}

export interface Uploading extends CallOptions {
  /** What the file is called: by default the name of a File. */
  name?: string;
  /** Is called as bytes are sent. After a lost answer it begins anew. */
  onProgress?: (sent: number, total: number) => void;
}

/** The files of the service, of these fields. */
export class Files<Target extends string> {
  constructor(private readonly connection: Connection) {}

  /** Uploads a file for a field, which is set to its url afterwards. A repetition after a lost answer stores it once. */
  async upload(file: Content, options: Uploading & { for: Target }): Promise<StoredFile> {
    const blob = file instanceof Blob ? file : new Blob([file]);
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

  /** The address of a file for a page of the same sign-in. */
  address(url: string): string {
    return url.startsWith("/") ? (this.connection.options.url ?? "") + url : url;
  }

  /** An address of a file that needs no credentials, for so many seconds: an hour by default. */
  async link(url: string, options: CallOptions & { seconds?: number } = {}): Promise<string> {
    const answer = await this.connection.call({ method: "GET", path: `${this.pathOf(url)}/link`, query: { seconds: options.seconds }, options });
    return this.address(this.connection.row<{ url: string }>(answer, "link").url);
  }

  /** Takes a file from its row, whose field becomes null, or removes an upload that no row has. */
  async remove(url: string, options: CallOptions = {}): Promise<void> {
    await this.connection.call({ method: "DELETE", path: this.pathOf(url), options });
  }

  private pathOf(url: string): string {
    return "/files/" + encodeURIComponent(url.slice(url.lastIndexOf("/") + 1));
  }
}

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
