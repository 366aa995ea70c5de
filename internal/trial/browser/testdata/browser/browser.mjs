// What the tests of the console in a browser share. Each is called by node TEST.mjs URL
// BROWSER PASSWORD.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

export const [, , url, executablePath, password] = process.argv;
export const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

// Opens a page whose complaints are kept: what a browser logs, what its policy refused,
// and what was executed that was meant as text.
export async function open(options) {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(120_000); // a machine that is busy is slow
  const page = await context.newPage();
  page.complaints = [];
  page.on("pageerror", (err) => page.complaints.push(err.message));
  page.on("console", (m) => { if (["error", "warning"].includes(m.type())) page.complaints.push(m.text()); });
  await page.exposeFunction("executed", () => page.complaints.push("a text was executed"));
  await page.addInitScript(() => addEventListener("securitypolicyviolation", (event) => console.error("refused by the policy: " + event.violatedDirective)));
  page.axe = await context.newCDPSession(page);
  return page;
}

export async function signIn(page, at = url) {
  await page.goto(at + "/console");
  await page.getByLabel("E-mail").fill("admin@example.com");
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("banner").waitFor();
}

export function settled(page) {
  return page.waitForFunction(() => document.querySelector("h1") && !document.querySelector(".loading, [aria-busy=true]"));
}

// What must hold of every view: nothing is outside, no button of a table is scrolled to, nobody complains, and axe finds no fault.
export async function look(page, what) {
  await settled(page);
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(over <= 0, `${what}: ${over} px are outside`);
  const aside = await page.evaluate(() => [...document.querySelectorAll("td button")].filter((one) => one.checkVisibility() && one.getBoundingClientRect().right > innerWidth).map((one) => one.textContent));
  assert.deepEqual(aside, [], `${what}: buttons of a table that are not seen`);
  assert.deepEqual(page.complaints, [], what);
  await page.axe.send("Runtime.evaluate", { expression: axe });
  const { result, exceptionDetails } = await page.axe.send("Runtime.evaluate", {
    expression: `axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] })
      .then((found) => JSON.stringify(found.violations.map((one) => [one.id, one.nodes.map((node) => node.html)])))`,
    awaitPromise: true, returnByValue: true,
  });
  assert.equal(exceptionDetails, undefined, what);
  assert.deepEqual(JSON.parse(result.value), [], what);
}

// Presses Tab until the element has the focus, as a person without a mouse does.
export async function tabTo(page, element) {
  await element.waitFor();
  for (let i = 0; i < 300; i++) {
    if (await element.evaluate((one) => one === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`${element} is reached by no Tab`);
}

// How a person uses a page: by mouse, or by the keyboard alone.
export const hands = {
  mouse: {
    use: (page, element) => element.click(),
    write: (page, element, text) => element.fill(text),
    tick: (page, element) => element.click(),
  },
  keys: {
    use: enter,
    async write(page, element, text) {
      await tabTo(page, element);
      await page.keyboard.press("Control+A");
      await page.keyboard.type(text);
    },
    async tick(page, element) {
      await tabTo(page, element);
      await page.keyboard.press("Space");
    },
  },
};

// Presses Enter on the element, which Tab reaches.
export async function enter(page, element) {
  await tabTo(page, element);
  await page.keyboard.press("Enter");
}

// The API as who signed in, beside the browser.
export async function signedIn() {
  const answer = await fetch(url + "/api/v1/auth/login", {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ email: "admin@example.com", password }),
  });
  const { token } = await answer.json();
  return {
    async send(...call) {
      return (await this.ask(...call)).data;
    },
    /** Looks at a row until what is returned is called, and says something of itself. */
    async look(entity, id, state) {
      const end = new AbortController();
      const answer = await fetch(`${url}/api/v1/presence?entity=${entity}&id=${id}`, { headers: { Authorization: `Bearer ${token}`, Accept: "text/event-stream" }, signal: end.signal });
      const stream = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      let text = "";
      while (!/"token":"[^"]+"/.test(text)) text += (await stream.read()).value;
      await this.ask("POST", "/presence", { token: /"token":"([^"]+)"/.exec(text)[1], state });
      return () => end.abort();
    },
    async upload(field, name, content) {
      const response = await fetch(`${url}/api/v1/files?for=${field}&name=${encodeURIComponent(name)}`, { method: "POST", headers: { Authorization: `Bearer ${token}` }, body: content });
      const text = await response.text();
      assert.ok(response.ok, text);
      return JSON.parse(text).data;
    },
    async ask(method, path, body, headers = {}) {
      const response = await fetch(url + "/api/v1" + path, {
        method, headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json", ...headers }, body: body && JSON.stringify(body),
      });
      const text = await response.text();
      assert.ok(response.ok, text);
      return text ? JSON.parse(text) : {};
    },
  };
}
