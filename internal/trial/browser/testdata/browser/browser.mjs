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
// and what was executed that was meant as text. Those that a test expects, by a pattern that it
// adds before what causes them, are no complaints, however late the browser logs them.
export async function open(options) {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(120_000); // a machine that is busy is slow
  const page = await context.newPage();
  page.complaints = [];
  page.expected = [];
  page.on("pageerror", (err) => page.complaints.push(err.message));
  page.on("console", (m) => {
    const text = m.text();
    if (["error", "warning"].includes(m.type()) && !page.expected.some((one) => one.test(text))) page.complaints.push(text);
  });
  await page.exposeFunction("executed", () => page.complaints.push("a text was executed"));
  await page.addInitScript(() => addEventListener("securitypolicyviolation", (event) => console.error("refused by the policy: " + event.violatedDirective)));
  await page.addInitScript(watch);
  page.axe = await context.newCDPSession(page);
  page.presses = 0; // the most that Tab was pressed to get anywhere
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

// What must hold of every view in every language: nothing is outside, no button of a table is
// scrolled to, and nothing complains.
export async function fits(page, what) {
  await settled(page);
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(over <= 0, `${what}: ${over} px are outside`);
  const aside = await page.evaluate(() => [...document.querySelectorAll("td button")].filter((one) => one.checkVisibility() && one.getBoundingClientRect().right > innerWidth).map((one) => one.textContent));
  assert.deepEqual(aside, [], `${what}: buttons of a table that are not seen`);
  assert.deepEqual(page.complaints, [], what);
}

// What must hold of every view: it fits, and axe finds no fault, light and dark. A theme is other
// colours of the same elements.
export async function look(page, what) {
  await fits(page, what);
  await page.axe.send("Runtime.evaluate", { expression: axe });
  await sound(page, what, ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]);
  const dark = await page.evaluate(() => matchMedia("(prefers-color-scheme: dark)").matches);
  const [now, other] = dark ? ["dark", "light"] : ["light", "dark"];
  await page.emulateMedia({ colorScheme: other });
  await sound(page, `${what}, ${other}`, ["color-contrast", "link-in-text-block"]);
  await page.emulateMedia({ colorScheme: now });
}

async function sound(page, what, rules) {
  const { result, exceptionDetails } = await page.axe.send("Runtime.evaluate", {
    expression: `axe.run(document, { runOnly: ${JSON.stringify(rules)} })
      .then((found) => JSON.stringify(found.violations.map((one) => [one.id, one.nodes.map((node) => node.html)])))`,
    awaitPromise: true, returnByValue: true,
  });
  assert.equal(exceptionDetails, undefined, what);
  assert.deepEqual(JSON.parse(result.value), [], what);
}

// How many presses of Tab may lie before anything on a page.
const most = 120;

// Presses Tab, or Shift+Tab where the element stands before, until it has the focus, as a
// person without a mouse does; the link at the top leads past the navigation. Each stop on
// the way has to show that it has the focus, and may not lie below something else.
export async function tabTo(page, element) {
  await element.waitFor();
  for (let presses = 0; presses <= most;) {
    const { fault, here, key, count } = await element.evaluate(lead);
    assert.equal(fault, undefined);
    if (here) return void (page.presses = Math.max(page.presses, presses));
    if (key === "Enter") {
      await page.keyboard.press(key);
      continue;
    }
    presses += count;
    await tab(page, count, key === "Shift+Tab");
  }
  assert.fail(`${most} presses of Tab do not lead to ${element}`);
}

/** Presses Tab so many times, without waiting after each. */
async function tab(page, count, back) {
  const key = { key: "Tab", code: "Tab", windowsVirtualKeyCode: 9, modifiers: back ? 8 : 0 };
  await Promise.all(Array.from({ length: count }, () => ["rawKeyDown", "keyUp"].map((type) => page.axe.send("Input.dispatchKeyEvent", { type, ...key }))).flat());
}

// Says which key leads on from where the focus is, and how often as far as the page shows. It runs in the page.
function lead(target) {
  const at = document.activeElement;
  const fault = window.unseen;
  if (fault || at === target) return { fault, here: at === target };
  if (at.matches(".skip") && target.closest("#main")) return { key: "Enter" };
  const begins = at === document.body;
  if (begins && target.closest("#main") && document.querySelector(".skip") && !document.querySelector("dialog:modal")) return { key: "Tab", count: 1 };
  const back = !begins && !at.contains(target) && at.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_PRECEDING;
  const [from, to] = back ? [target, at] : [at, target];
  const stops = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.disabled && (one.type !== "radio" || one.checked));
  const between = stops.filter((one) => (begins || from.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING) && one.compareDocumentPosition(to) & Node.DOCUMENT_POSITION_FOLLOWING);
  return { key: back ? "Shift+Tab" : "Tab", count: Math.max(1, between.length + 1) };
}

// Looks at each stop of Tab: window.unseen is the first at which it is not seen where the
// focus is. It runs in the page.
function watch() {
  const marked = (one) => getComputedStyle(one).outlineStyle !== "none" && parseFloat(getComputedStyle(one).outlineWidth) >= 1;
  const framed = (one) => [...one.querySelectorAll("rect")].some((part) => parseFloat(getComputedStyle(part).strokeWidth) >= 2);
  function covered(at) {
    const { left, right, top, bottom } = at.getBoundingClientRect();
    return ![[0.5, 0.5], [0.05, 0.1], [0.95, 0.1], [0.05, 0.9], [0.95, 0.9]].some(([across, down]) => {
      const hit = document.elementFromPoint(left + across * (right - left), top + down * (bottom - top));
      return hit && (at.contains(hit) || hit.contains(at) || at.labels?.[0]?.contains(hit));
    });
  }
  addEventListener("keyup", ({ key }) => {
    const at = document.activeElement;
    if (key !== "Tab" || at === document.body || at.tabIndex < 0 || at.closest(".CodeMirror")) return; // the editor of GraphiQL has a cursor
    const said = !marked(at) && !marked(at.closest("li") ?? at) && !framed(at) ? "it does not show" : covered(at) ? "it is not in sight" : "";
    if (said) window.unseen ??= `${said} that this has the focus: ${at.outerHTML.slice(0, 200)}`;
  }, true);
}

// How a person uses a page: by mouse, or by the keyboard alone.
export const hands = {
  mouse: {
    use: (page, element) => element.click(),
    tick: (page, element) => element.click(),
    write: (page, element, text) => element.fill(text),
    choose: (page, select, label) => select.selectOption({ label }),
    pick: (page, radio) => radio.click(),
    file: async (page, element, file) => element.setInputFiles(file),
  },
  keys: {
    async use(page, element) {
      await tabTo(page, element);
      await page.keyboard.press("Enter");
    },
    async tick(page, element) {
      await tabTo(page, element);
      await page.keyboard.press("Space");
    },
    async write(page, element, text) {
      await tabTo(page, element);
      await page.keyboard.press("Control+A");
      await page.keyboard.type(text);
    },
    async choose(page, select, label) {
      await tabTo(page, select);
      const steps = await select.evaluate((one, text) => [...one.options].findIndex((option) => option.text === text) - one.selectedIndex, label);
      for (let i = 0; i < Math.abs(steps); i++) await page.keyboard.press(steps > 0 ? "ArrowDown" : "ArrowUp");
    },
    /** Tab leads to the radio of the group that is chosen, and arrows to the others. */
    async pick(page, radio) {
      const chosen = page.locator(`input[type=radio][name="${await radio.getAttribute("name")}"]:checked`);
      await tabTo(page, chosen);
      for (let i = 0; i < 5 && !await radio.isChecked(); i++) await page.keyboard.press("ArrowDown");
      assert.ok(await radio.isChecked());
    },
    async file(page, element, file) {
      const chooser = page.waitForEvent("filechooser"); // Chromium is asked for it before the key is pressed
      chooser.catch(() => {}); // a press that does not come says why
      await tabTo(page, element);
      await page.keyboard.press("Space");
      await (await chooser).setFiles(file);
    },
  },
};

// What somebody does at a page, and how many clicks and typed fields it takes.
export function person(page, by) {
  const main = page.getByRole("main");
  const me = {
    page, by, main, dialog: page.getByRole("dialog"), clicks: 0, typed: 0,
    button: (name) => page.getByRole("button", { name, exact: true }),
    link: (name) => main.getByRole("link", { name, exact: true }),
    heading: (name) => page.getByRole("heading", { name, level: 1 }).waitFor(),
    async use(element) { me.clicks++; await by.use(page, element); },
    async tick(element) { me.clicks++; await by.tick(page, element); },
    async pick(radio) { me.clicks++; await by.pick(page, radio); },
    async write(element, text) { me.typed++; await by.write(page, element, text); },
    async file(element, file) { me.clicks++; await by.file(page, element, file); },
    async choose(select, label) {
      me.clicks += 2; // it is opened, and one is pressed
      await by.choose(page, select, label);
    },
    /** Presses Enter in a field that was typed into, which sends its form. */
    async search(element, text) {
      await me.write(element, text);
      await page.keyboard.press("Enter");
    },
    /** Presses Esc, which a dialog and a panel close by. */
    escape: () => page.keyboard.press("Escape"),
    /** Follows a link of the navigation, which a narrow screen has behind a button: that is not counted. */
    async go(name) {
      await page.getByRole("banner").waitFor();
      const menu = me.button("Menu");
      if (await menu.isVisible() && await menu.getAttribute("aria-expanded") === "false") await by.use(page, menu);
      await me.use(page.getByRole("navigation", { name: "Console" }).getByRole("link", { name, exact: true }));
      await settled(page);
    },
    async signIn(at, email, secret) {
      await page.goto(at + "/console");
      await me.write(page.getByLabel("E-mail"), email);
      await me.write(page.getByLabel("Password"), secret);
      await me.use(me.button("Sign in"));
      await page.getByRole("heading", { name: "Health" }).waitFor();
    },
    /** Waits until the row of a table is gone, or there. */
    row: (name) => page.getByRole("row", { name }),
  };
  return me;
}

// The API as who signed in, beside the browser.
export async function signedIn(at = url) {
  const answer = await fetch(at + "/api/v1/auth/login", {
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
      const answer = await fetch(`${at}/api/v1/presence?entity=${entity}&id=${id}`, { headers: { Authorization: `Bearer ${token}`, Accept: "text/event-stream" }, signal: end.signal });
      const stream = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      let text = "";
      while (!/"token":"[^"]+"/.test(text)) text += (await stream.read()).value;
      await this.ask("POST", "/presence", { token: /"token":"([^"]+)"/.exec(text)[1], state });
      return () => end.abort();
    },
    async upload(field, name, content) {
      const response = await fetch(`${at}/api/v1/files?for=${field}&name=${encodeURIComponent(name)}`, { method: "POST", headers: { Authorization: `Bearer ${token}` }, body: content });
      const text = await response.text();
      assert.ok(response.ok, text);
      return JSON.parse(text).data;
    },
    async ask(method, path, body, headers = {}) {
      const response = await fetch(at + "/api/v1" + path, {
        method, headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json", ...headers }, body: body && JSON.stringify(body),
      });
      const text = await response.text();
      assert.ok(response.ok, text);
      return text ? JSON.parse(text) : {};
    },
  };
}
