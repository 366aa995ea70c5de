"use strict";

// The token lives as long as the page: it is stored nowhere.
let token = "";
const url = new URL("/graphql", location.href);
const socket = new URL(url);
socket.protocol = url.protocol === "https:" ? "wss:" : "ws:";

const headers = () => (token ? { authorization: "Bearer " + token } : {});

// A connection belongs to whom it was opened for.
let client;
function connect() {
  client?.dispose();
  client = graphqlWs.createClient({
    url: socket.href,
    lazy: true,
    retryAttempts: 0,
    connectionParams: () => (token ? { Authorization: "Bearer " + token } : {}),
  });
}
connect();

const fetcher = GraphiQL.createFetcher({
  url: url.href,
  fetch: (input, init) => fetch(input, { ...init, headers: { ...init.headers, ...headers() } }),
  wsClient: {
    subscribe: (...given) => client.subscribe(...given),
    on: (...given) => client.on(...given),
    dispose: () => client.dispose(),
    terminate: () => client.terminate(),
  },
});

const example = `# Ctrl-Enter runs what the cursor is in. The schema is under the book.

query Posts {
  postsConnection(first: 5) {
    totalCount
    edges {
      node {
        title
        author { name }
      }
    }
  }
}

subscription New {
  newPost { title author { name } }
}
`;

const root = ReactDOM.createRoot(document.getElementById("graphiql"));
root.render(React.createElement(GraphiQL, { fetcher, defaultQuery: example, shouldPersistHeaders: false }));

const signIn = document.getElementById("sign-in");
const signOut = document.getElementById("sign-out");
const message = document.getElementById("message");

const login = `mutation($email: String!, $password: String!, $totpToken: String) {
  login(email: $email, password: $password, totpToken: $totpToken) { requires2FA accessToken }
}`;

signIn.addEventListener("submit", async (event) => {
  event.preventDefault();
  message.textContent = "";
  const given = Object.fromEntries(new FormData(signIn));
  if (!given.totpToken) delete given.totpToken;
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify({ query: login, variables: given }),
  }).then((r) => r.json(), () => ({ errors: [{ message: "the service does not answer" }] }));
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
  token = response.data.login.accessToken;
  document.getElementById("who").textContent = given.email;
  signIn.reset();
  signIn.totpToken.hidden = true;
  signIn.hidden = true;
  signOut.hidden = false;
  connect();
});

signOut.addEventListener("submit", async (event) => {
  event.preventDefault();
  await fetch("/api/v1/auth/logout", { method: "POST", headers: headers() }).catch(() => {});
  token = "";
  signIn.hidden = false;
  signOut.hidden = true;
  connect();
});
