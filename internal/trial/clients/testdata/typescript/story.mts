// Drives the service with the client: node story.mjs URL
import { connect, failed, ApiError, type Options } from "./client/dist/index.js";

declare const process: { argv: string[]; exit(code: number): never };
const url = process.argv[2]!;
let checks = 0;

function equal(got: unknown, want: unknown, what: string): void {
  checks++;
  const [a, b] = [got, want].map((v) => JSON.stringify(v, (_, x: unknown) => (typeof x === "bigint" ? `${x}n` : x)));
  if (a !== b) throw new Error(`${what}: ${a}, want ${b}`);
}

/** A browser's fetch: it keeps cookies. What happens to each request is said by before and after. */
function browser(jar = new Map<string, string>()) {
  const b = {
    jar,
    asked: [] as string[],
    keys: [] as (string | null)[],
    before: (_: string): Response | undefined => undefined,
    after: (_: string): void => undefined,
    fetch: async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
      const headers = new Headers(init.headers);
      const line = `${init.method} ${String(input).slice(url.length)}`;
      b.asked.push(line);
      b.keys.push(headers.get("Idempotency-Key"));
      const refused = b.before(line);
      if (refused) return refused;
      headers.set("Cookie", [...jar].map(([name, value]) => `${name}=${value}`).join("; "));
      const answer = await fetch(input, { ...init, headers });
      for (const cookie of answer.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
        if (value === "" || /max-age=0/i.test(cookie)) jar.delete(name!);
        else jar.set(name!, value!);
      }
      b.after(line);
      return answer;
    },
  };
  return b;
}

const client = (b: { fetch: unknown }, options: Options = {}) => connect({ url, fetch: b.fetch as typeof fetch, backoff: 1, ...options });

const ada = browser();
const db = client(ada);

async function rejects(what: Promise<unknown>): Promise<ApiError> {
  try {
    await what;
  } catch (err) {
    if (err instanceof ApiError) return err;
    throw err;
  }
  throw new Error("it did not fail");
}

/** Has the answers of the next requests that begin with the line get lost, after the service has done its part. */
function lose(line: string, times = 1): void {
  ada.after = (asked) => {
    if (asked.startsWith(line) && times-- > 0) throw new TypeError("fetch failed");
  };
}

async function signsIn() {
  const changes: boolean[] = [];
  const end = db.session.onChange((signedIn) => changes.push(signedIn));
  await db.session.register({ name: "Ada Lovelace", email: "ada@example.com", password: "correct horse 1" });
  await db.session.signOut();
  equal((await rejects(Promise.resolve(db.orders.list()))).code, "AUTH_REQUIRED", "an anonymous caller");
  equal(failed(await rejects(db.session.signIn({ email: "ada@example.com", password: "wrong horse 1" })), "INVALID_CREDENTIALS"), true, "a wrong password");
  equal(await db.session.signIn({ email: "ada@example.com", password: "correct horse 1" }), { requires2FA: false }, "signing in");
  end();
  equal(changes, [true, false, true], "the changes that listeners hear");
}

async function lists() {
  for (let i = 0; i < 25; i++) await db.posts.create({ title: `Post ${i}`, content: "Text.", published: i % 5 > 0 });
  const titles: string[] = [];
  ada.asked = [];
  for await (const post of db.posts.list({ limit: 10, sort: "created_at", fields: ["id", "title"] })) titles.push(post.title);
  equal(titles, Array.from({ length: 25 }, (_, i) => `Post ${i}`), "all rows by cursors");
  equal(ada.asked.length, 3, "requests for 25 rows");
  const page = await db.posts.list({ where: { published: true, title: { gte: "Post 2" }, id: { in: [1, 2, 3, 4] } }, expand: ["author"], sort: ["-title"] });
  equal(page.rows.map((post) => `${post.title} by ${post.author.name}`), ["Post 3 by Ada Lovelace", "Post 2 by Ada Lovelace"], "a filtered page");
  const numbered = await db.posts.list({ page: 2, limit: 20 });
  equal([numbered.rows.length, numbered.total], [5, 25], "the second page");
  const nested = await db.posts.get(page.rows[0]!, { expand: ["comments.author"] });
  equal([nested.comments.length, nested.actions.map((a) => a.name)], [0, ["archive"]], "one row with edges");
}

async function writes() {
  const post = await db.posts.create({ title: "One", content: "Text." });
  const two = await db.posts.update(post, { title: "Two" });
  equal([two.title, two.version], ["Two", 2], "a change");
  const late = await rejects(db.posts.update(post, { title: "Three" }));
  equal([late.status, late.code, failed(late, "PRECONDITION_FAILED")], [412, "PRECONDITION_FAILED", true], "a change of what another changed");
  equal((await db.posts.update(post.id, { title: "Three" })).version, 3, "a change whatever the version is");
  const wrong = await rejects(db.posts.create({ title: "", content: "Text." }));
  equal([wrong.status, wrong.details[0]?.field], [422, "title"], "a wrong input");
  const published = await db.posts.publish(post.id);
  equal([published.published, await db.posts.like(post.id)], [true, { liked: true, likes_count: 1 }], "actions");
  equal((await db.posts.likes(post.id)).rows.length, 1, "the list at the end of an edge");
  await db.posts.unlike(post.id);
  await db.posts.delete(published.id);
  equal((await rejects(db.posts.get(post.id))).status, 404, "a row that is deleted");
}

async function loses() {
  const count = async () => (await db.posts.list({ page: 1 })).total!;
  const before = await count();
  lose("POST /api/v1/posts", 2);
  ada.keys = [];
  const post = await db.posts.create({ title: "Once", content: "Text." });
  equal([await count(), new Set(ada.keys.slice(0, 3)).size, ada.keys[0] !== null], [before + 1, 1, true], "rows of a create whose answers were lost");
  lose("PATCH ");
  const changed = await db.posts.update(post, { title: "Changed once" });
  equal([changed.title, changed.version], ["Changed once", 2], "a change whose answer was lost");
  lose("DELETE ");
  await db.posts.delete(changed);
  equal(await count(), before, "rows after a deletion whose answer was lost");
  let tries = 0;
  ada.before = () => (tries++ < 2 ? new Response("busy", { status: 503, headers: { "Retry-After": "0" } }) : undefined);
  await db.posts.list();
  equal(tries, 3, "tries of what is busy twice");
  ada.before = () => new Response("{}", { status: 429, headers: { "Retry-After": "900" } });
  equal((await rejects(Promise.resolve(db.posts.list()))).retryAfter, 900, "a wait that is too long");
  ada.before = () => new Response("", { status: 502 });
  ada.asked = [];
  equal([(await rejects(Promise.resolve(db.posts.list()))).status, ada.asked.length], [502, 5], "a service that stays away");
  ada.before = () => undefined;
}

/** What browsers have and this program does not. */
function tabs() {
  const global = globalThis as Record<string, unknown>;
  const stored = new Map<string, string>();
  let last = Promise.resolve();
  global["window"] = {};
  global["localStorage"] = { getItem: (name: string) => stored.get(name) ?? null, setItem: (name: string, value: string) => void stored.set(name, value) };
  const locks = { request: (_: string, run: () => Promise<unknown>) => (last = last.then(run, run) as Promise<void>) };
  Object.defineProperty(globalThis, "navigator", { value: { locks }, configurable: true });
}

async function refreshes() {
  const refreshed = (b: typeof ada) => b.asked.filter((line) => line.endsWith("/auth/refresh")).length;
  ada.asked = [];
  db.session.token += "x";
  await Promise.all([db.orders.list(), db.orders.list(), db.orders.list()]);
  equal(refreshed(ada), 1, "refreshes of three requests at once");
  tabs();
  const [one, two] = [browser(ada.jar), browser(ada.jar)];
  const [first, second] = [client(one), client(two)];
  equal(await first.session.resume(), true, "an earlier sign-in");
  first.session.token += "x";
  second.session.token = first.session.token;
  [one.asked, two.asked] = [[], []];
  await Promise.all([first.orders.list(), second.orders.list()]);
  equal([refreshed(one) + refreshed(two), first.session.token === second.session.token], [1, true], "refreshes of two tabs");
  const heard = new Promise<boolean>((resolve) => second.session.onChange(resolve));
  await first.session.signOut();
  equal([await heard, second.session.token], [false, undefined], "what the other tab hears of signing out");
}

async function exact() {
  const paths: string[] = [];
  const far = connect({
    fetch: (async (path: string, init?: RequestInit) => {
      paths.push(`${path} ${init?.body ?? ""}`);
      return new Response('{"status":"success","data":{"id":9007199254740993,"title":"9007199254740993 \\" 12345678901234567890","likes_count":42}}');
    }) as typeof fetch,
  });
  const post = await far.posts.get(1);
  equal([post.id, post.title, post.likes_count], [9007199254740993n, '9007199254740993 " 12345678901234567890', 42], "an id above 2^53");
  await far.posts.update(post.id, { category_id: post.id });
  equal(paths[1], '/api/v1/posts/9007199254740993 {"category_id":9007199254740993}', "an id above 2^53 that is sent");
}

/** A picture of one pixel. */
const picture = Uint8Array.from(atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP6DwABBQECz6AuzQAAAABJRU5ErkJggg=="), (c) => c.charCodeAt(0));

async function uploads() {
  const me = (await db.session.me<{ id: number }>())!;
  const progress: number[][] = [];
  lose("POST /api/v1/files");
  ada.asked = [];
  ada.keys = [];
  const file = await db.files.upload(picture, { for: "profile.avatar", name: "ada.png", onProgress: (sent, total) => progress.push([sent, total]) });
  equal([file.name, file.size > 0, ada.asked.length, ada.keys[0] === ada.keys[1]], ["ada.png", true, 2, true], "an upload whose answer is lost");
  equal(progress, [[picture.length, picture.length], [picture.length, picture.length]], "its progress, twice");
  await db.profile.update(me.id, { avatar: file.url });
  ada.after = () => undefined;
  equal((await rejects(db.files.upload(new Blob(["text"]), { for: "profile.avatar" }))).status, 415, "a text for a picture");
  equal(await db.files.usage(), { own: { used: file.size, quota: null }, tenant: null }, "how much is stored");
  const stop = new AbortController();
  stop.abort(new Error("stopped"));
  equal(await db.files.upload(picture, { for: "profile.avatar", signal: stop.signal }).catch((err: Error) => err.message), "stopped", "an upload that was ended");
  const profile = await db.profile.upload(me.id, "avatar", new File([picture], "other.png"));
  const bytes = async (address: string, init?: RequestInit) => (await fetch(address, init)).status;
  const own = await db.files.upload(picture, { for: "profile.avatar" }); // in no row: its uploader alone reads it
  equal([profile.avatar !== file.url, await bytes(db.files.address(own.url)), await bytes(await db.files.link(own.url, { seconds: 60, variant: "small" }))], [true, 404, 200], "a link to a file");
  await db.files.remove(profile.avatar!);
  equal((await db.profile.get(me.id)).avatar, null, "a file that was removed");
}

/** A file that is sent in parts goes on after a lost answer, a pause, and in another page. */
async function inParts() {
  const parts = { for: "profile.avatar", name: "parts.png", partSize: 20 } as const;
  ada.asked = [];
  lose("PATCH /api/v1/files/", 2); // one that the service has taken, and its repetition, which it refuses
  const sent: number[] = [];
  const file = await db.files.begin(picture, { ...parts, onProgress: (n) => sent.push(n) }).done;
  equal([file.name, file.size, sent.at(-1), ada.asked.filter((line) => line.startsWith("GET")).length], ["parts.png", picture.length, picture.length, 1], "an upload in parts");
  ada.after = () => undefined;

  let pausing = true;
  const paused = db.files.begin(picture, {
    ...parts,
    onProgress: (n) => {
      if (n > 20 && pausing) {
        pausing = false;
        paused.pause();
        setTimeout(() => paused.resume());
      }
    },
  });
  const made = await paused.done;
  equal([made.size, paused.paused, made.id === paused.id], [picture.length, false, true], "an upload after a pause");

  const first = db.files.begin(picture, { ...parts, onProgress: (n) => n > 20 && first.pause() });
  while (!first.paused) await new Promise((next) => setTimeout(next));
  const second = db.files.begin(picture, { ...parts, id: first.id });
  equal((await second.done).id, first.id, "an upload that another page goes on with");
  await first.stop();
  equal((await rejects(first.done)).message, "the upload was stopped", "an upload that was stopped");
  equal((await rejects(db.files.begin(picture, { ...parts, id: first.id }).done)).status, 404, "what was stopped");
  equal((await rejects(db.files.begin(new Blob(["a text, and more of it"]), parts).done)).status, 415, "a text for a picture, in parts");
}

await signsIn();
await lists();
await writes();
await loses();
await uploads();
await inParts();
await refreshes();
await exact();
console.log("checks:", checks);
process.exit(0);
