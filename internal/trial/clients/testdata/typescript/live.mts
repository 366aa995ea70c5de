// Follows lists with the client, over connections that are cut: node live.mjs URL
import { connect } from "./client/dist/index.js";

declare const process: { argv: string[]; exit(code: number): never };
const url = process.argv[2]!;

let seed = 1;
const random = (n: number) => (seed = (seed * 48271) % 2147483647) % n;

let cutting = true;
let resumed = 0;

/** Cuts event streams somewhere, while it cuts. */
async function cut(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  if (headers.has("Last-Event-ID")) resumed++;
  const answer = await fetch(input, init);
  if (!cutting || headers.get("Accept") !== "text/event-stream" || !answer.ok) return answer;
  let left = random(6000);
  const reader = answer.body!.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) return controller.close();
      controller.enqueue(value.slice(0, left));
      if ((left -= value.length) <= 0) {
        void reader.cancel();
        controller.error(new Error("cut"));
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return new Response(body, { status: answer.status, headers: answer.headers });
}

const db = connect({ url, backoff: 1, fetch: cut as typeof fetch });
await db.session.register({ name: "Ada Lovelace", email: "ada@example.com", password: "correct horse 1" });

const asked = { where: { published: true }, sort: ["title"], limit: 10, expand: ["author"] } as const;
const list = db.posts.live(asked);
let changes = 0;
const end = list.subscribe(() => changes++);

const posts: { id: string | number | bigint }[] = [];
for (let i = 0; i < 120; i++) {
  const post = posts[random(posts.length + 1)];
  if (!post || posts.length < 5) posts.push(await db.posts.create({ title: `Post ${random(1000)}`, content: "Text.", published: random(4) > 0 }));
  else if (random(3) > 0) await db.posts.update(post.id, { title: `Title ${random(1000)}` });
  else await db.posts.delete((posts.splice(posts.indexOf(post), 1), post.id));
}
cutting = false;

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
const { rows } = await db.posts.list(asked);
await new Promise<void>((resolve) => {
  const look = () => same(list.getSnapshot(), rows) && resolve();
  list.subscribe(look);
  look();
});
end();

// One that is asked for its total says how many rows there are beside those that it has.
const counted = db.posts.live({ ...asked, limit: 1, total: true });
const { total } = await db.posts.list({ ...asked, page: 1 });
await new Promise<void>((resolve) => {
  const look = () => counted.total === total && counted.totalExact && resolve();
  counted.subscribe(look);
});
const more = new Promise<void>((resolve) => counted.subscribe(() => counted.total === total! + 1 && resolve()));
await db.posts.create({ title: "Zzz", content: "Text.", published: true });
await more;
if (resumed === 0) throw new Error("it never came back with a position");
if (changes === 0) throw new Error("nothing was told");

// One that is refused ends with the error.
try {
  for await (const _ of connect({ url }).orders.live()) throw new Error("orders of nobody");
} catch (err) {
  if ((err as { status?: number }).status !== 401) throw err;
}
console.log("followed", rows.length);
process.exit(0);
