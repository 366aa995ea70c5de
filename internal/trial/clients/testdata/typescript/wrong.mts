// Each line has a mistake, which the compiler finds at the word.
import { connect, failed } from "./client/dist/index.js";

export async function wrong() {
  const db = connect();
  // @ts-expect-error there is no such entity
  db.notes.list();
  // @ts-expect-error there is no such filter
  db.posts.list({ where: { titel: "x" } });
  // @ts-expect-error it is a flag
  db.posts.list({ where: { published: "yes" } });
  // @ts-expect-error flags have no order
  db.posts.list({ where: { published: { gte: true } } });
  // @ts-expect-error there is no such edge
  db.posts.list({ expand: ["autor"] });
  // @ts-expect-error lists cannot be sorted by it
  db.posts.list({ sort: "content" });
  // @ts-expect-error there is no such field
  db.posts.get(1, { fields: ["titel"] });
  // @ts-expect-error the title is required
  db.posts.create({ content: "Text." });
  // @ts-expect-error nobody sets the count
  db.posts.create({ title: "T", content: "Text.", likes_count: 7 });
  // @ts-expect-error the author stays
  db.posts.update(1, { author_id: 2 });
  // @ts-expect-error the content is required
  db.posts.replace(1, { title: "T" });
  // @ts-expect-error the field has no files
  db.files.upload(new Blob(), { for: "profile.bio" });
  // @ts-expect-error no field is named
  db.files.upload(new Blob(), {});
  // @ts-expect-error it has no files
  db.profile.upload(1, "bio", new Blob());
  // @ts-expect-error there is no such action
  db.posts.burn(1);
  // @ts-expect-error the quantity is missing
  db.orders.create({ items: [{ product_id: 1 }] });
  // @ts-expect-error it is none of the values
  db.orders.list({ where: { status: "burnt" } });
  const [post] = (await db.posts.list({ fields: ["id", "title"] })).rows;
  // @ts-expect-error it was not asked for
  post?.content;
  const one = await db.posts.get(1);
  // @ts-expect-error the author was not asked for
  one.author;
  // @ts-expect-error there is no such code
  failed(null, "NOT_THERE");
}
