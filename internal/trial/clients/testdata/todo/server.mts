// A list that a server renders and a client goes on with, and one in TanStack DB: node server.mjs URL
import { createCollection } from "@tanstack/db";
import { createElement } from "react";
import { renderToString } from "react-dom/server.browser";
import { connect, type LiveList, type Rendered } from "entwine-client";
import { useLive } from "entwine-client/react";
import { liveCollection } from "entwine-client/tanstack";

declare const process: { argv: string[]; exit(code: number): never };
const events: string[] = [];
/** Notes what streams begin with. */
const noting: typeof fetch = async (input, init) => {
  const answer = await fetch(input, init);
  if (answer.headers.get("Content-Type")?.startsWith("text/event-stream")) {
    const [noted, read] = answer.body!.tee();
    void (async () => {
      let text = "";
      for (const reader = noted.getReader(); !text.includes("event: "); ) text += new TextDecoder().decode((await reader.read()).value);
      events.push(/event: (.*)/.exec(text)![1]!);
    })().catch(() => {});
    return new Response(read, answer);
  }
  return answer;
};
const db = connect({ url: process.argv[2]!, backoff: 1, fetch: noting });
const same = (got: unknown, want: unknown, what: string) => {
  if (JSON.stringify(got) !== JSON.stringify(want)) throw new Error(`${what}: ${JSON.stringify(got)}, want ${JSON.stringify(want)}`);
};
await db.session.register({ name: "Ada Lovelace", email: "ada@example.com", password: "correct horse 1" });
await db.posts.create({ title: "Engines", content: "Text." });

// The server reads the first page and renders it; the client begins with that, and is sent
// what has become of it alone.
const asked = { fields: ["id", "title"], sort: "id" } as const;
const open = () => db.posts.live(asked);
type Todo = NonNullable<ReturnType<ReturnType<typeof open>["getSnapshot"]>>[number];
const Titles = ({ of }: { of: () => LiveList<Todo> }) => createElement("p", null, useLive(of).rows?.map((row) => row.title).join());
const sent = JSON.stringify(await open().first());
const begun = () => open().from(JSON.parse(sent) as Rendered<Todo>);
same(renderToString(createElement(Titles, { of: begun })), "<p>Engines</p>", "what is rendered");
await db.posts.create({ title: "Looms", content: "Text." });
const list = begun();
await list.settled((rows) => rows.length === 2);
same([list.getSnapshot()?.map((row) => row.title), events], [["Engines", "Looms"], ["page", "steps"]], "what the client goes on with");

// A collection has the rows of the list, and writes by the client.
const todos = createCollection(liveCollection(open(), {
  insert: ({ title }) => db.posts.create({ title, content: "Text." }),
  update: ({ id }, { title }) => db.posts.update(id, { title: title! }),
  remove: ({ id }) => db.posts.delete(id),
}));
const titles = () => todos.toArray.map((row) => row.title).sort();
await todos.preload();
same(titles(), ["Engines", "Looms"], "the collection");
const looms = todos.toArray.find((row) => row.title === "Looms")!;
const tx = todos.update(Number(looms.id), (draft) => void (draft.title = "Mills"));
same(titles(), ["Engines", "Mills"], "a change before it is done");
await tx.isPersisted.promise;
same(titles(), ["Engines", "Mills"], "a change");
await todos.insert({ id: -1, title: "Cards" }).isPersisted.promise;
same([titles(), todos.has(-1)], [["Cards", "Engines", "Mills"], false], "a new row has the id of the service");
await todos.delete(Number(looms.id)).isPersisted.promise;
same(titles(), ["Cards", "Engines"], "a row that is deleted");
const refused = todos.update(Number(todos.toArray[0]!.id), (draft) => void (draft.title = ""));
await refused.isPersisted.promise.then(() => { throw new Error("an empty title is accepted"); }, () => {});
same(titles(), ["Cards", "Engines"], "a change that is refused");
const changed = new Promise<void>((resolve) => todos.subscribeChanges(() => titles().includes("Engines!") && resolve()));
await db.posts.update((await db.posts.list(asked)).rows[0]!, { title: "Engines!" });
await changed;
console.log("rendered");
process.exit(0);
