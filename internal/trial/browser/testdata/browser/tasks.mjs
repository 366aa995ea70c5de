// Does everything that the console is for, by mouse and again by the keyboard alone, on a
// screen of a width, light and dark:
// node tasks.mjs URL BROWSER PASSWORD URL-OF-A-SERVICE-WHOSE-MAILS-FAIL WIDTH
//
// Each task begins at the first page of the console, and goes by what the screen says. Where
// it has two numbers, these are how many clicks it takes, and how many fields are typed: by
// the keyboard each click is a press. doc/operations/console.md has them.
import assert from "node:assert/strict";
import { browser, hands, open, password, person, signedIn, url } from "./browser.mjs";
import { keys, permissions, rotated, sees, sessions } from "./tasks-access.mjs";
import { bulk, retried, several, flow } from "./tasks-many.mjs";
import { chart, events, graph, graphiql, health, language, mailbox, migrations, reference, requests, settings, subscribed, usage } from "./tasks-pages.mjs";
import { changed, columns, draft, made, marked, order, pages, search, sorted, uploaded } from "./tasks-rows.mjs";

const [failing, width] = [process.argv[5], Number(process.argv[6])];

const tasks = [
  ["a post seen in a subscription", subscribed, 5, 2],
  ["a draft found", draft, 5, 0],
  ["a key made and revoked", keys, 8, 1],
  ["a key rotated", rotated],
  ["a product made, ordered, paid and refunded", order, 11, 4],
  ["a list sorted, and its address kept", sorted],
  ["columns chosen", columns],
  ["a list searched, and saved as CSV", search],
  ["pages of a list", pages],
  ["a row made, with findings at its fields, published, deleted and restored", made],
  ["a row changed that another one has changed", changed],
  ["a mark made and taken back", marked],
  ["a file uploaded", uploaded],
  ["rows chosen and deleted together", bulk],
  ["the graph, an entity of it and its states", graph],
  ["permissions read as a role, and one explained", permissions],
  ["a request explained", requests],
  ["mails read", mailbox],
  ["events paused", events],
  ["what a key has left", usage],
  ["a setting found", settings],
  ["migrations", migrations],
  ["health", health],
  ["sales drawn for a time", chart],
  ["sign-ins ended", sessions],
  ["seen as a user, and as a role", sees],
  ["the language", language],
  ["an operation tried in the reference", reference],
  ["a query run in GraphiQL", graphiql],
];
const queued = [
  ["a job retried", retried, 4, 0],
  ["jobs cancelled and retried together", several],
  ["queues, the schedule, and the attempts at a job", flow],
];

for (const [hand, colorScheme] of [["mouse", "light"], ["keys", "dark"]]) {
  await all(hand, colorScheme, url, tasks);
  await all(hand, colorScheme, failing, queued);
}
await browser.close();

async function all(hand, colorScheme, at, these) {
  const name = `${hand} ${width}`;
  const options = { viewport: { width, height: 900 }, colorScheme };
  const page = await open(options);
  const me = Object.assign(person(page, hands[hand]), { name, at, options, api: await signedIn(at) });
  await me.signIn(at, "admin@example.com", password);
  assert.deepEqual([me.clicks, me.typed], [1, 2], "sign in");
  for (const [task, does, clicks, typed] of these) {
    await page.goto(at + "/console");
    page.expected = [];
    me.clicks = me.typed = page.presses = 0;
    const began = Date.now();
    try {
      await does(me);
      if (clicks) assert.deepEqual([me.clicks, me.typed], [clicks, typed]);
      assert.deepEqual(page.complaints, []);
    } catch (err) {
      throw new Error(`${name}, ${task}`, { cause: err });
    }
    console.log(`${name}, ${task}: ${Date.now() - began} ms, at most ${page.presses} presses of Tab`);
  }
  await page.context().close();
}
