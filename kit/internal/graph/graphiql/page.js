"use strict";

// Who is signed in is in the cookie of a session, which no script can read: it
// outlives the page, and every page of the service has it.
const url = new URL("/graphql", location.href);
const socket = new URL(url);
socket.protocol = url.protocol === "https:" ? "wss:" : "ws:";

// A connection belongs to whom it was opened for.
let client;
function connect() {
  client?.dispose();
  client = graphqlWs.createClient({ url: socket.href, lazy: true, retryAttempts: 0 });
}
connect();

const fetcher = GraphiQL.createFetcher({
  url: url.href,
  wsClient: {
    subscribe: (...given) => client.subscribe(...given),
    on: (...given) => client.on(...given),
    dispose: () => client.dispose(),
    terminate: () => client.terminate(),
  },
});

const main = document.getElementById("graphiql");
const root = ReactDOM.createRoot(main);
root.render(React.createElement(GraphiQL, { fetcher, defaultQuery: main.dataset.example, shouldPersistHeaders: false }));

// Tab leads on from an editor, as from any other control: GraphiQL indents by it, and the
// keyboard alone would not lead out again.
const leave = { Tab: false, "Shift-Tab": false };
main.addEventListener("focusin", ({ target }) => {
  const editor = target.closest(".CodeMirror")?.CodeMirror;
  editor?.removeKeyMap(leave);
  editor?.addKeyMap(leave);
});

const signIn = document.getElementById("sign-in");
const signOut = document.getElementById("sign-out");
const message = document.getElementById("message");

const login = `mutation($email: String!, $password: String!, $totpToken: String) {
  login(email: $email, password: $password, totpToken: $totpToken, mode: SESSION) { requires2FA }
}`;

const ask = (query, variables) => fetch(url, {
  method: "POST",
  headers: { "content-type": "application/json", accept: "application/json" },
  body: JSON.stringify({ query, variables }),
}).then((r) => r.json(), () => ({ errors: [{ message: "the service does not answer" }] }));

async function show() {
  const user = (await ask("{ me { email } }")).data?.me;
  document.getElementById("who").textContent = user?.email ?? "";
  signIn.hidden = Boolean(user);
  signOut.hidden = !user;
}
if ("accounts" in main.dataset) show();

signIn.addEventListener("submit", async (event) => {
  event.preventDefault();
  message.textContent = "";
  const given = Object.fromEntries(new FormData(signIn));
  if (!given.totpToken) delete given.totpToken;
  const response = await ask(login, given);
  if (response.errors) {
    message.textContent = response.errors[0].message;
    return;
  }
  if (response.data.login.requires2FA) {
    signIn.totpToken.hidden = false;
    signIn.totpToken.focus();
    message.textContent = "the one-time code, please";
    return;
  }
  signIn.reset();
  signIn.totpToken.hidden = true;
  connect();
  show();
});

signOut.addEventListener("submit", async (event) => {
  event.preventDefault();
  await ask("mutation { logout }");
  connect();
  show();
});
