// A program of a user of version 2: it signs up, writes, lists, filters and pages,
// meets errors, and deletes.
import createClient from "openapi-fetch";
import type { paths } from "./api-v2.js";

declare const process: { argv: string[] };

const service = process.argv[2] ?? "";
// Lists in parameters are separated by commas.
const querySerializer = { array: { style: "form", explode: false } } as const;
const anyone = createClient<paths, "application/json">({ baseUrl: `${service}/api/v2`, querySerializer });

function need<T>(value: T | undefined | null, what: string): T {
  if (value === undefined || value === null) throw new Error(`${what} is missing`);
  return value;
}
function same(got: unknown, want: unknown) {
  if (JSON.stringify(got) !== JSON.stringify(want)) throw new Error(`${JSON.stringify(got)}, not ${JSON.stringify(want)}`);
}

const registered = await anyone.POST("/auth/register", {
  body: { name: "Grace Hopper", email: "grace@example.com", password: "correct horse 1" },
});
const token: string = need(need(registered.data, "registration").token, "token");
const me: string = need(need(registered.data, "registration").user.id, "id");

const grace = createClient<paths, "application/json">({
  baseUrl: `${service}/api/v2`,
  querySerializer,
  headers: { Authorization: `Bearer ${token}` },
});
const ids: string[] = [];
for (const title of ["Compilers", "Nanoseconds", "Ships"]) {
  const made = await grace.POST("/posts", { body: { title, content: "Text.", published: true } });
  const post = need(made.data, "post").data.post;
  same([made.response.status, post.title, post.authorId], [201, title, me]);
  ids.push(need(post.id, "id"));
}
const first: string = need(ids[0], "id");

const read = await grace.GET("/posts/{id}", { params: { path: { id: first }, query: { expand: ["author"], fields: ["title", "createdAt", "author.id"] } } });
const shown = need(read.data, "post").data.post;
same([shown.title, typeof shown.createdAt, shown.author?.id], ["Compilers", "string", me]);

const found = await grace.GET("/posts", {
  params: { query: { authorId: me, sort: ["-createdAt"], "title[in]": ["Compilers", "Ships"], "createdAt[gte]": "2020-01-01" } },
});
const list = need(found.data, "page");
same([list.results, list.data.posts.map((post) => post.title), list.pagination.totalPages, list.pagination.hasNext], [2, ["Ships", "Compilers"], 1, false]);

const titles: (string | undefined)[] = [];
for (let cursor: string | null | undefined = ""; cursor !== null && cursor !== undefined; ) {
  const page: NonNullable<typeof found.data> = need((await grace.GET("/posts", { params: { query: { authorId: me, cursor, limit: 2, sort: ["title"] } } })).data, "page");
  titles.push(...page.data.posts.map((post) => post.title));
  cursor = page.pagination.nextCursor;
}
same(titles, ["Compilers", "Nanoseconds", "Ships"]);

const refused = await grace.POST("/posts", { body: { title: "", content: "Text." } });
const failure = need(refused.error, "error");
if (!("errors" in failure)) throw new Error(JSON.stringify(failure));
same([refused.response.status, failure.status, failure.code, Object.keys(failure.errors)], [422, "fail", "VALIDATION_FAILED", ["title"]]);

const deleted = await grace.DELETE("/posts/{id}", { params: { path: { id: first } } });
same([deleted.response.status, deleted.data?.message], [200, "post deleted"]);
const gone = await grace.GET("/posts/{id}", { params: { path: { id: first } } });
same([gone.response.status, gone.error && "code" in gone.error ? gone.error.code : ""], [404, "POST_NOT_FOUND"]);

const many = await grace.POST("/users/bulk", { body: { users: [{ name: "Ada Lovelace", email: "ada@example.com" }] } });
same(many.response.status, 403); // it is for admins

// @ts-expect-error: the first version's name
shown.created_at;

console.log("the client is content");
