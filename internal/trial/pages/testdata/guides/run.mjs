// Runs a script in a page of this machine, as a developer's front end would be,
// and prints what it says: node run.mjs BROWSER SCRIPT
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { chromium } from "playwright-core";

const [, , executablePath, script] = process.argv;
const server = createServer((request, response) => {
  const isScript = request.url === "/script.js";
  response.setHeader("Content-Type", isScript ? "text/javascript" : "text/html");
  response.end(isScript ? readFileSync(script, "utf8") + "\nwindow.done = true;" : '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/script.js"></script>');
}).listen(0, "127.0.0.1");
await new Promise((resolve) => server.once("listening", resolve));

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const page = await browser.newPage();
page.on("console", (message) => message.type() === "log" && console.log(message.text()));
page.on("pageerror", (err) => { console.error(err); process.exit(1); });
await page.goto(`http://127.0.0.1:${server.address().port}/`);
await page.waitForFunction(() => window.done, null, { timeout: 120_000 });
await browser.close();
server.close();
