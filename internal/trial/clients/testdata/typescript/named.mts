// Drives version 2 of the API, whose names, ids and envelopes are others.
import { connect, failed } from "./named/dist/index.js";

declare const process: { argv: string[] };
const [, , url, apiKey] = process.argv;
const db = connect({ url: url!, apiKey: apiKey! });

const product = await db.products.create({ name: "Slide rule", price: 19.99 });
const same = await db.products.get(product.id);
const changed = await db.products.update(same, { stock: 7 });
const refused = await db.products.update(same, { stock: 8 }).catch((err: unknown) => err);
const names: string[] = [];
for await (const row of db.products.list({ where: { price: { gte: 19 } }, sort: "-createdAt", limit: 1 })) names.push(row.name);
console.log(JSON.stringify([typeof product.id, changed.stock, changed.version, failed(refused, "PRECONDITION_FAILED"), names, product.reviewsCount]));
