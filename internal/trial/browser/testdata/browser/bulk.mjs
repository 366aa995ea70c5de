// Does something to several rows at once in a browser, by mouse and again by the keyboard
// alone: node bulk.mjs URL BROWSER PASSWORD. The service can send no mail, so that jobs wait.
import assert from "node:assert/strict";
import { browser, hands, look, open, settled, signedIn, signIn, url } from "./browser.mjs";

const box = (page, name) => page.getByRole("checkbox", { name: `Choose ${name}`, exact: true });
const button = (within, name) => within.getByRole("button", { name });

const api = await signedIn();
for (const [name, by] of Object.entries(hands)) {
  const page = await open({ viewport: { width: 1440, height: 900 } });
  await signIn(page);
  await deletes(page, by, name);
  await oneByOne(page, by, name);
  await jobs(page, by, name);
  await flow(page, by);
  assert.deepEqual(page.complaints, [], name);
  await page.context().close();
}
for (const width of [1440, 820, 390]) for (const colorScheme of ["light", "dark"]) await views(width, colorScheme);
await browser.close();

// Users are deleted by one request for all, whose answer says of each what became of it.
async function deletes(page, by, name) {
  const users = [1, 2].map((n) => `Bulk ${name} ${n}`);
  for (const user of users) await api.send("POST", "/users", { name: user, email: `${user.replaceAll(" ", "-")}@example.com`, password: "correct horse 1" });
  await page.goto(`${url}/console/rows/users?sort=-id`);
  await settled(page);
  for (const user of [...users, "Admin"]) await by.tick(page, box(page, user));
  await page.getByRole("region", { name: "Chosen rows" }).getByText("3 chosen").waitFor();
  const asked = page.waitForRequest((request) => request.method() === "DELETE");
  await by.use(page, button(page, "Delete…"));
  const dialog = page.getByRole("dialog");
  await page.getByRole("dialog", { name: "Delete 3 users?" }).getByText(users[1]).waitFor();
  await by.use(page, button(dialog, "Delete 3 users"));
  await page.getByRole("dialog", { name: "Delete: 2 of 3 done" }).waitFor();
  await dialog.getByRole("row", { name: /Admin 409 this is the last active admin/ }).waitFor();
  assert.match((await asked).url(), /\/users\/bulk$/);
  await by.use(page, button(dialog, "Close").last());
  await page.getByRole("link", { name: users[0] }).waitFor({ state: "detached" });
  assert.equal((await api.send("GET", `/users?search=${encodeURIComponent(users[0])}`)).length, 0);
}

// Posts are published by one request, and deleted by one: a post that another has deleted
// meanwhile is among the results with its reason. They have no operation that restores many,
// so each is restored by itself.
async function oneByOne(page, by, name) {
  const titles = [1, 2, 3].map((n) => `Bulk post ${n} of ${name}`), ids = [];
  for (const title of titles) ids.push((await api.send("POST", "/posts", { title, content: "Soon gone." })).id);
  await page.goto(`${url}/console/rows/posts?limit=3&sort=-id`);
  await settled(page);
  const dialog = page.getByRole("dialog");
  await by.tick(page, page.getByRole("checkbox", { name: "Choose all rows of this page" }));
  await by.use(page, button(page, "Publish…"));
  const asked = page.waitForRequest((request) => request.method() === "POST" && request.url().includes("/posts"));
  await by.use(page, button(dialog, "Publish 3 posts"));
  await page.getByRole("dialog", { name: "Publish: 3 of 3 done" }).waitFor();
  assert.match((await asked).url(), /\/posts\/bulk\/publish$/);
  await by.use(page, button(dialog, "Close").last());
  await settled(page);
  await by.tick(page, page.getByRole("checkbox", { name: "Choose all rows of this page" }));
  await api.send("DELETE", `/posts/${ids[1]}`);
  await by.use(page, button(page, "Delete…"));
  await by.use(page, button(dialog, "Delete 3 posts"));
  await page.getByRole("dialog", { name: "Delete: 2 of 3 done" }).waitFor();
  await dialog.getByRole("row", { name: new RegExp(`${titles[1]} 404 post not found`) }).waitFor();
  page.complaints.splice(0).forEach((text) => assert.match(text, /status of 404/));
  await by.use(page, button(dialog, "Close").last());
  await page.goto(`${url}/console/rows/posts?limit=3&sort=-id&include_deleted=true`);
  await settled(page);
  for (const title of titles) await by.tick(page, box(page, title));
  await by.use(page, button(page, "Restore…"));
  await by.use(page, button(dialog, "Restore 3 posts"));
  await page.getByRole("dialog", { name: "Restore: 3 of 3 done" }).getByText("Nothing was refused.").waitFor();
  await by.use(page, button(dialog, "Close").last());
  for (const id of ids) assert.ok((await api.send("GET", `/posts/${id}`)).title.startsWith("Bulk post"));
}

// Jobs that wait are cancelled together, and queued again together.
async function jobs(page, by, name) {
  const ids = [];
  for (const n of [1, 2]) {
    const answer = await api.ask("POST", "/emails/send", { to: `${name}-${n}@example.com`, subject: "never", text: "never" });
    ids.push(answer.jobId);
  }
  for (const id of ids) while ((await api.send("GET", `/jobs/${id}`)).status !== "retrying"); // until its first attempt has failed
  await page.goto(`${url}/console/jobs?kind=email&sort=-id&limit=2`);
  await settled(page);
  const dialog = page.getByRole("dialog");
  for (const [action, state] of [["Cancel", "cancelled"], ["Retry", undefined]]) {
    for (const id of ids) await by.tick(page, page.getByRole("row", { name: new RegExp(`^Choose email ${id} `) }).getByRole("checkbox"));
    await by.use(page, button(page, `${action}…`));
    await by.use(page, button(dialog, `${action} 2 jobs`));
    await page.getByRole("dialog", { name: `${action}: 2 of 2 done` }).waitFor();
    await by.use(page, button(dialog, "Close").last());
    await page.getByRole("region", { name: "Chosen rows" }).waitFor({ state: "detached" });
    if (state) for (const id of ids) await page.getByRole("row", { name: new RegExp(`^Choose email ${id} .*cancelled`, "i") }).waitFor();
    for (const id of ids) if (state) assert.equal((await api.send("GET", `/jobs/${id}`)).status, state);
  }
  for (const id of ids) assert.notEqual((await api.send("GET", `/jobs/${id}`)).status, "cancelled");
}

// What waits and what has ended is drawn, and said as a table; a job shows what became of its attempts.
async function flow(page, by) {
  const { jobId } = await api.ask("POST", "/emails/send", { to: "grace@example.com", subject: "Late", text: "Later." });
  while ((await api.send("GET", `/jobs/${jobId}`)).failures.length < 2); // until it has been tried again
  await page.goto(url + "/console/jobs");
  const depth = page.getByRole("figure", { name: /^Waiting and running now/ });
  await by.use(page, depth.getByText("As a table"));
  await depth.getByRole("row", { name: "urgent" }).waitFor();
  await page.getByRole("figure", { name: /^Ended in each minute/ }).waitFor();
  await by.use(page, page.locator("summary", { hasText: "Schedule" }));
  await page.getByRole("row", { name: /^purge 17/ }).waitFor();
  await look(page, "flow");
  await page.goto(`${url}/console/rows/jobs/${jobId}`);
  const attempts = page.getByRole("region", { name: "Attempts" }).getByRole("listitem");
  await attempts.nth(1).waitFor();
  assert.match(await attempts.first().textContent(), /^1Failed/);
  await look(page, "attempts");
}

async function views(width, colorScheme) {
  const page = await open({ viewport: { width, height: 900 }, colorScheme });
  await signIn(page);
  await page.goto(url + "/console/rows/users");
  await settled(page);
  await page.getByRole("checkbox").nth(1).click();
  await look(page, `selection, ${width} px, ${colorScheme}`);
  await button(page, "Delete…").click();
  await look(page, `bulk, ${width} px, ${colorScheme}`);
  await button(page.getByRole("dialog"), /^Delete 1/).click();
  await page.getByRole("dialog").getByText(/of 1 done/).waitFor();
  await look(page, `results, ${width} px, ${colorScheme}`);
  await page.context().close();
}
