// Has a page upload by Uppy, which is cut off, paused and refused: node page.mjs BROWSER PAGE URL
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { chromium } from "playwright-core";

const [program, address, url] = process.argv.slice(2);
const text = Array.from({ length: 100_000 }, (_, i) => `line ${i}\n`).join("");

async function ask(path, body, token) {
  const answer = await fetch(url + path, { method: "POST", headers: { "Content-Type": "application/json", ...(token && { Authorization: `Bearer ${token}` }) }, body: JSON.stringify(body) });
  return answer.json();
}

const { token } = await ask("/api/v1/auth/register", { name: "Ada Lovelace", email: "ada@uppy.example.com", password: "correct horse 1" });
const headers = { Authorization: `Bearer ${token}` };
const endpoint = url + "/api/v1/files?for=comment_attachment.file";
const browser = await chromium.launch({ executablePath: program, args: ["--no-sandbox"] });
const page = await browser.newPage();
await page.goto(address);
const send = (more) => page.evaluate((given) => globalThis.send(given), { text, endpoint, token, ...more });

/** What is stored at the address that Uppy has been given: of the file, or of the upload that it was. */
async function stored(given) {
  let at = new URL(given, url);
  if (at.pathname.endsWith("/upload")) at = new URL((await (await fetch(at, { headers })).json()).data.url, url);
  const answer = await fetch(at, { headers });
  return [Buffer.from(await answer.arrayBuffer()).toString() === text, answer.headers.get("content-disposition")];
}

const kept = [true, "attachment; filename=lines.txt"];
const cut = await send({ way: "tus" }); // in one body, which is cut off, and then the service is killed
assert.deepEqual([cut.failed, cut.progress, await stored(cut.address)], [0, text.length, kept], cut.said);
const paused = await send({ way: "tus", chunkSize: 100_000, pauses: true });
assert.deepEqual([paused.stopped, paused.failed, await stored(paused.address)], [true, 0, kept], paused.said);
const form = await send({ way: "form" });
assert.deepEqual([form.failed, form.progress >= text.length, await stored(form.address)], [0, true, kept], form.said);

// What is refused is said: of uploads that are sent in several at a time, and of a text for a picture.
const parallel = await send({ way: "tus", parallelUploads: 2 });
assert.match(parallel.said, /Upload-Concat/);
const picture = { endpoint: url + "/api/v1/files?for=profile.avatar" };
for (const way of ["tus", "form"]) assert.match((await send({ way, ...picture })).said, /image\/png/);
await browser.close();
console.log("uploaded");
