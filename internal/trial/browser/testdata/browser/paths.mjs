// Does five tasks from the first page of a new service, by what the screen says alone, and counts
// the clicks and the fields that are typed: node paths.mjs URL BROWSER PASSWORD. By the
// keyboard each click is a press. doc/operations/console.md has the numbers.
import assert from "node:assert/strict";
import { browser, hands, look, open, password, settled, signedIn, tabTo, url } from "./browser.mjs";

const api = await signedIn();

const screens = [[1440, "light"], [820, "dark"], [390, "light"], [1440, "dark"], [820, "light"], [390, "dark"]];
const all = screens.flatMap(([width, colorScheme], i) => Object.entries(hands).slice(i < 3 ? 0 : 1).map(([hand, by]) => ({ name: `${hand} ${width} ${colorScheme}`, by, width, colorScheme })));

for (const { name, by, width, colorScheme } of all) {
  const page = await open({ viewport: { width, height: 900 }, colorScheme });
  const me = person(page, by);
  await me.task("sign in", 1, 2, signIn);
  await me.task("a post seen in a subscription", 5, 2, () => subscribed(me, `Seen by ${name}`));
  await me.task("a draft found", 5, 0, () => draft(me, `Seen by ${name}`));
  await me.task("a key made and revoked", 8, 1, () => key(me, name));
  await me.task("a product made, ordered, paid and refunded", 11, 4, () => order(me, `Abacus of ${name}`));
  await me.task("a job retried", 4, 0, () => job(me, name));
  assert.deepEqual(page.complaints, [], name);
  await page.context().close();

  async function signIn() {
    await page.goto(url + "/console");
    await me.write(page.getByLabel("E-mail"), "admin@example.com");
    await me.write(page.getByLabel("Password"), password);
    await me.use(page.getByRole("button", { name: "Sign in" }));
    await page.getByRole("heading", { name: "Health" }).waitFor();
  }
}
await browser.close();

// What somebody does at a page, counted.
function person(page, by) {
  const button = (name) => page.getByRole("button", { name, exact: true });
  const link = (name) => page.getByRole("link", { name, exact: true });
  const me = {
    page, button, link, clicks: 0, typed: 0, dialog: page.getByRole("dialog"),
    async use(element) { me.clicks++; await by.use(page, element); },
    /** Follows a link of the navigation, which a narrow screen has behind a button: that is not counted. */
    async go(name) {
      await page.getByRole("banner").waitFor();
      const menu = button("Menu");
      if (await menu.isVisible() && await menu.getAttribute("aria-expanded") === "false") await by.use(page, menu);
      await me.use(page.getByRole("navigation", { name: "Console" }).getByRole("link", { name, exact: true }));
    },
    async tick(element) { me.clicks++; await by.tick(page, element); },
    async write(element, text) { me.typed++; await by.write(page, element, text); },
    async choose(select, label) {
      me.clicks += 2; // it is opened, and one is pressed
      if (by === hands.mouse) return void await select.selectOption({ label });
      await tabTo(page, select);
      await page.keyboard.type(label);
    },
    async task(name, clicks, typed, does) {
      if (page.url().includes("/console")) await page.goto(url + "/console");
      me.clicks = me.typed = 0;
      await does();
      assert.deepEqual([me.clicks, me.typed], [clicks, typed], name);
    },
  };
  return me;
}

// The events of posts are listened to; a post that is made meanwhile is among them.
async function subscribed(me, title) {
  const { page } = me;
  await me.go("Events");
  await me.use(page.getByRole("navigation", { name: "Entities" }).getByRole("link", { name: "Posts" }));
  await page.getByText("Listening.").waitFor();
  await me.use(page.getByRole("main").getByRole("link", { name: "New post" }));
  await me.write(page.getByLabel("Title"), title);
  await me.write(page.getByLabel("Content"), "By reading the screen alone.");
  await me.use(me.button("Make post"));
  await page.getByRole("heading", { name: title }).waitFor();
  await me.go("Events");
  await page.getByRole("log").getByRole("listitem").filter({ hasText: title }).getByText("created").waitFor();
}

// The drafts are the posts that are not published.
async function draft(me, title) {
  const { page } = me;
  await me.go("Posts");
  await me.use(page.locator("summary", { hasText: "Filter" }));
  await me.choose(page.locator("select[name=published]"), "No");
  await me.use(me.button("Show").first());
  await page.waitForURL(/published=false/);
  await page.getByRole("table").getByRole("link", { name: title }).waitFor();
}

async function key(me, name) {
  const { page, dialog } = me;
  await me.go("API keys");
  await me.use(me.button("New API key"));
  await me.write(dialog.getByLabel("Client name"), `Program of ${name}`);
  await me.tick(dialog.getByRole("checkbox", { name: /^Read/ }));
  await me.use(dialog.getByRole("button", { name: "New API key" }));
  await page.getByRole("dialog", { name: /shown once/ }).getByText(/^ek_/).waitFor();
  await me.use(dialog.getByRole("button", { name: "Close" }).last());
  await me.use(page.getByRole("table").getByRole("link", { name: `Program of ${name}` }));
  await me.use(me.button("Revoke"));
  await me.use(dialog.getByRole("button", { name: "Revoke" }));
  await dialog.waitFor({ state: "detached" });
  await me.button("Revoke").waitFor({ state: "detached" });
}

async function order(me, name) {
  const { page, dialog } = me;
  await me.go("Products");
  await me.use(me.link("New product"));
  await me.write(page.getByLabel("Name"), name);
  await me.write(page.getByLabel("Price"), "12.5");
  await me.use(me.button("Make product"));
  await page.getByRole("heading", { name }).waitFor();
  await me.go("Orders");
  await me.use(me.button("New order"));
  await me.write(dialog.getByLabel("Product"), name);
  await dialog.locator("datalist option").first().waitFor({ state: "attached" });
  const id = await dialog.locator("datalist option").first().getAttribute("value");
  await dialog.getByLabel("Product").fill(id); // as a press on what the list of the browser shows does
  me.clicks++;
  await me.write(dialog.getByLabel("Quantity"), "2");
  await me.use(dialog.getByRole("button", { name: "New order" }));
  await page.getByRole("heading", { name: /^Order \d+$/ }).waitFor();
  await me.use(me.button("Pay"));
  await me.use(dialog.getByRole("button", { name: "Pay" }));
  while (await me.button("Refund").count() === 0) { // until the gateway has taken the money
    await page.reload();
    await settled(page);
  }
  await me.use(me.button("Refund"));
  await look(page, "refund");
  await me.use(dialog.getByRole("button", { name: "Refund" }));
  await page.getByText("Refunded", { exact: true }).first().waitFor();
  await page.getByText("25.00 USD").first().waitFor();
}

// A job that was cancelled, as one that failed would be, is queued again.
async function job(me, name) {
  const { page, dialog } = me;
  const { jobId } = await api.ask("POST", "/emails/send", { to: `${name.replaceAll(" ", "-")}@example.com`, subject: "never", text: "never" });
  while ((await api.send("GET", `/jobs/${jobId}`)).status !== "retrying"); // until its first attempt has failed
  await api.send("POST", `/jobs/${jobId}/cancel`);
  await me.go("Jobs");
  await me.use(page.getByRole("table").getByRole("link", { name: String(jobId), exact: true }));
  await me.use(me.button("Retry"));
  await me.use(dialog.getByRole("button", { name: "Retry" }));
  await dialog.waitFor({ state: "detached" });
  await me.button("Cancel").waitFor();
  assert.notEqual((await api.send("GET", `/jobs/${jobId}`)).status, "cancelled");
}
