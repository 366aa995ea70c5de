// Tasks with the pages of operators, with those of the service's own, and with the explorers
// of the APIs.
import assert from "node:assert/strict";
import { look, password, settled } from "./browser.mjs";

// The events of posts are listened to; a post that is made meanwhile is among them.
export async function subscribed(me) {
  const { page } = me;
  const title = `Seen by ${me.name}`;
  await me.go("Events");
  await me.use(page.getByRole("navigation", { name: "Entities" }).getByRole("link", { name: "Posts" }));
  await page.getByText("Listening.").waitFor();
  await me.use(me.link("New post"));
  await me.write(page.getByLabel("Title"), title);
  await me.write(page.getByLabel("Content"), "By reading the screen alone.");
  await me.use(me.button("Make post"));
  await me.heading(title);
  await me.go("Events");
  await page.getByRole("log").getByRole("listitem").filter({ hasText: title }).getByText("created").waitFor();
}

// What happens in a pause is seen after it.
export async function events(me) {
  const { page, api } = me;
  const title = `Paused by ${me.name}`;
  await me.go("Events");
  await me.use(page.getByRole("navigation", { name: "Entities" }).getByRole("link", { name: "Posts" }));
  await page.getByText("Listening.").waitFor();
  const { id } = await api.send("POST", "/posts", { title, content: "Now." });
  const log = page.getByRole("log");
  await log.getByRole("link", { name: title }).waitFor();
  await me.use(me.button("Pause"));
  await page.getByText("Paused.").waitFor();
  await api.send("PATCH", `/posts/${id}`, { content: "Later." });
  await me.use(me.button("Go on"));
  await log.getByText("changed").first().waitFor();
  await log.getByText("Later.").first().waitFor();
  await me.use(log.getByRole("link", { name: title }).first());
  await me.heading(title);
}

// A mail is found by its recipient and read. The token in it, which is alive, is not shown.
export async function mailbox(me) {
  const { page, api, at } = me;
  const address = `${me.name.replaceAll(" ", "-")}@example.com`;
  await api.send("POST", "/emails/send", { to: address, subject: "Look", text: "Open https://example.com/reset?token=alive-and-well now." });
  await fetch(at + "/api/v1/auth/forgot-password", { method: "POST", headers: { "Content-Type": "application/json" }, body: '{"email":"admin@example.com"}' });
  await me.go("Mailbox");
  while ((await api.send("GET", `/emails?recipient=${encodeURIComponent(address)}&subject=Look`)).length === 0); // until the worker has sent it
  while ((await api.send("GET", "/emails?subject=Set%20a%20new%20password")).length === 0);
  await me.use(me.button("Look again"));
  await me.use(page.getByRole("link", { name: /^Set a new password/ }).first());
  await page.getByText("Set one within 30 minutes").waitFor();
  assert.match(await page.locator(".letter").textContent(), /\[redacted\]/);
  assert.doesNotMatch(await page.locator(".letter").textContent(), /[0-9a-f]{32}/);
  const back = page.getByRole("link", { name: "All mails" }); // where the screen has room for one of both
  if (await back.isVisible()) await me.use(back);
  await me.search(page.getByRole("searchbox"), address);
  await page.waitForURL(/to=/);
  await me.use(page.getByRole("link", { name: /^Look/ }));
  await page.getByText("?token=[redacted] now.").waitFor();
}

// A key is shown with what it has left, which looking at it does not change.
export async function usage(me) {
  const { page, api, at } = me;
  const { key } = await api.send("POST", "/api-keys", { client_name: `Of ${me.name}`, permissions: ["read"] });
  const asked = await fetch(at + "/api/v1/posts?limit=1", { headers: { "X-API-Key": key } });
  const said = ["Remaining", "Limit"].map((name) => Number(asked.headers.get(`X-RateLimit-${name}`)).toLocaleString("en")).join(" of ");
  await me.go("Usage");
  const row = me.row(new RegExp(`Of ${me.name}`));
  await row.getByText(said).waitFor();
  await me.use(me.button("Look again"));
  await settled(page);
  assert.equal(await row.getByText(said).count(), 1);
  await me.use(row.getByRole("link", { name: `Of ${me.name}` }));
  await me.heading(`Of ${me.name}`);
}

// A setting is found, with where it comes from; a secret is not shown.
export async function settings(me) {
  const { page } = me;
  await me.go("Settings");
  const setting = (name) => page.locator(".settings > div").filter({ hasText: name });
  await setting("ENTWINE_ADMIN_PASSWORD").getByText("secret, set").waitFor();
  await setting("ENTWINE_ADMIN_PASSWORD").getByText("environment", { exact: true }).waitFor();
  assert.ok(!(await page.content()).includes(password));
  await me.write(page.getByRole("searchbox"), "log_format");
  await page.waitForFunction(() => document.querySelectorAll(".settings > div").length === 1);
  await setting("ENTWINE_LOG_FORMAT").getByText("text", { exact: true }).waitFor();
  await setting("ENTWINE_LOG_FORMAT").getByText("default", { exact: true }).waitFor();
  await me.tick(page.getByLabel("Only those that were given"));
  await page.getByText("No setting is like this.").waitFor();
}

export async function migrations(me) {
  const { page } = me;
  await me.go("Migrations");
  await page.getByText("up to date").waitFor();
  await page.getByText("None: the database has had all that this program knows.").waitFor();
  assert.ok((await page.locator("tbody tr").count()) > 5);
  await me.use(me.button("Look again"));
  await settled(page);
}

export async function health(me) {
  const { page } = me;
  await me.go("Health");
  await page.getByRole("img", { name: /^database was / }).waitFor(); // a machine that is busy has it away now and then
  await page.getByRole("heading", { name: "What has changed" }).waitFor();
  await me.use(me.button("Check again"));
  await settled(page);
  const pulse = page.getByRole("figure", { name: /^Requests in each minute/ });
  await me.use(pulse.getByText("As a table"));
  await pulse.getByRole("row", { name: /^now/ }).waitFor();
}

// A request is found by what it was, and explained: a statement with its plan.
export async function requests(me) {
  const { page } = me;
  const id = `sought-${me.name.replaceAll(" ", "-")}`;
  await me.api.send("POST", "/posts", { title: "Sought", content: "Among a thousand." }, { "X-Request-Id": id });
  await me.go("Requests");
  await me.tick(page.getByLabel("What the console reads, too"));
  await page.getByRole("link", { name: /^GET list/ }).first().waitFor();
  await me.write(page.getByRole("searchbox"), `createpost ${id}`);
  await page.waitForFunction(() => document.querySelectorAll("tbody tr").length === 1);
  await me.use(me.link("POST createPost"));
  await page.getByText("Policy").first().waitFor();
  const insert = page.locator("details").filter({ hasText: /insert posts/ }).first(); // that of the session may come before
  await me.use(insert.locator("summary"));
  await insert.getByText(/^INSERT INTO "posts"/).waitFor();
  await insert.getByText("The plan, without knowing the arguments:").waitFor();
}

// The picture of the schema has another size, and leads to an entity with its states.
export async function graph(me) {
  const { page } = me;
  await me.go("Schema");
  const picture = page.getByRole("region", { name: "The graph" }).locator("svg");
  const width = async () => (await picture.boundingBox()).width;
  await me.use(me.button("Larger"));
  await me.use(me.button("Larger"));
  const large = await width();
  await me.use(me.button("Smaller"));
  assert.ok(await width() < large);
  await me.use(me.button("Fit"));
  await me.use(picture.getByRole("link", { name: /^Order\s*\d+ fields, with states/ }));
  await me.heading("Order");
  await page.getByRole("img", { name: /^States: pending/ }).waitFor();
  await me.row(/^pending cancel cancelled callers/).waitFor();
  await me.use(me.link("Rows"));
  await me.heading("Orders");
}

// The sales are drawn for the time that is asked for, and have the numbers as text.
export async function chart(me) {
  const { page } = me;
  await me.go("Sales");
  const net = page.getByRole("figure", { name: /^Net and paid back/ });
  await me.use(net.getByText("As a table"));
  await net.getByRole("cell", { name: /^[1-9]\d*\.00$/ }).first().waitFor();
  await me.choose(page.getByLabel("Interval"), "Month");
  await me.use(me.button("Show"));
  await page.waitForURL(/interval=month/);
  await settled(page);
  await me.go("Analytics");
  await page.getByRole("figure", { name: /^What was new/ }).waitFor();
}

// The console speaks another language, and this one again.
export async function language(me) {
  const { page, by } = me;
  const menu = me.button("Menu");
  await page.getByRole("banner").waitFor();
  if (await menu.isVisible()) await by.use(page, menu);
  await me.choose(page.getByLabel("Language"), "Deutsch");
  await page.getByRole("heading", { name: "Zustand" }).waitFor();
  await me.choose(page.getByLabel("Sprache"), "English");
  await page.getByRole("heading", { name: "Health" }).waitFor();
}

/** Follows a link at the end of the navigation, to a page beside the console. */
async function leave(me, name) {
  const { page, by } = me;
  const menu = me.button("Menu");
  await page.getByRole("banner").waitFor();
  if (await menu.isVisible()) await by.use(page, menu);
  await me.use(page.getByRole("banner").getByRole("link", { name, exact: true }));
}

// The reference is searched for an operation, which is tried as who is signed in.
export async function reference(me) {
  const { page } = me;
  await leave(me, "Reference");
  await page.waitForSelector("#sign-out:not([hidden])");
  await me.write(page.getByRole("searchbox"), "create a post");
  await page.waitForFunction(() => [...document.querySelectorAll(".operation")].filter((one) => one.checkVisibility()).length < 50);
  await me.use(page.locator("#createPost > summary"));
  await page.waitForSelector("#createPost textarea");
  await me.use(page.locator("#createPost .send"));
  await page.locator("#createPost [aria-live] strong").getByText("201 Created").waitFor();
  await me.use(page.locator("#createPost summary", { hasText: "As curl, TypeScript and Go" }));
  for (const [language, text] of [["TypeScript", /^const answer = await fetch\(".*posts", {/], ["Go", /^request, err := http\.NewRequest/], ["curl", /^curl -sS -X POST/]]) {
    await me.choose(page.locator("#createPost").getByLabel("Language of the example"), language);
    await page.locator("#createPost .more pre").getByText(text).waitFor();
  }
}

// GraphiQL runs what it begins with, as who is signed in: of several operations the one that
// is chosen.
export async function graphiql(me) {
  const { page } = me;
  await leave(me, "GraphiQL");
  await page.waitForSelector("#sign-out:not([hidden])");
  await me.use(page.locator(".graphiql-execute-button[aria-haspopup=menu]")); // it has the menu once GraphiQL has read the document
  await me.use(page.getByRole("menuitem", { name: "List" }));
  await page.locator(".graphiql-response").getByText('"totalCount"').first().waitFor();
}
