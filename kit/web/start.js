"use strict";

// Each request can be copied.
for (const pre of document.querySelectorAll("pre")) {
  const box = document.createElement("div");
  const button = document.createElement("button");
  box.className = "copied";
  button.textContent = "Copy";
  pre.replaceWith(box);
  box.append(pre, button);
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(pre.textContent);
      button.textContent = "Copied";
    } catch { // not a secure context: the reader copies what is selected
      getSelection().selectAllChildren(pre);
      button.textContent = "Selected";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  });
}

// Signing in is with the cookie of a session, which no script can read. Every
// page of the service has it.
function accounts() {
  const signIn = document.getElementById("sign-in");
  const signOut = document.getElementById("sign-out");
  const message = document.getElementById("message");

  const ask = (path, body) => fetch(signIn.dataset.api + "/auth/" + path, {
    method: path === "me" ? "GET" : "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json" },
    body: body && JSON.stringify(body),
  }).then((answer) => answer.json(), () => null);

  async function show() {
    const data = (await ask("me"))?.data; // an item stands under its name in some versions
    const user = data?.user ?? data;
    signIn.hidden = Boolean(user);
    signOut.hidden = !user;
    document.getElementById("who").textContent = user?.email ?? "";
  }
  show();

  signIn.addEventListener("submit", async (event) => {
    event.preventDefault();
    message.textContent = "";
    const given = Object.fromEntries(new FormData(signIn));
    if (!given.totpToken) delete given.totpToken;
    const answer = await ask("login?mode=session", given);
    if (answer?.requires2FA) {
      signIn.totpToken.hidden = false;
      signIn.totpToken.focus();
      message.textContent = "The one-time code, please.";
      return;
    }
    if (answer?.status === "success" || answer?.success) {
      signIn.reset();
      signIn.totpToken.hidden = true;
      show();
      return;
    }
    message.textContent = answer?.error?.message ?? answer?.message ?? "The service does not answer.";
  });

  signOut.addEventListener("submit", async (event) => {
    event.preventDefault();
    await ask("logout");
    show();
  });
}
if (document.getElementById("sign-in")) accounts();
