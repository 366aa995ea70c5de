// Tasks with rows: lists of them, their forms, and what can be done to them.
import assert from "node:assert/strict";
import { look, settled } from "./browser.mjs";

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP6DwABBQECz6AuzQAAAABJRU5ErkJggg==";

/** Makes posts of which a list has several pages, in the order of their titles. */
const titles = (me, count) => Promise.all(Array.from({ length: count }, (_, i) => me.api.send("POST", "/posts", { title: `Entry ${i} of ${me.name}`, content: "Listed." })));

// The drafts are the posts that are not published.
export async function draft(me) {
  const { page } = me;
  await me.go("Posts");
  await me.use(page.locator("summary", { hasText: "Filter" }));
  await me.choose(page.locator("select[name=published]"), "No");
  await me.use(me.button("Show").first());
  await page.waitForURL(/published=false/);
  await page.getByRole("table").getByRole("link", { name: `Seen by ${me.name}` }).waitFor();
}

// A column orders the list, and again the other way; an order that no index serves is chosen in the
// panel. The address is the view, from which a filter is taken.
export async function sorted(me) {
  const { page } = me;
  await titles(me, 3);
  await me.go("Posts");
  const made = page.getByRole("columnheader", { name: "Created at" });
  for (const order of ["ascending", "descending"]) {
    await me.use(made.getByRole("link"));
    await made.and(page.locator(`[aria-sort=${order}]`)).waitFor();
    await settled(page);
  }
  await me.use(page.locator("summary", { hasText: "Filter" }));
  await me.choose(page.locator("select[name=sort]"), "Title, descending");
  await me.use(me.button("Show").first());
  const title = page.getByRole("columnheader", { name: "Title" });
  await title.and(page.locator("[aria-sort=descending]")).waitFor();
  await page.goto(page.url() + "&published=false");
  await title.and(page.locator("[aria-sort=descending]")).waitFor();
  await me.use(page.getByRole("link", { name: /^Without Published/ }));
  await page.waitForURL((at) => at.search === "?sort=-title");
}

// Columns are chosen, and are those of the list when it is opened again.
export async function columns(me) {
  const { page } = me;
  await me.go("Products");
  const category = page.getByRole("columnheader", { name: "Stock", exact: true });
  const was = await category.count();
  await me.use(page.locator("summary", { hasText: "Columns" }));
  await me.tick(page.locator(".columns").getByLabel("Stock", { exact: true }));
  await me.use(page.locator(".columns").getByRole("button", { name: "Show" }));
  await category.waitFor({ state: was ? "detached" : "attached" });
  await page.goto(me.at + "/console");
  await me.go("Products");
  assert.notEqual(await category.count(), was);
}

// A list is searched, and what is shown is saved as CSV.
export async function search(me) {
  const { page } = me;
  const [{ title }] = await titles(me, 1);
  await me.go("Posts");
  await me.search(page.getByRole("searchbox"), title);
  await page.waitForURL(/search=Entry/);
  await settled(page);
  await me.link(title).first().waitFor();
  const saved = page.waitForEvent("download");
  await me.use(me.button("CSV"));
  assert.equal((await saved).suggestedFilename(), "posts.csv");
}

// A list has pages, of which one goes on and back.
export async function pages(me) {
  const { page, main } = me;
  await titles(me, 4);
  await page.goto(`${me.at}/console/rows/posts?limit=3&sort=-id`);
  await settled(page);
  const first = () => main.locator("tbody th").first().textContent();
  const was = await first();
  await me.use(me.link("Next"));
  await page.waitForURL(/cursor=/);
  await page.waitForFunction((before) => document.querySelector("tbody th")?.textContent !== before, was);
  await settled(page);
  await me.use(me.link("Previous"));
  await page.waitForFunction((before) => document.querySelector("tbody th")?.textContent === before, was);
}

// What is wrong stands at its field; the row is made, published, deleted and restored.
export async function made(me) {
  const { page, dialog } = me;
  await me.go("Posts");
  await me.use(me.link("New post"));
  page.expected.push(/status of 4(00|22)/); // the browser logs each such answer
  await me.use(me.button("Make post"));
  await page.locator("#field-title-found").waitFor();
  await me.write(page.getByLabel("Title"), `Made by ${me.name}`);
  await me.write(page.getByLabel("Content"), "It is so.");
  await me.use(me.button("Make post"));
  await page.waitForURL(/\/rows\/posts\/\d+$/);
  const id = page.url().split("/").at(-1);
  await me.use(me.button("Publish"));
  await me.use(dialog.getByRole("button", { name: "Publish" }));
  await me.button("Publish").waitFor({ state: "detached" });
  assert.equal((await me.api.send("GET", `/posts/${id}`)).published, true);
  await me.use(me.button("Delete"));
  await me.use(dialog.getByRole("button", { name: "Delete" }));
  await me.use(me.button("Restore"));
  await me.button("Delete").waitFor();
  assert.equal((await me.api.send("GET", `/posts/${id}`)).title, `Made by ${me.name}`);
}

// Who edits what another one changed meanwhile sees both, and chooses of each field.
export async function changed(me) {
  const { page, api } = me;
  const { id } = await api.send("POST", "/posts", { title: `Before ${me.name}`, content: "Before" });
  await me.go("Posts");
  await me.use(me.link(`Before ${me.name}`));
  await me.use(me.button("Edit"));
  await me.write(page.getByLabel("Title"), "Mine");
  await me.write(page.getByLabel("Content"), "Mine, too");
  await api.send("PATCH", `/posts/${id}`, { title: "Theirs", content: "Theirs, too" });
  page.expected.push(/status of 412/);
  await me.use(me.button("Save"));
  const dialog = page.getByRole("dialog", { name: "Changed meanwhile" });
  await dialog.getByText("Theirs, too").waitFor();
  await look(page, "conflict");
  await me.pick(dialog.getByRole("radio", { name: "Content, now" }));
  await me.use(dialog.getByRole("button", { name: "Save what is chosen" }));
  await me.heading("Mine");
  const row = await api.send("GET", `/posts/${id}`);
  assert.deepEqual([row.title, row.content], ["Mine", "Theirs, too"]);
}

// A mark can be made where it is not made yet, and be taken back where it is.
export async function marked(me) {
  const { page, dialog } = me;
  const name = `Grace ${me.name}`;
  await me.api.send("POST", "/users", { name, email: `grace-${me.name.replaceAll(" ", "-")}@example.com`, password: "correct horse 1" });
  await me.go("Users");
  await me.search(page.getByRole("searchbox"), name);
  await me.use(page.getByRole("table").getByRole("link", { name }));
  await me.use(me.button("Follow"));
  assert.equal(await me.button("Unfollow").count(), 0);
  await me.use(dialog.getByRole("button", { name: "Follow" }));
  await dialog.getByRole("button", { name: "Cancel" }).waitFor({ state: "detached" }); // the answer has its place
  await me.use(dialog.getByRole("button", { name: "Close" }).last());
  await me.use(me.button("Unfollow"));
  assert.equal(await me.button("Follow").count(), 0);
  await me.use(dialog.getByRole("button", { name: "Unfollow" }));
  await me.button("Follow").waitFor();
}

// A file is chosen at its field, and is the row's once the form is sent.
export async function uploaded(me) {
  const { page } = me;
  const product = await me.api.send("POST", "/products", { name: `Slide rule of ${me.name}`, price: 1 });
  await me.go("Product pictures");
  await me.use(me.link("New product picture"));
  await me.file(page.getByLabel("Image"), { name: "rule.png", mimeType: "image/png", buffer: Buffer.from(pixel, "base64") });
  await page.getByText("rule.png is uploaded").waitFor();
  await me.write(page.getByLabel("Product"), String(product.id));
  await me.use(me.button("Make product picture"));
  await page.waitForURL(/\/rows\/product-pictures\/\d+$/);
  const row = await me.api.send("GET", "/product-pictures/" + page.url().split("/").at(-1));
  assert.match(row.image, /^\/api\/files\/[a-z2-7]{26}$/);
}

// A product is made, ordered, paid, and paid back.
export async function order(me) {
  const { page, dialog } = me;
  const name = `Abacus of ${me.name}`;
  await me.go("Products");
  await me.use(me.link("New product"));
  await me.write(page.getByLabel("Name"), name);
  await me.write(page.getByLabel("Price"), "12.5");
  await me.use(me.button("Make product"));
  await me.heading(name);
  await me.go("Orders");
  await me.use(me.button("New order"));
  await me.write(dialog.getByLabel("Product"), name);
  const found = dialog.locator("datalist option").filter({ hasText: name }).first(); // what a part of the name finds may come before
  await found.waitFor({ state: "attached" });
  const id = await found.getAttribute("value");
  await dialog.getByLabel("Product").fill(id); // as a press on what the list of the browser shows does
  me.clicks++;
  await me.write(dialog.getByLabel("Quantity"), "2");
  await me.use(dialog.getByRole("button", { name: "New order" }));
  await me.heading(/^Order \d+$/);
  assert.equal(await me.link("Invoice").count(), 0); // there is none before it is paid
  await me.use(me.button("Pay"));
  await me.use(dialog.getByRole("button", { name: "Pay" }));
  while (await me.button("Refund").count() === 0) { // until the gateway has taken the money
    await page.reload();
    await settled(page);
  }
  await me.link("Invoice").waitFor();
  await me.use(me.button("Refund"));
  await me.use(dialog.getByRole("button", { name: "Refund" }));
  await page.getByText("Refunded", { exact: true }).first().waitFor();
  await page.getByText("25.00 USD").first().waitFor();
}
