// Opens every page of a service in a browser, on a phone and on a desktop, dark
// and light, and uses it: node pages.mjs URL BROWSER PASSWORD
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { chromium } from "playwright-core";

const [, , url, executablePath, password] = process.argv;
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });

for (const viewport of [{ width: 390, height: 844 }, { width: 1440, height: 900 }]) {
  const backgrounds = {};
  for (const colorScheme of ["light", "dark"]) {
    const context = await browser.newContext({ viewport, colorScheme, permissions: ["clipboard-read", "clipboard-write"] });
    context.setDefaultTimeout(120_000); // a machine that is busy is slow
    const page = await context.newPage();
    const complaints = [];
    page.on("pageerror", (err) => complaints.push(err.message));
    page.on("console", (m) => {
      const anonymous = m.text().includes("401 (Unauthorized)"); // who is signed in was asked, and nobody is
      if (["error", "warning"].includes(m.type()) && !anonymous) complaints.push(m.text());
    });
    const look = async (what) => {
      const where = `${what}, ${viewport.width} px, ${colorScheme}`;
      assert.deepEqual(complaints, [], where);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(over <= 0, `${where}: ${over} px are outside`);
      const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      if (colorScheme === "light") backgrounds[what] = background;
      else assert.notEqual(background, backgrounds[what], `${where}: as light as ever`);
    };
    await start(page, look);
    await reference(page, look);
    await graphiql(page, look);
    await context.close();
  }
}
await pageOfAnotherOrigin();
await browser.close();

// The page at / signs in, for all pages, and copies its requests.
async function start(page, look) {
  await page.goto(url + "/");
  await page.fill("#sign-in [name=password]", "wrong horse 1");
  await page.click("#sign-in button");
  await page.waitForFunction(() => document.getElementById("message").textContent !== "");
  await page.fill("#sign-in [name=password]", password);
  await page.click("#sign-in button");
  await page.waitForSelector("#sign-out:not([hidden])");
  await look("start");
  await page.locator(".copied button").first().click();
  await page.getByText("Copied", { exact: true }).waitFor();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^TOKEN=\$\(curl/);
}

// The reference lists operations, shows one, and sends a request as who is
// signed in; a reload shows the same operation.
async function reference(page, look) {
  await page.goto(url + "/api/v1/docs");
  await page.waitForSelector("#sign-out:not([hidden])");
  assert.ok(await page.locator(".operation").count() > 100);
  await look("reference");
  await page.fill("#filter", "create a post");
  assert.ok(await page.locator(".operation:visible").count() < 50); // an input event filters before it returns
  await page.fill("#filter", "create a category");
  assert.deepEqual(await page.locator("nav li:visible").allTextContents(), ["Categories"], "the menu has other groups than the filter");
  await page.fill("#filter", "create a post");
  await page.locator("#createPost > summary").click();
  await page.waitForSelector("#createPost textarea");
  await look("operation");
  await page.reload();
  await page.waitForSelector("#createPost textarea");
  await page.waitForFunction(() => Math.abs(document.getElementById("createPost").getBoundingClientRect().top) < 200);
  await page.locator("#createPost .send").click();
  await page.locator("#createPost [aria-live] strong").getByText("201 Created").waitFor();
  for (const what of [".answers > details", "details"]) { // the answers, and what is in them
    await page.evaluate((all) => { for (const details of document.querySelectorAll("#createPost " + all)) details.open = true; }, what);
    await page.waitForSelector("#createPost .answers ul.schema");
  }
  await look("operation, opened");
}

// GraphiQL knows who is signed in, also after a reload, and runs what it shows.
async function graphiql(page, look) {
  await page.goto(url + "/graphiql");
  await page.waitForSelector(".graphiql-query-editor");
  await page.reload();
  await page.waitForSelector("#sign-out:not([hidden])");
  await page.locator(".graphiql-execute-button[aria-haspopup=menu]").click(); // it has the menu once GraphiQL has read the document
  await page.getByRole("menuitem", { name: "List" }).click();
  await page.locator(".graphiql-response").getByText('"totalCount"').first().waitFor();
  await look("GraphiQL");
  await page.locator(".graphiql-sidebar button").first().click();
  await page.locator(".graphiql-doc-explorer").getByText("Mutation", { exact: true }).waitFor();
  await look("GraphiQL's documentation");
  await page.click("#sign-out button");
  await page.waitForSelector("#sign-in:not([hidden])");
}

// A page that a developer serves on this machine calls both APIs with cookies.
async function pageOfAnotherOrigin() {
  const server = createServer((request, response) => response.setHeader("Content-Type", "text/html").end("<!doctype html>")).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  const told = await page.evaluate(async ([url, password]) => {
    const send = (path, body) => fetch(url + path, {
      method: "POST", credentials: "include", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
    }).then((answer) => answer.json());
    await send("/api/v1/auth/login?mode=session", { email: "admin@example.com", password });
    return [await send("/api/v1/posts", { title: "From elsewhere", content: "It is so." }), await send("/graphql", { query: "{ me { email } }" })];
  }, [url, password]);
  assert.equal(told[0].status, "success");
  assert.equal(told[1].data.me.email, "admin@example.com");
  server.close();
}
