// Uses the pages of operators in a browser, by mouse and again by the keyboard alone:
// node operators.mjs URL BROWSER PASSWORD
import assert from "node:assert/strict";
import { browser, hands, open, password, settled, signedIn, signIn, url } from "./browser.mjs";

const api = await signedIn();

for (const [name, by] of Object.entries(hands)) {
  const page = await open({ viewport: { width: 1440, height: 900 } });
  await signIn(page);
  await mailbox(page, by, name);
  await events(page, by, name);
  await usage(page, by, name);
  await settings(page, by);
  await migrations(page, by);
  await health(page, by);
  assert.deepEqual(page.complaints, [], name);
  await page.context().close();
}
await browser.close();

// A mail is found by its recipient and read. The token in it, which is alive, is not shown.
async function mailbox(page, by, name) {
  const address = `${name}@example.com`;
  await api.send("POST", "/emails/send", { to: address, subject: "Look", text: "Open https://example.com/reset?token=alive-and-well now." });
  await fetch(url + "/api/v1/auth/forgot-password", { method: "POST", headers: { "Content-Type": "application/json" }, body: '{"email":"admin@example.com"}' });
  await by.use(page, page.getByRole("link", { name: "Mailbox" }));
  await page.getByRole("heading", { name: "Mailbox" }).waitFor();
  for (const subject of ["Look", "Set a new password"]) { // until the worker has sent them
    while ((await api.send("GET", `/emails?subject=${encodeURIComponent(subject)}`)).length === 0);
  }
  await by.use(page, page.getByRole("button", { name: "Look again" }));
  await by.use(page, page.getByRole("link", { name: /^Set a new password/ }).first());
  await page.getByText("Set one within 30 minutes").waitFor();
  assert.match(await page.locator(".letter").textContent(), /\[redacted\]/);
  assert.doesNotMatch(await page.locator(".letter").textContent(), /[0-9a-f]{32}/);
  await by.write(page, page.getByRole("searchbox"), address);
  await page.keyboard.press("Enter");
  await page.waitForURL(/to=/);
  await by.use(page, page.getByRole("link", { name: /^Look/ }));
  await page.getByText("?token=[redacted] now.").waitFor();
}

// What another one does is seen as it happens; what happens in a pause is seen after it.
async function events(page, by, name) {
  await by.use(page, page.getByRole("link", { name: "Events" }));
  await by.use(page, page.getByRole("navigation", { name: "Entities" }).getByRole("link", { name: "Posts" }));
  await page.getByText("Listening.").waitFor();
  const { id } = await api.send("POST", "/posts", { title: `Seen by ${name}`, content: "Now." });
  const log = page.getByRole("log");
  await log.getByRole("link", { name: `Seen by ${name}` }).waitFor();
  await by.use(page, page.getByRole("button", { name: "Pause" }));
  await page.getByText("Paused.").waitFor();
  await api.send("PATCH", `/posts/${id}`, { content: "Later." });
  await by.use(page, page.getByRole("button", { name: "Go on" }));
  await log.getByText("changed").waitFor();
  await log.getByText("Later.").waitFor();
  await by.use(page, log.getByRole("link", { name: `Seen by ${name}` }).first());
  await page.getByRole("heading", { name: `Seen by ${name}` }).waitFor();
}

// A key is shown with what it has left, which looking at it does not change.
async function usage(page, by, name) {
  const { key } = await api.send("POST", "/api-keys", { client_name: `Of ${name}`, permissions: ["read"] });
  const asked = await fetch(url + "/api/v1/posts?limit=1", { headers: { "X-API-Key": key } });
  const left = Number(asked.headers.get("X-RateLimit-Remaining")), limit = Number(asked.headers.get("X-RateLimit-Limit"));
  await by.use(page, page.getByRole("link", { name: "Usage" }));
  const row = page.getByRole("row", { name: new RegExp(`Of ${name}`) });
  await row.getByText(`${left.toLocaleString("en")} of ${limit.toLocaleString("en")}`).waitFor();
  await by.use(page, page.getByRole("button", { name: "Look again" }));
  await settled(page);
  assert.equal(await row.getByText(`${left.toLocaleString("en")} of`).count(), 1);
  await by.use(page, row.getByRole("link", { name: `Of ${name}` }));
  await page.getByRole("heading", { name: `Of ${name}` }).waitFor();
}

// A setting is found, with where it comes from; a secret is not shown.
async function settings(page, by) {
  await by.use(page, page.getByRole("link", { name: "Settings" }));
  const setting = (name) => page.locator(".settings > div").filter({ hasText: name });
  await setting("ENTWINE_ADMIN_PASSWORD").getByText("secret, set").waitFor();
  await setting("ENTWINE_ADMIN_PASSWORD").getByText("environment", { exact: true }).waitFor();
  assert.ok(!(await page.content()).includes(password));
  await by.write(page, page.getByRole("searchbox"), "log_format");
  await page.waitForFunction(() => document.querySelectorAll(".settings > div").length === 1);
  await setting("ENTWINE_LOG_FORMAT").getByText("text", { exact: true }).waitFor();
  await setting("ENTWINE_LOG_FORMAT").getByText("default", { exact: true }).waitFor();
}

async function migrations(page, by) {
  await by.use(page, page.getByRole("link", { name: "Migrations" }));
  await page.getByText("up to date").waitFor();
  await page.getByText("None: the database has had all that this program knows.").waitFor();
  assert.ok((await page.locator("tbody tr").count()) > 5);
}

async function health(page, by) {
  await by.use(page, page.getByRole("link", { name: "Health" }));
  await page.getByRole("img", { name: "database was well all the time" }).waitFor();
  await page.getByText("Nothing: each part has answered the same all the time.").waitFor();
}
