// Reads the console's page of permissions as each caller that it has, and compares every cell
// with what the API has answered, and with what each caller may do with each kind of row:
// node permissions.mjs URL BROWSER PASSWORD TABLE POLICIES. The table has a line for each question,
// with the status that each caller gets. The policies are those of schema/policies_test.go, which
// hold for the rows of a database.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { browser, open, settled, signedIn, signIn, url } from "./browser.mjs";

const [[, ...callers], ...lines] = readFileSync(process.argv[5], "utf8").trim().split("\n").map((line) => line.split(/ {2,}/));
const answers = new Map(lines.map(([question, ...statuses]) => [question, new Map(callers.map((caller, i) => [caller, statuses[i].trim()]))]));
const asking = { user: ["owner", "other"] }; // of whom the rows belong to the first
const policies = new Map([...readFileSync(process.argv[6], "utf8").matchAll(/"(\w+)": `\n([^`]*)`/g)].map(([, entity, text]) => [entity, kinds(text)]));
const columns = { user: "other", "read-key": "reader", "write-key": "writer" }; // of whom no row is their own but keys' jobs
const verbs = { read: "read", create: "create", update: "patch", delete: "delete", restore: "restore" };
const refused = (status) => ["401", "403", "404"].includes(status);

const { entities } = await (await signedIn()).ask("GET", "/manifest");
const operation = (entity, verb) => {
  const call = entity.verbs?.find((one) => one.name === verbs[verb]) ?? entity.actions?.find((one) => one.name === verb && one.kind === "action");
  return call && answers.get(`${call.method} ${call.path}`);
};

/** What callers may do with each kind of row: yes, or the status by which they are refused. */
function kinds(text) {
  const [[, head], ...rows] = text.trim().split("\n").map((line) => line.split("|").map((part) => part.trim()));
  const names = head.split(/ +/);
  return rows.map(([question, marks]) => {
    const [verb, ...kind] = question.split(" ");
    return { verb, kind: kind.join(" "), marks: Object.fromEntries(marks.split(/ +/).map((mark, i) => [names[i], mark])) };
  });
}

/**
 * Whether a word agrees with the kinds of rows: all of those that the caller can read, some, of which one is
 * refused, or none. What is the caller's own is what the owner may do.
 */
function agrees({ entity, verb, word, caller }) {
  const all = policies.get(entity);
  const own = columns[caller] ?? caller;
  const asked = all.filter((one) => one.verb === verb);
  const theirs = caller === "anonymous" || caller.endsWith("-key") ? [own] : [own, "owner"];
  const may = (one, who) => one.marks[who] === "yes";
  const sees = ({ kind }) => verb === "create" || all.some((one) => one.verb === "read" && one.kind === kind && may(one, own));
  switch (word) {
    case "all": return asked.some((one) => may(one, own)) && asked.every((one) => may(one, own) || one.kind !== "" && (!sees(one) || one.kind.includes("deleted")));
    case "none": return asked.length > 0 && !asked.some((one) => may(one, own));
  }
  const refused = asked.every((one) => one.kind === "") || asked.some((one) => theirs.some((who) => !may(one, who))); // an action without a row has none to refuse
  return refused && asked.some((one) => theirs.some((who) => may(one, who)));
}

const page = await open({ viewport: { width: 1440, height: 900 } });
await signIn(page);
await page.goto(url + "/console/permissions");
await settled(page);
const as = page.getByRole("main").getByRole("combobox");
const all = await as.locator("option").allTextContents();
const faults = [], seen = { all: 0, some: 0, none: 0 }, judged = { ...seen };
for (const caller of all.filter((one) => one in asking || callers.includes(one))) { // no table asks as other roles
  await as.selectOption(caller);
  await page.waitForURL(new RegExp(`as=${caller}$`));
  await page.getByRole("table", { name: `What ${caller} may do` }).waitFor();
  const cells = await page.locator("tbody tr").evaluateAll((rows) => rows.flatMap((row) => [...row.querySelectorAll(".mark")].map((mark) => {
    const words = mark.textContent.split(", ").pop().trim().split(" ");
    return { name: row.querySelector("a").getAttribute("href").split("/").pop(), word: words.pop(), verb: words.join("_") };
  })));
  for (const { name, verb, word } of cells) {
    if (!agrees({ entity: name, verb, word, caller })) faults.push(`${caller} may ${verb} ${name}: ${word}, and the policies say ${JSON.stringify(policies.get(name)?.filter((one) => one.verb === verb).map((one) => one.marks))}`);
    judged[word]++;
    const told = operation(entities.find((one) => one.name === name), verb);
    if (!told) continue; // no operation of the entity's own asks for the verb, or it is asked in states alone
    seen[word]++;
    const statuses = (asking[caller] ?? [caller]).map((one) => told.get(one));
    const answered = word === "all" ? !statuses.some(refused) : word === "none" ? statuses.every(refused) : true; // of "some" the rows decide
    if (!answered) faults.push(`${caller} may ${verb} ${name}: ${word}, and the API answers ${statuses}`);
  }
}
assert.deepEqual(faults, []);
assert.ok(seen.all > 80 && seen.none > 200, JSON.stringify(seen));
assert.ok(judged.all > 100 && judged.some > 180 && judged.none > 350, JSON.stringify(judged));
console.log(JSON.stringify({ seen, judged }));
await browser.close();
