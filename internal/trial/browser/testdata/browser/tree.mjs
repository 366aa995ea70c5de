// Looks at the rows of a tree in the console: the suppliers Root > A > B > C, Root > A2 and
// Other > Other 1: node tree.mjs URL BROWSER PASSWORD
import assert from "node:assert/strict";
import { browser, hands, look, open, settled, signIn, url } from "./browser.mjs";

for (const [width, colorScheme, hand] of [[1440, "light", hands.mouse], [390, "dark", hands.keys]]) {
  const page = await open({ viewport: { width, height: 900 }, colorScheme });
  const at = (name) => `${name}, ${width} px`;
  await signIn(page);
  await page.goto(url + "/console/rows/suppliers");
  await settled(page);
  await look(page, at("the list"));
  const paths = await page.locator("tbody tr").evaluateAll((rows) => rows.map((row) => [row.querySelector("a.cut").textContent, row.querySelector(".above")?.title]));
  assert.deepEqual(Object.fromEntries(paths), {
    "Root Ltd": undefined, "A Ltd": "Root Ltd", "A2 Ltd": "Root Ltd", "B Ltd": "Root Ltd / A Ltd", "C Ltd": "Root Ltd / A Ltd / B Ltd",
    "Other Ltd": undefined, "Other 1 Ltd": "Other Ltd",
  }, at("the path of each"));

  await hand.use(page, page.getByRole("link", { name: "C Ltd", exact: true }));
  await page.getByRole("heading", { name: "C Ltd", level: 1 }).waitFor();
  await look(page, at("a leaf"));
  const above = page.getByRole("navigation", { name: "Where this is" }).getByRole("link");
  assert.deepEqual((await above.allTextContents()).slice(1), ["Root Ltd", "A Ltd", "B Ltd"], at("the rows above"));

  await hand.use(page, above.nth(2));
  await page.getByRole("heading", { name: "A Ltd", level: 1 }).waitFor();
  const section = (name) => page.locator("details.edge").filter({ has: page.getByRole("heading", { name, exact: true }) });
  const names = (name) => section(name).locator("tbody th + td a").allTextContents();
  await section("Branches").getByRole("link", { name: "B Ltd", exact: true }).waitFor();
  assert.deepEqual(await names("Branches"), ["B Ltd"], at("the rows below it are shown at once"));
  await hand.use(page, section("Descendants").locator("summary"));
  await section("Descendants").getByRole("link", { name: "C Ltd", exact: true }).waitFor();
  assert.deepEqual((await names("Descendants")).sort(), ["B Ltd", "C Ltd"], at("the rows at any level"));
  assert.equal(await section("Ancestors").count(), 0, at("the rows above are named once"));
  await look(page, at("a row between"));
  await page.context().close();
}
await browser.close();
