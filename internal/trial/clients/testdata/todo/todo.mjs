// Has two browsers and other people share a list over networks that fail, while the service is started
// anew: node todo.mjs CONTROL BROWSER PEOPLE WRITES URL... It writes what the screens have shown into seen.json.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { chromium } from "playwright-core";
import { ApiError, LiveList, connect } from "./client/dist/index.js";
import { asked, text } from "./notes.mjs";

const [control, program, people, writes, ...urls] = process.argv.slice(2);
const deploys = 3;
let seed = 7;
const random = (n) => (seed = (seed * 48271) % 2147483647) % n;

// What a list of this process has shown is noted, as watched.mjs does it in a browser.
const notes = new Map();
const texts = new Map(); // each once, for a hundred screens show the same
const once = (text) => texts.get(text) ?? (texts.set(text, text), text);
const heard = LiveList.prototype.heard;
LiveList.prototype.heard = function (event, said) {
  const known = heard.call(this, event, said);
  if (known) notes.get(this)?.push({ event, text: once(text(this.rows)) });
  return known;
};

const browser = await chromium.launch({ executablePath: program, args: ["--no-sandbox"] });
const pages = [];
for (const url of urls.slice(0, 2)) {
  const page = await (await browser.newContext()).newPage();
  page.on("pageerror", (err) => assert.fail(err));
  await page.goto(url);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.locator("input[name=title]").waitFor();
  pages.push(page);
}
let token;
const first = client(0);
await first.session.signIn({ email: "ada@example.com", password: "correct horse 1" });
token = first.session.token;
const lists = [];
for (let i = 0; i < people; i++) lists.push(follows(client(i)));

// All write, and at each quarter of that the service is started anew.
await network("fails");
const quarter = Math.floor((people * writes) / (deploys + 1));
let done = 0, refused = 0;
let deployed = Promise.resolve();
const typing = [...lists.map((list, i) => types(client(i), list)), ...pages.map(uses)];
await Promise.all(typing);
await deployed;
await network("holds");

// What is on the screens is what there is.
for (;;) {
  const { rows } = await first.posts.list(asked);
  const want = rows.map((row) => [String(row.id), row.title, row.published]);
  const screens = await Promise.all(pages.map(shown));
  if (screens.every((screen) => same(screen, want)) && lists.every((list) => list.getSnapshot() && text(list.getSnapshot()) === text(rows))) break;
}
for (const list of lists) list.end();
const last = JSON.stringify((await first.posts.list(asked)).rows.map((row) => [Number(row.id), row.title, row.published]));
await Promise.all(pages.map((page) => page.waitForFunction((want) => globalThis.notes.frames.at(-1) === want, last)));

// From each position that a browser had, what became of the rows comes, and no page.
const seen = { screens: lists.map((list) => notes.get(list)), frames: [] };
for (const page of pages) {
  const { rows, frames } = await page.evaluate(() => globalThis.notes);
  seen.screens.push(rows);
  seen.frames.push(frames);
}
await resumes([...new Map(seen.screens.slice(people).flat().map((note) => [note.position, note])).values()]);
const indexes = new Map();
seen.screens = seen.screens.map((screen) => screen.map(({ text }) => indexes.get(text) ?? (indexes.set(text, indexes.size), indexes.size - 1)));
writeFileSync("seen.json", JSON.stringify({ ...seen, states: [...indexes.keys()] }));
console.log(`shown ${done} writes, of which ${refused} were refused or lost`);
await browser.close();
process.exit(0);

/** Somebody, over a network that others have, too. */
function client(i) {
  const db = connect({ url: urls[2 + (i % (urls.length - 2))], backoff: 20, retries: 8 });
  db.session.token = token;
  return db;
}

/** The screen of somebody. */
function follows(db) {
  const list = db.posts.live(asked);
  notes.set(list, []);
  return Object.assign(list, { end: list.subscribe(() => {}) });
}

/** Writes, each time once the screen shows what was written before. */
async function types(db, list) {
  for (let n = 0; n < writes; n++) {
    const all = list.getSnapshot() ?? [];
    const row = all[random(all.length || 1)];
    const kind = all.length < 4 ? 0 : all.length > 60 ? 3 : random(4);
    try {
      if (kind === 0) await db.posts.create({ title: `To do ${random(1e6)}`, content: "To do." }).then((post) => list.settled((rows) => rows.some((one) => one.id === post.id)));
      else if (kind === 1) await db.posts.update(row.id, { title: row.title.slice(0, 20) + "!" });
      else if (kind === 2) await db.posts.publish(row.id);
      else await db.posts.delete(row.id).then(() => list.settled((rows) => rows.every((one) => one.id !== row.id)));
    } catch (err) {
      // Another was faster, or the network was away for longer than the client tries.
      if (!(err instanceof ApiError) || ![0, 404, 409, 412, 502, 503, 504].includes(err.status)) throw err;
      refused++;
    }
    if (++done % quarter === 0 && done / quarter <= deploys) deployed = deployed.then(() => network("restarts"));
  }
}

/** Does what a person does at a browser. */
async function uses(page) {
  for (let i = 0; i < 10 * writes; i++) {
    const kind = random(5);
    const count = await page.locator("li").count();
    if (count < 4 || (kind === 0 && count < 60)) {
      await page.locator("input[name=title]").fill(`To do ${i}`);
      await page.locator("input[name=title]").press("Enter");
    } else {
      await page.evaluate(([kind, at]) => {
        const all = document.querySelectorAll("li");
        all[at % all.length]?.querySelector(["input", "button[name=rename]", "button[name=remove]"][kind % 3])?.click();
      }, [kind, random(100)]);
    }
    for (let frame = 0; frame < 4; frame++) await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  }
}

/** Goes on from positions, and has by one event what there is. */
async function resumes(all) {
  assert.ok(all.length > 0);
  const want = text((await first.posts.list(asked)).rows);
  const parts = Array.from({ length: 20 }, (_, i) => all.filter((_, at) => at % 20 === i));
  await Promise.all(parts.map(async (part) => {
    for (const note of part) {
      const rows = JSON.parse(note.text).map(([id, title, published, version]) => ({ id, title, published, version }));
      const list = first.posts.live(asked).from({ rows, position: note.position });
      notes.set(list, []);
      const end = list.subscribe(() => {});
      while (notes.get(list).length === 0) await new Promise((resolve) => setImmediate(resolve));
      end();
      const [again] = notes.get(list);
      assert.deepEqual([again.event, again.text], ["steps", want], `from ${note.position}`);
    }
  }));
}

/** The rows of a page. */
function shown(page) {
  return page.evaluate(() => [...document.querySelectorAll("li")].map((li) => [li.dataset.id, li.querySelector("span").textContent, li.dataset.done === "true"]));
}

/** Has the networks fail, restart the service, or hold from now on. */
async function network(how) {
  const answer = await fetch(`${control}/${how}`, { method: "POST" });
  assert.ok(answer.ok);
}

function same(a, b) {
  return JSON.stringify(a) === JSON.stringify(b);
}
