// Prints what GraphQL Inspector says of each schema of a folder that was
// base.graphql before: a JSON object by the files' names.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { diff } from "@graphql-inspector/core";
import { buildSchema } from "graphql";

const folder = process.argv[2];
const read = (name) => buildSchema(readFileSync(join(folder, name), "utf8"));
const base = read("base.graphql");
const found = {};
for (const name of readdirSync(folder).filter((n) => n.endsWith(".graphql") && n !== "base.graphql")) {
  const changes = await diff(base, read(name));
  found[name.replace(".graphql", "")] = changes
    .filter((c) => c.criticality.level === "BREAKING")
    .map((c) => ({ id: c.type, text: c.message }));
}
console.log(JSON.stringify(found));
