// Uses a shared list in two browsers over a network that fails: node todo.mjs URL CONTROL BROWSER
import assert from "node:assert/strict";
import { chromium } from "playwright-core";

const [url, control, program] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: program, args: ["--no-sandbox"] });
let seed = 7;
const random = (n) => (seed = (seed * 48271) % 2147483647) % n;

const pages = [];
for (let i = 0; i < 2; i++) {
  const page = await (await browser.newContext()).newPage();
  page.on("pageerror", (err) => assert.fail(err));
  await page.goto(url);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.locator("input[name=title]").waitFor();
  pages.push(page);
}
await network("fails");
for (let i = 0; i < 150; i++) {
  await does(pages[i % 2], i);
  if (i % 50 === 25) await network("restarts");
}
await network("holds");

// What is on the screens is what there is.
const [one] = pages;
for (;;) {
  const { rows } = await one.evaluate(async () => {
    const answer = await fetch("/api/v1/posts?fields=id,title,published&sort=created_at&limit=100");
    return { rows: (await answer.json()).data ?? [] };
  });
  const want = rows.map((row) => [String(row.id), row.title, row.published]);
  const screens = await Promise.all(pages.map(shown));
  if (screens.every((screen) => JSON.stringify(screen) === JSON.stringify(want))) {
    console.log("shown", want.length);
    break;
  }
}
await browser.close();

/** The rows of a page. */
function shown(page) {
  return page.evaluate(() => [...document.querySelectorAll("li")].map((li) => [li.dataset.id, li.querySelector("span").textContent, li.dataset.done === "true"]));
}

/** Has the network fail, restart the service, or hold from now on. */
async function network(how) {
  await fetch(`${control}/${how}`, { method: "POST" });
}

/** Does what a person does. */
async function does(page, i) {
  const kind = random(5);
  const count = await page.locator("li").count();
  if (count < 4 || (kind === 0 && count < 25)) {
    await page.locator("input[name=title]").fill(`To do ${i}`);
    await page.locator("input[name=title]").press("Enter");
  } else {
    await page.evaluate(([kind, at]) => {
      const all = document.querySelectorAll("li");
      all[at % all.length]?.querySelector(["input", "button[name=rename]", "button[name=remove]"][kind % 3])?.click();
    }, [kind, random(100)]);
  }
  for (let frame = 0; frame < 4; frame++) await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
}
