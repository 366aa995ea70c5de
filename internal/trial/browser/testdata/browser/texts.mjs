// Reads the console in each of its languages, and mirrored, in a browser, on a phone and on a
// desktop: node texts.mjs URL BROWSER PASSWORD
import assert from "node:assert/strict";
import { browser, fits, look, open, password, settled, signedIn, url } from "./browser.mjs";

const api = await signedIn();
const { id } = await api.send("POST", "/posts", { title: "Looms", content: "They weave." });
await api.send("POST", "/emails/send", { to: "ada@example.com", subject: "Looms", text: "They are ready." }, { "X-Request-Id": "made" });
const pages = ["", "/rows/posts", `/rows/posts/${id}`, "/new/posts", "/jobs", "/rows/jobs/1", "/sessions", "/schema", "/schema/Order", "/permissions", "/health", "/mailbox", "/events", "/usage", "/settings", "/migrations", "/requests", "/requests/made", "/nowhere"];

await german();
for (const width of [1440, 390]) await mirrored(width);
await browser.close();

// The browser's language is that of the console, until another is chosen, which is kept.
async function german() {
  const page = await open({ viewport: { width: 1440, height: 900 }, locale: "de-AT" });
  await page.goto(url + "/console");
  await page.getByLabel("E-Mail").fill("admin@example.com");
  await page.getByLabel("Passwort").fill(password);
  await page.getByRole("button", { name: "Anmelden" }).click();
  await page.getByRole("heading", { name: "Zustand" }).waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.lang), "de-AT");
  for (const path of pages) {
    await page.goto(url + "/console" + path);
    await fits(page, `${path} in German`);
  }
  await page.goto(url + "/console/rows/posts");
  await page.getByRole("heading", { name: "Beiträge" }).waitFor();
  await page.getByRole("columnheader", { name: "Titel" }).waitFor();
  await page.getByRole("link", { name: "Neu: Beitrag" }).click();
  await page.getByLabel("Inhalt").waitFor();
  await page.goto(`${url}/console/rows/posts/${id}`);
  await page.getByRole("button", { name: "Veröffentlichen" }).waitFor();
  await page.getByRole("button", { name: "Löschen" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Abbrechen" }).click();
  await page.getByLabel("Sprache").selectOption({ label: "English" });
  await page.getByRole("button", { name: "Delete" }).waitFor();
  await page.getByRole("button", { name: "Publish" }).waitFor();
  await page.reload();
  await page.getByRole("button", { name: "Delete" }).waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.lang), "en");
  await page.getByLabel("Language").selectOption({ label: "Deutsch" });
  await page.getByRole("button", { name: "Löschen" }).waitFor();
  assert.deepEqual(page.complaints, []);
  await page.context().close();
}

// Mirrored, every text of the console stands in brackets: one without is not in the catalog.
// What the service says, and what the rows hold, has none.
async function mirrored(width) {
  const page = await open({ viewport: { width, height: 900 } });
  await page.addInitScript(() => localStorage.setItem("console.language", "mirrored"));
  await page.goto(url + "/console");
  await page.locator("[type=email]").fill("admin@example.com");
  await page.locator("[type=password]").fill(password);
  await page.locator("form button").first().click();
  await page.getByRole("banner").waitFor();
  for (const path of pages) {
    await page.goto(url + "/console" + path);
    await settled(page);
    await look(page, `${path} mirrored, ${width} px`);
    assert.equal(await page.evaluate(() => document.documentElement.dir), "rtl");
    const plain = await page.evaluate(() => [...document.querySelectorAll("button, th[scope=col], legend, summary, h2, caption, footer a, .muted, .empty-title, [role=status]")]
      .filter((one) => one.checkVisibility() && /[A-Za-z]{3}/.test(one.textContent.replace(/⟦[^⟧]*⟧/g, "")))
      .filter((one) => !one.closest("[lang], .edge, .cards, .head-actions, .list thead, .words, .matrix, .checks, .settings dd, .form-fields, .tabs, .step, .parts, .steps"))
      .map((one) => one.outerHTML.slice(0, 160)));
    assert.deepEqual(plain, [], `${path}: texts that are not in the catalog`);
    const side = await page.locator(".side").boundingBox();
    if (width > 900) assert.ok(side.x > width / 2, "the way around is on the right");
  }
  assert.deepEqual(page.complaints, []);
  await page.context().close();
}
