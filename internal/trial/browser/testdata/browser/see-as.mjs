// Sees as a user and as a role in a browser, by mouse and again by the keyboard alone:
// node see-as.mjs URL BROWSER PASSWORD
import assert from "node:assert/strict";
import { browser, hands, look, open, settled, signedIn, signIn, url } from "./browser.mjs";

const bar = (page) => page.getByRole("region", { name: "Seeing as another" });
const api = await signedIn();
const ada = await api.send("POST", "/users", { name: "Ada Lovelace", email: "ada@example.com", password: "correct horse 1" });
const { id: post } = await api.send("POST", "/posts", { title: "Of Ada", content: "Hers.", author_id: ada.id });
await api.send("POST", "/posts", { title: "A draft of the admin", content: "Not hers." });

for (const [name, by] of Object.entries(hands)) {
  const page = await open({ viewport: { width: 1440, height: 900 } });
  await signIn(page);
  await asUser(page, by);
  await asRole(page, by);
  await ends(page, by);
  assert.deepEqual(page.complaints, [], name);
  await page.context().close();
}
for (const width of [1440, 820, 390]) for (const colorScheme of ["light", "dark"]) await views(width, colorScheme);
await browser.close();

// What a user sees, where nothing can be changed, until the button ends it.
async function asUser(page, by) {
  const sights = async () => (await api.send("GET", "/auth/sessions")).filter((one) => one.user_agent.startsWith("sees as")).length;
  const before = await sights();
  await page.goto(`${url}/console/rows/users/${ada.id}`);
  await settled(page);
  await by.use(page, page.getByRole("button", { name: "See as" }));
  await bar(page).getByText("You see as Ada Lovelace, user. Nothing can be changed.").waitFor();
  await page.getByRole("banner").getByText("ada@example.com").waitFor();
  for (const gone of ["Settings", "Mailbox", "My sessions"]) assert.equal(await page.getByRole("link", { name: gone }).count(), 0, gone);
  assert.equal(await page.getByRole("button", { name: "Sign out" }).count(), 0);
  await by.use(page, page.getByRole("navigation", { name: "Console" }).getByRole("link", { name: "Posts" }));
  await settled(page);
  assert.equal(await page.getByText("A draft of the admin").count(), 0);
  for (const gone of ["New post"]) assert.equal(await page.getByRole("link", { name: gone }).count(), 0);
  assert.equal(await page.getByRole("main").getByRole("checkbox").count(), 0);
  await by.use(page, page.getByRole("link", { name: "Of Ada" }));
  await page.getByRole("heading", { name: "Of Ada" }).waitFor();
  await settled(page);
  for (const gone of ["Edit", "Delete", "Publish", "See as"]) assert.equal(await page.getByRole("main").getByRole("button", { name: gone }).count(), 0, gone);
  await by.use(page, bar(page).getByRole("button", { name: "End" }));
  await bar(page).waitFor({ state: "detached" });
  await page.getByRole("banner").getByText("admin@example.com").waitFor();
  await page.getByRole("main").getByRole("button", { name: "Edit" }).waitFor();
  while (await sights() > before); // until it has ended for the service, too
}

async function asRole(page, by) {
  await by.use(page, page.getByRole("link", { name: "Permissions" }));
  await page.goto(`${url}/console/permissions?as=editor`);
  await settled(page);
  await by.use(page, page.getByRole("button", { name: "See as this role" }));
  await bar(page).getByText("You see as the role editor. Nothing can be changed.").waitFor();
  await by.use(page, page.getByRole("navigation", { name: "Console" }).getByRole("link", { name: "Posts" }));
  await page.getByText("A draft of the admin").waitFor();
  await by.use(page, bar(page).getByRole("button", { name: "End" }));
  await bar(page).waitFor({ state: "detached" });
}

// Where the service ends it the page is the admin's own again, and says no sign-in is needed.
async function ends(page, by) {
  await page.goto(`${url}/console/rows/users/${ada.id}`);
  await settled(page);
  await by.use(page, page.getByRole("button", { name: "See as" }));
  await bar(page).waitFor();
  await api.send("POST", `/users/${ada.id}/deactivate`);
  await by.use(page, page.getByRole("navigation", { name: "Console" }).getByRole("link", { name: "Posts" }));
  await bar(page).waitFor({ state: "detached" });
  await page.getByRole("banner").getByText("admin@example.com").waitFor();
  page.complaints.splice(0).forEach((text) => assert.match(text, /status of 401/));
  await api.send("POST", `/users/${ada.id}/activate`);
}

async function views(width, colorScheme) {
  const page = await open({ viewport: { width, height: 900 }, colorScheme });
  await signIn(page);
  await page.goto(`${url}/console/rows/users/${ada.id}`);
  await settled(page);
  await page.getByRole("button", { name: "See as" }).click();
  await bar(page).waitFor();
  await look(page, `seeing, ${width} px, ${colorScheme}`);
  if (width < 900) await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("navigation", { name: "Console" }).getByRole("link", { name: "Posts" }).click();
  await page.getByRole("link", { name: "Of Ada" }).click();
  await page.waitForURL(new RegExp(`/posts/${post}$`));
  await look(page, `a row seen, ${width} px, ${colorScheme}`);
  await bar(page).getByRole("button", { name: "End" }).click();
  await bar(page).waitFor({ state: "detached" });
  await page.context().close();
}
