// Two clients look at a post: node presence.mjs URL
import { connect } from "./client/dist/index.js";

declare const process: { argv: string[]; exit(code: number): never };
const url = process.argv[2]!;

let cutting: AbortController | undefined;
/** Streams of the first client can be cut. */
const cut: typeof fetch = async (input, init = {}) => {
  if (new Headers(init.headers).get("Accept") !== "text/event-stream") return fetch(input, init);
  cutting = new AbortController();
  return fetch(input, { ...init, signal: AbortSignal.any([cutting.signal, init.signal!]) });
};

const ada = connect({ url, backoff: 1, fetch: cut });
await ada.session.register({ name: "Ada Lovelace", email: "ada@example.com", password: "correct horse 1" });
const eve = connect({ url, backoff: 1 });
await eve.session.register({ name: "Eve", email: "eve@example.com", password: "correct horse 1" });
const post = await ada.posts.create({ title: "Engines", content: "Text.", published: true });

const hers = ada.posts.presence(post);
const theirs = eve.posts.presence(post.id);
type Rows = NonNullable<ReturnType<typeof hers.getSnapshot>>;

/** Waits until what the client is shown is so. */
const until = (of: typeof hers, is: (rows: Rows) => boolean) =>
  new Promise<void>((resolve) => {
    const end = of.subscribe(look);
    function look() {
      const rows = of.getSnapshot();
      if (!rows || !is(rows)) return;
      queueMicrotask(() => end());
      resolve();
    }
    look();
  });

const stay = hers.subscribe(() => {});
const leave = theirs.subscribe(() => {});
await until(theirs, (rows) => rows.length === 2 && rows.some((r) => r.user_id === post.author_id && !r.state.typing));

// The last of what is said in a hurry is what the others see.
for (let line = 1; line <= 100; line++) hers.set({ line, typing: line % 2 === 0 });
await until(theirs, (rows) => rows.some((r) => r.state.line === 100 && r.state.typing && r.id === hers.me));

// A connection that is cut is made anew, and says it again.
const before = hers.me;
cutting!.abort();
await until(theirs, (rows) => rows.length === 2 && rows.some((r) => r.state.line === 100 && r.id !== before));

leave();
await until(hers, (rows) => rows.length === 1 && rows[0]!.id === hers.me);
stay();
console.log("looked");
process.exit(0);
