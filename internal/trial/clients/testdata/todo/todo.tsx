// A to-do list that is shared by all who have it open: a post is something to do, and it is
// done when it is published.
import { useState } from "react";
import { createRoot } from "react-dom/client";
import { connect, type Post } from "entwine-client";
import { useAction, useLive, useSession } from "entwine-client/react";

const db = connect({ backoff: 20, mode: "session" });
const open = () => db.posts.live({ fields: ["id", "title", "published", "version"], sort: "created_at", limit: 100 });

function Todos() {
  const { list, rows, error } = useLive(open);
  const [title, setTitle] = useState("");
  const [act, { error: refused }] = useAction(run);
  if (error) return <p role="alert">{error.message}</p>;
  if (!rows) return <p>…</p>;

  const add = () => act(async () => {
    setTitle("");
    const draft = { id: -Date.now(), title, published: false, version: 0 };
    await list.optimistic((all) => [...all, draft], () => db.posts.create({ title, content: "To do." }));
  });
  const rename = (post: Todo, title: string) => act(() =>
    list.optimistic((all) => all.map((one) => (one.id === post.id ? { ...one, title } : one)), () => db.posts.update(post.id, { title })));
  const finish = (post: Todo) => act(() =>
    list.optimistic((all) => all.map((one) => (one.id === post.id ? { ...one, published: true } : one)), () => db.posts.publish(post.id)));
  const remove = (post: Todo) => act(() =>
    list.optimistic((all) => all.filter((one) => one.id !== post.id), () => db.posts.delete(post.id)));

  return (
    <form onSubmit={(event) => (event.preventDefault(), void add())}>
      <ul>
        {rows.map((post) => (
          <li key={String(post.id)} data-id={String(post.id)} data-done={post.published}>
            <input type="checkbox" checked={post.published} onChange={() => void finish(post)} />
            <span>{post.title}</span>
            <button type="button" name="rename" onClick={() => void rename(post, post.title + "!")}>!</button>
            <button type="button" name="remove" onClick={() => void remove(post)}>×</button>
          </li>
        ))}
      </ul>
      <input name="title" value={title} onChange={(event) => setTitle(event.target.value)} />
      {refused !== undefined && <p role="status">{String(refused)}</p>}
    </form>
  );
}

type Todo = Pick<Post, "id" | "title" | "published">;
const run = (write: () => Promise<unknown>) => write();

function App() {
  const { signedIn, ready } = useSession(db);
  if (!ready) return <p>…</p>;
  return signedIn ? <Todos /> : <button onClick={() => void db.session.signIn({ email: "ada@example.com", password: "correct horse 1" })}>Sign in</button>;
}

createRoot(document.getElementById("root")!).render(<App />);
