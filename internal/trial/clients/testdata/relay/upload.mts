// Has Relay send a mutation with a file: node upload.mjs URL TOKEN. It says which avatar the store has then.
import { Environment, Network, RecordSource, Store, commitMutation } from "relay-runtime";
import mutation from "./src/__generated__/PostListAvatarMutation.graphql";

const [url, token] = process.argv.slice(2);
const headers = { Authorization: `Bearer ${token}`, "GraphQL-Require-Preflight": "true" };
const pixel = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==", "base64");

/** Sends an operation with what Relay calls uploadables: files beside the variables, by their names. */
async function send(request, variables, _, uploadables = {}) {
  const names = Object.keys(uploadables);
  const form = new FormData();
  form.append("operations", JSON.stringify({ documentId: request.id, variables: { ...variables, ...Object.fromEntries(names.map((name) => [name, null])) } }));
  form.append("map", JSON.stringify(Object.fromEntries(names.map((name) => [name, ["variables." + name]]))));
  for (const name of names) form.append(name, uploadables[name]);
  return (await fetch(url + "/graphql", { method: "POST", headers, body: form })).json();
}

const me = await (await fetch(url + "/api/v1/auth/me", { headers })).json();
commitMutation(new Environment({ network: Network.create(send), store: new Store(new RecordSource()) }), {
  mutation,
  variables: { user: String((me.data ?? me).id ?? me.user.id) },
  uploadables: { avatar: new File([pixel], "ada.png", { type: "image/png" }) },
  onCompleted: ({ setProfile }, errors) => console.log(errors ? JSON.stringify(errors) : setProfile.avatar),
  onError: (error) => console.log(String(error)),
});
