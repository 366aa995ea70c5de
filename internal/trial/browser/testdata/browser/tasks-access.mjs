// Tasks with who may do what: keys, sign-ins, permissions, and seeing as another.
import assert from "node:assert/strict";
import { open, person, settled } from "./browser.mjs";

// A key is made and shown once, rotated, and revoked: then it is good for nothing.
export async function keys(me) {
  const { page, dialog } = me;
  const name = `Program of ${me.name}`;
  const shown = page.getByRole("dialog", { name: /shown once/ }).getByText(/^ek_/);
  await me.go("API keys");
  await me.use(me.button("New API key"));
  await me.write(dialog.getByLabel("Client name"), name);
  await me.tick(dialog.getByRole("checkbox", { name: /^Read/ }));
  await me.use(dialog.getByRole("button", { name: "New API key" }));
  const key = await shown.textContent();
  assert.equal((await ask(me, key)).status, 200);
  await me.use(dialog.getByRole("button", { name: "Close" }).last());
  await me.use(page.getByRole("table").getByRole("link", { name }));
  await me.use(me.button("Revoke"));
  await me.use(dialog.getByRole("button", { name: "Revoke" }));
  await dialog.waitFor({ state: "detached" });
  await me.button("Revoke").waitFor({ state: "detached" });
  assert.equal((await ask(me, key)).status, 401);
}

const ask = ({ at }, key) => fetch(at + "/api/v1/posts?limit=1", { headers: { "X-API-Key": key } });

// A key gets another text, which is shown once.
export async function rotated(me) {
  const { page, dialog } = me;
  const name = `Rotated by ${me.name}`;
  const { key } = await me.api.send("POST", "/api-keys", { client_name: name, permissions: ["read"] });
  await me.go("API keys");
  await me.use(page.getByRole("table").getByRole("link", { name }));
  await me.use(me.button("Rotate"));
  await me.use(dialog.getByRole("button", { name: "Rotate" }));
  const next = await page.getByRole("dialog", { name: /shown once/ }).getByText(/^ek_/).textContent();
  assert.notEqual(next, key);
  assert.equal((await ask(me, next)).status, 200);
  await me.use(dialog.getByRole("button", { name: "Close" }).last());
}

// A table says what a role may do, and a cell of it why.
export async function permissions(me) {
  const { page } = me;
  await me.go("Permissions");
  await me.choose(me.main.getByRole("combobox"), "editor");
  await page.waitForURL(/as=editor/);
  await me.use(page.getByRole("button", { name: "Posts, read all" }));
  const dialog = page.getByRole("dialog", { name: "read: Posts" });
  await dialog.getByText("editor").first().waitFor();
  await dialog.getByText(/^The rule: /).waitFor();
  await me.escape();
  await dialog.waitFor({ state: "detached" });
}

// Somebody who is signed in three times ends one of them, and then all others.
export async function sessions(me) {
  const { at, api } = me;
  const account = { email: `signs-in-${me.name.replaceAll(" ", "-")}@example.com`, password: "correct horse 1" };
  await api.send("POST", "/users", { name: "Ada", ...account });
  const page = await open(me.options);
  const other = Object.assign(person(page, me.by), { name: me.name });
  await other.signIn(at, account.email, account.password);
  for (let i = 0; i < 3; i++) {
    await fetch(at + "/api/v1/auth/login?mode=session", { method: "POST", headers: { "Content-Type": "application/json", "User-Agent": `Elsewhere ${i}` }, body: JSON.stringify(account) });
  }
  await other.go("My sessions");
  const elsewhere = page.getByRole("row", { name: /Elsewhere/ });
  await elsewhere.nth(2).waitFor();
  await other.use(elsewhere.first().getByRole("button", { name: "End" }));
  await page.getByText("Ended.").waitFor();
  await elsewhere.nth(2).waitFor({ state: "detached" });
  await other.use(other.button("End all others"));
  await other.use(other.dialog.getByRole("button", { name: "End them" }));
  await elsewhere.first().waitFor({ state: "detached" });
  await page.getByText("this one").waitFor();
  assert.deepEqual(page.complaints, []);
  await page.context().close();
}

const bar = (page) => page.getByRole("region", { name: "Seeing as another" });

// What a user sees, and then what a role does: nothing can be changed, until the button ends
// it, or the service does.
export async function sees(me) {
  const { page, api, main } = me;
  const name = `Ada of ${me.name}`;
  const ada = await api.send("POST", "/users", { name, email: `ada-${me.name.replaceAll(" ", "-")}@example.com`, password: "correct horse 1" });
  await api.send("POST", "/posts", { title: `Of ${name}`, content: "Hers.", author_id: ada.id });
  await api.send("POST", "/posts", { title: `Not of ${name}`, content: "A draft of the admin." });
  await asUser(me, ada, name);
  await me.go("Permissions");
  await me.choose(me.main.getByRole("combobox"), "editor");
  await me.use(me.button("See as this role"));
  await bar(page).getByText("You see as the role editor. Nothing can be changed.").waitFor();
  await me.go("Posts");
  await main.getByText(`Not of ${name}`).waitFor();
  await me.use(bar(page).getByRole("button", { name: "End" }));
  await bar(page).waitFor({ state: "detached" });
  await me.go("Permissions");
  await me.choose(main.getByRole("combobox"), "anonymous");
  await me.use(me.button("See as nobody"));
  await bar(page).getByText("You see what callers do who have not signed in.").waitFor();
  await me.go("Posts");
  assert.equal(await main.getByText(`Not of ${name}`).count(), 0);
  await me.use(bar(page).getByRole("button", { name: "End" }));
  await bar(page).waitFor({ state: "detached" });
  await ends(me, ada);
}

async function find(me, ada) {
  await me.go("Users");
  await me.search(me.page.getByRole("searchbox"), ada.name);
  await me.use(me.page.getByRole("table").getByRole("link", { name: ada.name }));
}

async function asUser(me, ada, name) {
  const { page, api, main } = me;
  const sights = async () => (await api.send("GET", "/auth/sessions")).filter((one) => one.user_agent.startsWith("sees as")).length;
  const before = await sights();
  await find(me, ada);
  await me.use(me.button("See as"));
  await bar(page).getByText(`You see as ${name}, user. Nothing can be changed.`).waitFor();
  for (const gone of ["Settings", "Mailbox", "My sessions"]) assert.equal(await page.getByRole("link", { name: gone }).count(), 0, gone);
  assert.equal(await page.getByRole("button", { name: "Sign out" }).count(), 0);
  await me.go("Posts");
  await me.link(`Of ${name}`).waitFor();
  assert.equal(await main.getByText(`Not of ${name}`).count(), 0);
  assert.equal(await me.link("New post").count(), 0);
  assert.equal(await main.getByRole("checkbox").count(), 0);
  await me.use(me.link(`Of ${name}`));
  await me.heading(`Of ${name}`);
  await settled(page);
  for (const gone of ["Edit", "Delete", "Publish", "See as"]) assert.equal(await main.getByRole("button", { name: gone }).count(), 0, gone);
  await me.use(bar(page).getByRole("button", { name: "End" }));
  await bar(page).waitFor({ state: "detached" });
  await main.getByRole("button", { name: "Edit" }).waitFor();
  while (await sights() > before); // until it has ended for the service, too
}

// Where the service ends it the page is the admin's own again, and says no sign-in is needed.
async function ends(me, ada) {
  const { page, api } = me;
  await find(me, ada);
  await me.use(me.button("See as"));
  await bar(page).waitFor();
  page.expected.push(/status of 401/);
  await api.send("POST", `/users/${ada.id}/deactivate`);
  await me.go("Posts");
  await bar(page).waitFor({ state: "detached" });
  await page.locator(".me").getByText("admin@example.com").waitFor({ state: "attached" });
}
