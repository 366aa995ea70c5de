// A program of a user of the API: it signs up, writes, lists and meets errors.
import createClient from "openapi-fetch";
import type { paths } from "./api.js";

declare const process: { argv: string[] };

const service = process.argv[2] ?? "";
// Lists in parameters are separated by commas.
const querySerializer = { array: { style: "form", explode: false } } as const;
const anyone = createClient<paths, "application/json">({ baseUrl: `${service}/api/v1`, querySerializer });

function need<T>(value: T | undefined | null, what: string): T {
  if (value === undefined || value === null) throw new Error(`${what} is missing`);
  return value;
}

const registered = await anyone.POST("/auth/register", {
  body: { name: "Ada Lovelace", email: "ada@example.com", password: "correct horse 1" },
});
const token: string = need(need(registered.data, "registration").token, "token");

const ada = createClient<paths, "application/json">({
  baseUrl: `${service}/api/v1`,
  querySerializer,
  headers: { Authorization: `Bearer ${token}` },
});
for (const title of ["Engines", "Notes", "Tables"]) {
  const made = await ada.POST("/posts", { body: { title, content: "Text.", published: true } });
  const shown: string | undefined = need(made.data, "post").data.title;
  if (shown !== title || made.response.status !== 201) throw new Error(`made ${shown}`);
}

const page = await ada.GET("/posts", {
  params: { query: { sort: ["-title"], "title[in]": ["Engines", "Notes"], expand: ["author"], limit: 10 } },
});
const list = need(page.data, "page");
const titles = list.data.map((post) => `${post.title} by ${post.author?.name}`).join(", ");
if (titles !== "Notes by Ada Lovelace, Engines by Ada Lovelace") throw new Error(titles);
if (list.pagination.total !== 2) throw new Error(`a total of ${list.pagination.total}`);

const refused = await ada.POST("/posts", { body: { title: "", content: "Text." } });
const failure = need(refused.error, "error");
if (refused.response.status !== 422 || !("error" in failure)) throw new Error(`${refused.response.status}`);
const field: string | undefined = failure.error.details?.[0]?.field;
if (failure.error.code !== "VALIDATION_ERROR" || field !== "title") throw new Error(JSON.stringify(failure));

// @ts-expect-error: the document has no such path
const nothing = await ada.GET("/nothing");
if (nothing.response.status !== 404) throw new Error("there is something");

console.log("the client is content");
