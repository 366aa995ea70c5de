// Uses the console in a browser, on a phone, on a tablet and on a desktop, each view dark and light:
// node console.mjs URL BROWSER PASSWORD
import assert from "node:assert/strict";
import { createServer, request } from "node:http";
import { browser, look, open, settled, signedIn, signIn, url } from "./browser.mjs";

const payloads = [
  "<script>executed()</script>", "<img src=x onerror=executed()>", "<svg onload=executed()>", "\"><svg/onload=executed()>", "'-executed()-'",
  "<iframe srcdoc='<script>parent.executed()</script>'>", "javascript:executed()", "<a href=javascript:executed()>x</a>", "${executed()}", "{{constructor.constructor('executed()')()}}",
  "<details open ontoggle=executed()>", "<style onload=executed()></style>", "<math><mtext></form><form><mglyph><style></math><img src onerror=executed()>", "</title><script>executed()</script>",
];

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP6DwABBQECz6AuzQAAAABJRU5ErkJggg==";

const api = await signedIn();
const made = [];
const ada = await api.send("POST", "/users", { name: "Ada Lovelace", email: "ada@example.com", password: "correct horse 1" });
await api.send("POST", "/posts", { title: "Explained", content: "Soon." }, { "X-Request-Id": "made" });
await api.send("POST", "/emails/send", { to: "ada@example.com", subject: "Looms", text: "They are ready.", html: "<b>They</b> are ready." });
for (const payload of payloads) made.push(await api.send("POST", "/posts", { title: payload, content: payload }));

for (const width of [1440, 820, 390]) await views(width);
await tasks();
await behindAProxy();
await browser.close();

async function views(width) {
  const page = await open({ viewport: { width, height: 900 } });
  const at = (name) => `${name}, ${width} px`;
  await page.goto(url + "/console");
  await look(page, at("sign-in"));
  await signIn(page);
  await look(page, at("home"));
  const id = made.at(-1).id;
  for (const path of ["/rows/posts", `/rows/posts/${id}`, "/new/products", "/new/posts", "/jobs", "/sessions", "/charts/readSales", "/charts/readAnalytics", "/schema", "/schema/Order", "/permissions", "/health", "/mailbox", "/mailbox/1", "/events", "/events/products", "/usage", "/settings", "/migrations", "/requests", "/requests/made", "/rows/users", "/rows/refunds"]) {
    await page.goto(url + "/console" + path);
    await look(page, at(path));
  }
  await page.goto(`${url}/console/rows/posts/${id}`);
  await page.getByRole("button", { name: "Delete" }).click();
  await look(page, at("dialog"));
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Edit" }).click();
  await look(page, at("form"));
  await together(page, at);
  await seen(page, at);
  if (width < 900) await page.getByRole("button", { name: "Menu" }).click();
  await look(page, at("menu"));
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  assert.deepEqual(page.complaints, [], at("after signing out"));
  await page.context().close();
}

// Rows that are chosen, what is asked before they are deleted, and what came of it.
async function together(page, at) {
  await page.goto(url + "/console/rows/users?email=admin@example.com");
  await settled(page);
  await page.getByRole("checkbox").nth(1).click();
  await look(page, at("selection"));
  await page.getByRole("button", { name: "Delete…" }).click();
  await look(page, at("bulk"));
  await page.getByRole("dialog").getByRole("button", { name: /^Delete 1/ }).click();
  await page.getByRole("dialog").getByRole("row", { name: /Admin 409 this is the last active admin/ }).waitFor();
  await look(page, at("results"));
}

// What another one sees, below the bar that says so.
async function seen(page, at) {
  await page.goto(`${url}/console/rows/users/${ada.id}`);
  await settled(page);
  await page.getByRole("button", { name: "See as" }).click();
  const bar = page.getByRole("region", { name: "Seeing as another" });
  await bar.waitFor();
  await look(page, at("seeing"));
  await bar.getByRole("button", { name: "End" }).click();
  await bar.waitFor({ state: "detached" });
}

async function tasks() {
  const page = await open({ viewport: { width: 1440, height: 900 } });
  await signIn(page);
  await uploads(page);
  await amounts(page);
  await present(page);
  await own(page);
  await parts(page);
  await charts(page);
  await became(page);
  await exact(page);
  await requests(page);
  await lost(page);
  await elsewhere(page);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
}

// A file is uploaded where its field is, and shown before the row has it. What the field does
// not take is refused there.
async function uploads(page) {
  const product = await api.send("POST", "/products", { name: "Slide rule", price: 1 });
  await page.goto(url + "/console/new/product-pictures");
  const image = page.getByLabel("Image");
  page.expected.push(/status of 415/);
  await image.setInputFiles({ name: "rule.txt", mimeType: "text/plain", buffer: Buffer.from("no picture") });
  await page.getByRole("status").getByText(/image\/png/).waitFor();
  await resumed(page, image);
  await image.setInputFiles({ name: "rule.png", mimeType: "image/png", buffer: Buffer.from(pixel, "base64") });
  await page.getByText("rule.png is uploaded").waitFor();
  await page.waitForFunction(() => document.querySelector(".upload img")?.naturalWidth > 0);
  await look(page, "upload");
  await page.getByLabel("Product").fill(String(product.id));
  await page.getByRole("button", { name: "Make product picture" }).click();
  await page.waitForURL(/\/rows\/product-pictures\/\d+$/);
  const row = await api.send("GET", "/product-pictures/" + page.url().split("/").at(-1));
  assert.match(row.image, /^\/api\/files\/[a-z2-7]{26}$/);
}

// An upload is paused and goes on; one that breaks off goes on when the file is chosen again.
async function resumed(page, image) {
  const part = /\/api\/v1\/files\/[^/]+\/upload$/;
  const file = { name: "rule.png", mimeType: "image/png", buffer: Buffer.from(pixel, "base64") };
  let reached = () => {};
  const paused = new Promise((resolve) => { reached = resolve; });
  await page.route(part, (route) => (route.request().method() === "PATCH" ? reached(route) : route.continue()));
  await image.setInputFiles(file);
  const held = await paused;
  await page.getByRole("progressbar", { name: "rule.png" }).waitFor();
  await look(page, "uploading");
  await page.getByRole("button", { name: "Pause" }).click();
  // The browser sends what is still held where the route ends, and the part that goes on would
  // meet it at the server.
  await held.abort();
  await page.unroute(part);
  await page.getByRole("button", { name: "Go on" }).click();
  await page.getByText("rule.png is uploaded").waitFor();
  page.expected.push(/ERR_FAILED/);
  await page.route(part, (route) => (route.request().method() === "PATCH" ? route.abort() : route.continue()));
  await image.setInputFiles({ ...file, name: "other.png" });
  await page.getByRole("button", { name: "Try again" }).waitFor();
  await page.unroute(part);
  const begun = [];
  page.on("request", (request) => request.method() === "POST" && begun.push(request.url()));
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("other.png is uploaded").waitFor();
  assert.deepEqual(begun, [], "it has begun anew");
}

// Amounts have all decimals of their currency in lists, rows and forms, and none is sent that was not changed.
async function amounts(page) {
  const yen = await api.send("POST", "/products", { name: "Planimeter", price: 1900, currency: "JPY" });
  await api.send("POST", "/products", { name: "Pantograph", price: 19.9 });
  await page.goto(url + "/console/rows/products?search=pantograph");
  await page.getByRole("cell", { name: "19.90 USD" }).waitFor();
  await page.getByRole("link", { name: "Pantograph", exact: true }).click();
  await page.getByText("19.90 USD").waitFor();
  await page.getByRole("button", { name: "Edit" }).click();
  assert.equal(await page.getByLabel("Price").inputValue(), "19.90");
  await page.getByLabel("Category").fill("drawing");
  const sent = page.waitForRequest((request) => request.method() === "PATCH");
  await page.getByRole("button", { name: "Save" }).click();
  assert.deepEqual((await sent).postDataJSON(), { category: "drawing" });
  await page.goto(`${url}/console/rows/products/${yen.id}`);
  await page.getByText("1900 JPY").waitFor();
}

// Who looks at a row sees who else does, and what they say of themselves, until they leave.
async function present(page) {
  const { id } = await api.send("POST", "/posts", { title: "Looked at", content: "By two." });
  await page.goto(`${url}/console/rows/posts/${id}`);
  await page.getByRole("heading", { name: "Looked at" }).waitFor();
  const others = page.getByRole("list", { name: "Looking at this row, too" });
  assert.equal(await others.count(), 0);
  const leave = await api.look("posts", id, { line: 12, typing: true });
  await others.getByText(/^\s*Admin\s*Line 12\s*Typing$/).waitFor();
  await look(page, "presence");
  await page.getByText("As JSON of REST").click();
  await page.getByText('"likes_count": 0').waitFor();
  await page.getByText("As JSON of GraphQL").click();
  await page.getByText('"likesCount": 0').waitFor();
  leave();
  await others.waitFor({ state: "detached" });
  const second = await page.context().newPage();
  await second.goto(`${url}/console/rows/posts/${id}`);
  await second.getByRole("list", { name: "Looking at this row, too" }).getByText("Admin").waitFor();
  await second.close();
}

// Who is about to change the account they are signed in with is warned, and does not follow themselves.
async function own(page) {
  const { data } = await api.ask("GET", "/auth/me");
  await page.goto(`${url}/console/rows/users/${data.id}`);
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByText("This is your own account.").waitFor();
  await look(page, "own account");
  await page.keyboard.press("Escape");
  assert.equal(await page.getByRole("button", { name: "Follow" }).count(), 0);
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByText("This is your own account.").waitFor();
  await page.goto(url + "/console/rows/users?email=admin@example.com");
  await page.getByRole("checkbox", { name: /^Choose Admin/ }).check();
  await page.getByRole("button", { name: "Delete…" }).click();
  await page.getByRole("dialog").getByText("This is your own account.").waitFor();
}

// The reads that the schema has charts for are drawn, for the time that is asked for, and
// have the numbers as text.
async function charts(page) {
  const product = await api.send("POST", "/products", { name: "Abacus", price: 12.5, stock: 9 });
  const order = await api.send("POST", "/orders", { items: [{ product_id: product.id, quantity: 2 }] });
  await api.send("POST", `/orders/${order.id}/pay`);
  while (!["paid", "processing"].includes((await api.send("GET", `/orders/${order.id}`)).status)); // until the gateway has taken the money
  await page.goto(url + "/console");
  await page.getByRole("link", { name: "Sales", exact: true }).click();
  const net = page.getByRole("figure", { name: /^Net and paid back/ });
  await net.getByText("As a table").click();
  await net.getByRole("cell", { name: "25.00", exact: true }).first().waitFor();
  await page.getByRole("table", { name: "Totals" }).getByRole("cell", { name: /^25/ }).first().waitFor();
  await look(page, "sales");
  assert.ok((await net.getByRole("row").count()) > 30, "days without sales are left out");
  await net.getByRole("cell", { name: "0.00", exact: true }).first().waitFor();
  await page.getByLabel("Interval").selectOption({ label: "Week" });
  await page.getByRole("button", { name: "Show" }).click();
  await page.waitForURL(/interval=week/);
  await settled(page);
  await page.reload();
  assert.equal(await page.getByLabel("Interval").inputValue(), "week");
  page.expected.push(/status of 4(00|22)/);
  await page.goto(url + "/console/charts/readSales?from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z");
  await page.locator(".finding").first().waitFor();
  await page.getByRole("link", { name: "Analytics", exact: true }).click();
  await page.getByRole("figure", { name: /^What was new/ }).waitFor();
  while (await page.getByRole("figure").getByText("Abacus").count() === 0) { // the service keeps the figures for some seconds
    await page.getByRole("button", { name: "Look again" }).click();
    await settled(page);
  }
  await look(page, "analytics");
  for (const marks of await page.locator(".ticks").all()) {
    const texts = await marks.getByRole("listitem", { includeHidden: true }).allTextContents();
    assert.equal(new Set(texts).size, texts.length, `an axis says ${texts}`);
  }
}

// The page of a row has what became of it, and the jobs that are about it.
async function became(page) {
  const product = await api.send("POST", "/products", { name: "Astrolabe", price: 3, stock: 2 });
  await api.send("PATCH", `/products/${product.id}`, { name: "Sextant" });
  await page.goto(`${url}/console/rows/products/${product.id}`);
  await page.locator("summary", { hasText: "Events" }).click();
  await page.locator(".events .badge").first().waitFor();
  assert.deepEqual(await page.locator(".events .badge").allTextContents(), ["changed", "created"]);
  await look(page, "what became of a row");
  const { id } = await api.send("POST", "/orders", { items: [{ product_id: product.id, quantity: 1 }] });
  await api.send("POST", `/orders/${id}/pay`);
  while ((await api.send("GET", `/jobs?subject=Order:${id}`)).length === 0); // until the order is paid
  await page.goto(`${url}/console/rows/orders/${id}`);
  await page.locator("summary", { hasText: "Jobs" }).click();
  await page.getByRole("table", { name: "Jobs" }).getByRole("link", { name: "receipt" }).waitFor();
  await look(page, "jobs of a row");
}

// Each part of the process is listed once, also one that is asked two questions.
async function parts(page) {
  await page.goto(url + "/console/health");
  await page.getByRole("heading", { name: "Since the process began" }).waitFor();
  const names = await page.locator(".part-name b").allTextContents();
  assert.deepEqual(names.sort(), ["database", "events", "requests"]);
}

// Ids above 2^53 and amounts are shown as the service wrote them.
async function exact(page) {
  await page.route(/\/api\/v1\/products\?/, (route) => route.fulfill({
    contentType: "application/json",
    body: '{"status":"success","data":[{"id":9007199254740993,"name":"Large","price":90071992547409.93,"currency":"USD"}],"pagination":{"limit":20,"has_more":false,"next_cursor":null},"links":{}}',
  }));
  await page.goto(url + "/console/rows/products");
  await page.getByRole("link", { name: "9007199254740993" }).waitFor();
  assert.match(await page.getByRole("link", { name: "9007199254740993" }).getAttribute("href"), /\/9007199254740993$/);
  await page.getByText("90071992547409.93").waitFor();
  await page.unroute(/\/api\/v1\/products\?/);
}

// A request is explained as far as the mail that came of it, without what the mail says.
async function requests(page) {
  await api.send("POST", "/emails/send", { to: "ada@example.com", subject: "hush", text: "hush" }, { "X-Request-Id": "mailed" });
  await page.goto(url + "/console/requests/mailed");
  await page.getByRole("heading", { name: "What happened" }).waitFor();
  while (await page.getByRole("heading", { name: /job email/ }).count() === 0) { // until the worker has sent it
    await page.reload();
    await settled(page);
  }
  assert.ok(!(await page.content()).includes("hush"));
}

// An answer that is lost on its way is asked for again by the client, and the row is made once.
async function lost(page) {
  const keys = [];
  page.expected.push(/ERR_FAILED/);
  await page.route(/\/api\/v1\/posts$/, async (route) => {
    keys.push(route.request().headers()["idempotency-key"]);
    if (keys.length > 1) return route.continue();
    await route.fetch();
    return route.abort();
  });
  await page.goto(url + "/console/new/posts");
  await page.getByLabel("Title").fill("Made once");
  await page.getByLabel("Content").fill("Whatever is lost.");
  await page.getByRole("button", { name: "Make post" }).click();
  await page.getByRole("heading", { name: "Made once" }).waitFor();
  await page.unroute(/\/api\/v1\/posts$/);
  assert.deepEqual([keys.length, keys[0]], [2, keys[1]]);
  assert.equal((await api.send("GET", "/posts?search=Made%20once")).length, 1);
}

// Who signs out in one tab is signed out in all.
async function elsewhere(page) {
  page.expected.push(/status of 401/); // its streams end with the sign-in, and may ask once more
  const other = await page.context().newPage();
  await other.goto(url + "/console");
  await other.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await other.close();
}

// A proxy serves the service below a path of its own, which the service does not know.
async function behindAProxy() {
  const proxy = createServer((asked, answer) => {
    const on = request(url + asked.url.replace(/^\/shop/, ""), { method: asked.method, headers: asked.headers }, (told) => {
      answer.writeHead(told.statusCode, told.headers);
      told.pipe(answer);
    });
    answer.on("close", () => on.destroy()); // a stream that the browser has left
    on.on("error", () => answer.destroy());
    asked.pipe(on);
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => proxy.once("listening", resolve));
  const at = `http://127.0.0.1:${proxy.address().port}/shop`;
  const page = await open({ viewport: { width: 1440, height: 900 } });
  await signIn(page, at);
  await page.getByRole("navigation", { name: "Console" }).getByRole("link", { name: "Posts" }).click();
  await page.waitForURL(at + "/console/rows/posts");
  await page.reload();
  await page.getByRole("link", { name: "Made once" }).click();
  await page.getByText("Whatever is lost.", { exact: true }).waitFor();
  assert.deepEqual(page.complaints, []);
  await page.context().close();
  proxy.close();
  proxy.closeAllConnections();
}
