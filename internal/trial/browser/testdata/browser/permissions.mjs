// Reads the console's page of permissions as each caller that it has, and compares every cell
// with what the API has answered: node permissions.mjs URL BROWSER PASSWORD TABLE. The table
// has a line for each question, with the status that each caller gets.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { browser, open, settled, signedIn, signIn, url } from "./browser.mjs";

const [[, ...callers], ...lines] = readFileSync(process.argv[5], "utf8").trim().split("\n").map((line) => line.split(/ {2,}/));
const answers = new Map(lines.map(([question, ...statuses]) => [question, new Map(callers.map((caller, i) => [caller, statuses[i].trim()]))]));
const asking = { user: ["owner", "other"] }; // of whom the rows belong to the first
const verbs = { read: "read", create: "create", update: "patch", delete: "delete", restore: "restore" };
const refused = (status) => ["401", "403", "404"].includes(status);

const { entities } = await (await signedIn()).ask("GET", "/manifest");
const operation = (entity, verb) => {
  const call = entity.verbs?.find((one) => one.name === verbs[verb]) ?? entity.actions?.find((one) => one.name === verb && one.kind === "action");
  return call && answers.get(`${call.method} ${call.path}`);
};

const page = await open({ viewport: { width: 1440, height: 900 } });
await signIn(page);
await page.goto(url + "/console/permissions");
await settled(page);
const as = page.getByRole("main").getByRole("combobox");
const all = await as.locator("option").allTextContents();
const faults = [], seen = { all: 0, some: 0, none: 0 };
for (const caller of all.filter((one) => one in asking || callers.includes(one))) { // other roles are not asked as
  await as.selectOption(caller);
  await page.waitForURL(new RegExp(`as=${caller}$`));
  await page.getByRole("table", { name: `What ${caller} may do` }).waitFor();
  const cells = await page.locator("tbody tr").evaluateAll((rows) => rows.flatMap((row) => [...row.querySelectorAll(".mark")].map((mark) => {
    const words = mark.textContent.split(", ").pop().trim().split(" ");
    return { name: row.querySelector("a").getAttribute("href").split("/").pop(), word: words.pop(), verb: words.join("_") };
  })));
  for (const { name, verb, word } of cells) {
    const told = operation(entities.find((one) => one.name === name), verb);
    if (!told) continue; // no operation of the entity's own asks for the verb, or it is asked in states alone
    seen[word]++;
    const statuses = (asking[caller] ?? [caller]).map((one) => told.get(one));
    const agrees = word === "all" ? !statuses.some(refused) : word === "none" ? statuses.every(refused) : true;
    if (!agrees) faults.push(`${caller} may ${verb} ${name}: ${word}, and the API answers ${statuses}`);
  }
}
assert.deepEqual(faults, []);
assert.ok(seen.all > 80 && seen.none > 200, JSON.stringify(seen));
console.log(JSON.stringify(seen));
await browser.close();
