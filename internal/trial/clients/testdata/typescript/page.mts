// What a page with a list needs.
import { connect } from "./client/dist/index.js";

const db = connect();
const { rows, next } = await db.posts.list({ where: { published: true }, expand: ["author"], sort: "-created_at", limit: 20 });
console.log(rows.map((post) => `${post.title} by ${post.author.name}`), next);
