// The client as stores of Svelte and references of Vue: node stores.mjs URL
import { effectScope, watch } from "vue";
import { connect } from "entwine-client";
import { action, live, session } from "entwine-client/svelte";
import { useAction, useLive, useSession } from "entwine-client/vue";

declare const process: { argv: string[]; exit(code: number): never };
const db = connect({ url: process.argv[2]!, backoff: 1 });
const same = (got: unknown, want: unknown, what: string) => {
  if (JSON.stringify(got) !== JSON.stringify(want)) throw new Error(`${what}: ${JSON.stringify(got)}, want ${JSON.stringify(want)}`);
};

const signedIn: boolean[] = [];
session(db).subscribe((now) => signedIn.push(now.signedIn));
const scope = effectScope();
const [who, posts, write] = scope.run(() => {
  return [useSession(db), useLive(db.posts.live({ fields: ["title"] })), useAction((title: string) => db.posts.create({ title, content: "Text." }))] as const;
})!;
await db.session.register({ name: "Ada Lovelace", email: "ada@example.com", password: "correct horse 1" });
same([signedIn, who.value.signedIn], [[false, true], true], "who is signed in");

const list = db.posts.live({ fields: ["title"] });
const screens: (string[] | undefined)[] = [];
const reached = new Promise<void>((resolve) => {
  live(list).subscribe(({ rows }) => screens.push(rows?.map((row) => row.title)) && rows?.length === 1 && resolve());
});
const shown = new Promise<void>((resolve) => {
  scope.run(() => watch(posts, (now) => now.rows?.length === 1 && resolve()));
});
await write.act("One");
same(write.state.value, { pending: false }, "an action of Vue");
await Promise.all([reached, shown]);
same([screens[0], screens.at(-1), posts.value.rows], [null, ["One"], [{ title: "One" }]], "what is shown");

const states: [boolean, boolean][] = [];
const rename = action((title: string) => list.optimistic((rows) => rows.map((row) => ({ ...row, title })), () => db.posts.update(999, { title })));
rename.subscribe(({ pending, error }) => states.push([pending, error !== undefined]));
await rename.act("Refused");
same(states, [[false, false], [true, false], [false, true]], "an action of Svelte");
same(screens.slice(-2), [["Refused"], ["One"]], "a write that is taken back");
scope.stop();
console.log("shown");
process.exit(0);
