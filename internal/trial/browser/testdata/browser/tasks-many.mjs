// Tasks with many rows at once, and with jobs, of a service that can send no mail.
import assert from "node:assert/strict";
import { look, settled } from "./browser.mjs";

/** A mail that is never sent, once its first attempt has failed. */
async function tried(me, name = "", attempts = 1) {
  const { jobId } = await me.api.ask("POST", "/emails/send", { to: `${name}${me.name.replaceAll(" ", "-")}@example.com`, subject: "never", text: "never" });
  while ((await me.api.send("GET", `/jobs/${jobId}`)).failures.length < attempts);
  return jobId;
}

// Users are chosen and deleted by one request for all, whose answer says what became of each;
// posts are restored one after the other.
export async function bulk(me) {
  const { page, dialog, api } = me;
  const users = [1, 2].map((n) => `Bulk ${me.name} ${n}`);
  for (const user of users) await api.send("POST", "/users", { name: user, email: `${user.replaceAll(" ", "-")}@example.com`, password: "correct horse 1" });
  await page.goto(`${me.at}/console/rows/users?search=${encodeURIComponent(`Bulk ${me.name}`)}`);
  await settled(page);
  for (const user of users) await me.tick(page.getByRole("checkbox", { name: `Choose ${user}`, exact: true }));
  await page.getByRole("region", { name: "Chosen rows" }).getByText("2 chosen").waitFor();
  const asked = page.waitForRequest((request) => request.method() === "DELETE");
  await me.use(me.button("Delete…"));
  await page.getByRole("dialog", { name: "Delete 2 users?" }).getByText(users[1]).waitFor();
  await me.use(dialog.getByRole("button", { name: "Delete 2 users" }));
  await page.getByRole("dialog", { name: "Delete: 2 of 2 done" }).waitFor();
  assert.match((await asked).url(), /\/users\/bulk$/);
  await me.use(dialog.getByRole("button", { name: "Close" }).last());
  await me.link(users[0]).waitFor({ state: "detached" });
  await oneByOne(me);
}

// A post that another has deleted meanwhile is among the results, with its reason. Posts have
// no operation that restores many, so each is restored by itself.
async function oneByOne(me) {
  const { page, dialog, api } = me;
  const names = [1, 2, 3].map((n) => `Bulk post ${n} of ${me.name}`), ids = [];
  for (const title of names) ids.push((await api.send("POST", "/posts", { title, content: "Soon gone." })).id);
  const all = page.getByRole("checkbox", { name: "Choose all rows of this page" });
  const run = async (action, done) => {
    await me.use(me.button(`${action}…`));
    await me.use(dialog.getByRole("button", { name: `${action} 3 posts` }));
    await page.getByRole("dialog", { name: `${action}: ${done} of 3 done` }).waitFor();
  };
  const close = async () => {
    await me.use(dialog.getByRole("button", { name: "Close" }).last());
    await settled(page);
  };
  await page.goto(`${me.at}/console/rows/posts?limit=3&sort=-id`);
  await settled(page);
  await me.tick(all);
  const asked = page.waitForRequest((request) => request.method() === "POST" && request.url().includes("/posts"));
  await run("Publish", 3);
  assert.match((await asked).url(), /\/posts\/bulk\/publish$/);
  await close();
  await me.tick(all);
  page.expected.push(/status of 404/);
  await api.send("DELETE", `/posts/${ids[1]}`);
  await run("Delete", 2);
  await dialog.getByRole("row", { name: new RegExp(`${names[1]} 404 post not found`) }).waitFor();
  await close();
  await page.goto(`${me.at}/console/rows/posts?limit=3&sort=-id&include_deleted=true`);
  await settled(page);
  await me.tick(all);
  await run("Restore", 3);
  await dialog.getByText("Nothing was refused.").waitFor();
  await close();
  for (const id of ids) assert.ok((await api.send("GET", `/posts/${id}`)).title.startsWith("Bulk post"));
}

// A job that was cancelled, as one that failed would be, is queued again.
export async function retried(me) {
  const { page, dialog } = me;
  const id = await tried(me);
  await me.api.send("POST", `/jobs/${id}/cancel`);
  await me.go("Jobs");
  await me.use(page.getByRole("table").getByRole("link", { name: String(id), exact: true }));
  await me.use(me.button("Retry"));
  await me.use(dialog.getByRole("button", { name: "Retry" }));
  await dialog.waitFor({ state: "detached" });
  await me.button("Cancel").waitFor();
  assert.notEqual((await me.api.send("GET", `/jobs/${id}`)).status, "cancelled");
}

// Jobs that wait are cancelled together, and queued again together.
export async function several(me) {
  const { page, dialog } = me;
  const ids = await Promise.all(["a-", "b-"].map((name) => tried(me, name)));
  await page.goto(`${me.at}/console/jobs?kind=email&sort=-id&limit=2`);
  await settled(page);
  for (const action of ["Cancel", "Retry"]) {
    for (const id of ids) await me.tick(me.row(new RegExp(`^Choose email ${id} `)).getByRole("checkbox"));
    await me.use(me.button(`${action}…`));
    await me.use(dialog.getByRole("button", { name: `${action} 2 jobs` }));
    await page.getByRole("dialog", { name: `${action}: 2 of 2 done` }).waitFor();
    await me.use(dialog.getByRole("button", { name: "Close" }).last());
    await page.getByRole("region", { name: "Chosen rows" }).waitFor({ state: "detached" });
    for (const id of ids) {
      const { status } = await me.api.send("GET", `/jobs/${id}`);
      assert.equal(status === "cancelled", action === "Cancel", `job ${id} is ${status}`);
    }
  }
}

// What waits and what has ended is drawn, and said as a table; a state is a tab; the schedule
// leads to the jobs of a kind; a job shows what became of its attempts.
export async function flow(me) {
  const { page } = me;
  const id = await tried(me, "late-", 2);
  await me.go("Jobs");
  const depth = page.getByRole("figure", { name: /^Waiting and running now/ });
  await me.use(depth.getByText("As a table"));
  await depth.getByRole("row", { name: "urgent" }).waitFor();
  await page.getByRole("figure", { name: /^Ended in each minute/ }).waitFor();
  await me.use(page.locator("summary", { hasText: "Schedule" }));
  await me.row(/^purge 17/).waitFor();
  await look(page, "queues and schedule");
  await me.use(page.getByRole("navigation", { name: "States" }).getByRole("link", { name: "Retrying" }));
  await page.waitForURL(/status=retrying/);
  await settled(page);
  const job = page.getByRole("table").last().getByRole("link", { name: String(id), exact: true });
  while (await job.count() === 0) { // it was running at that moment
    await page.reload();
    await settled(page);
  }
  await me.use(job);
  const attempts = page.getByRole("region", { name: "Attempts" }).getByRole("listitem");
  await attempts.nth(1).waitFor();
  assert.match(await attempts.first().textContent(), /^1Failed/);
  await look(page, "attempts");
}
