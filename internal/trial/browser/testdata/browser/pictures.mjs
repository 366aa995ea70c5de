// Takes pictures of the pages, on a phone, on a tablet and on a desktop, dark and light:
// node pictures.mjs URL BROWSER PASSWORD FOLDER
import { join } from "node:path";
import { browser, open, settled, signedIn, signIn, url } from "./browser.mjs";

const folder = process.argv[5];
const api = await signedIn();
const product = await api.send("POST", "/products", { name: "Difference engine", price: 1900.5, stock: 3, tags: ["brass", "steam, hot"] });
await api.send("POST", "/orders", { items: [{ product_id: product.id, quantity: 2 }] }, { "X-Request-Id": "ordered" });
const post = await api.send("POST", "/posts", { title: "On looms", content: "They weave patterns of cards.", published: true });
await api.send("POST", "/emails/send", { to: "ada@example.com", subject: "Looms", text: "They are ready." });
await api.send("POST", "/reports/generate", { type: "users", format: "csv" });

const pages = {
  home: "", posts: "/rows/posts", drafts: "/rows/posts?published=false&sort=title", post: `/rows/posts/${post.id}`, "new-post": "/new/posts", "new-product": "/new/products",
  products: "/rows/products", orders: "/rows/orders", order: "/rows/orders/1", users: "/rows/users", categories: "/rows/categories", keys: "/rows/api-keys",
  jobs: "/jobs", job: "/rows/jobs/1", sessions: "/sessions", sales: "/charts/readSales", analytics: "/charts/readAnalytics", schema: "/schema", "schema-order": "/schema/Order",
  permissions: "/permissions", health: "/health", mailbox: "/mailbox", events: "/events", usage: "/usage", settings: "/settings", migrations: "/migrations",
  requests: "/requests", request: "/requests/ordered", "not-there": "/nowhere", empty: "/rows/refunds",
};

for (const [width, colorScheme] of [[1440, "light"], [1440, "dark"], [820, "light"], [820, "dark"], [390, "light"], [390, "dark"]]) {
  const page = await open({ viewport: { width, height: width > 400 ? 900 : 844 }, colorScheme });
  const take = async (name) => {
    await settled(page);
    await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`), animations: "disabled" });
  };
  for (const [name, path, shown] of [["start", "/", "h1"], ["reference", "/api/v1/docs", "h1"], ["graphiql", "/graphiql", ".graphiql-query-editor"]]) {
    await page.goto(url + path);
    await page.locator(shown).first().waitFor();
    await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`) });
  }
  await page.goto(url + "/console");
  await page.getByLabel("E-mail").waitFor();
  await take("sign-in");
  await signIn(page);
  for (const [name, path] of Object.entries(pages)) {
    await page.goto(url + "/console" + path);
    await page.getByRole("banner").waitFor();
    await take(name);
  }
  await page.goto(`${url}/console/rows/posts/${post.id}`);
  await page.getByRole("button", { name: "Delete" }).click();
  await take("dialog");
  await page.context().close();
}
await browser.close();
