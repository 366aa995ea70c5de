"use strict";

// What stands beside this page: /api/v1/ for /api/v1/docs.
const base = new URL(".", location.href);

// make("td", {class: "x"}, "text", node…) makes an element. Text is never HTML.
function make(name, attributes = {}, ...content) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (value === true) node.setAttribute(key, "");
    else if (value !== false && value != null) node.setAttribute(key, value);
  }
  node.append(...content.filter((c) => c != null));
  return node;
}

// prose makes paragraphs of a description, with what is in backticks as code.
function prose(text) {
  return (text || "").split(/\n\n+/).filter(Boolean).map((paragraph) => make("p", {}, ...words(paragraph)));
}
const words = (text) => text.split(/`([^`]+)`/).map((part, i) => (i % 2 ? make("code", {}, part) : part));

// Operations are loaded as they are opened.
for (const details of document.querySelectorAll(".operation")) {
  details.addEventListener("toggle", () => details.open && open(details));
}

async function open(details) {
  if (!location.hash || location.hash.slice(1) !== details.id) history.replaceState(null, "", "#" + details.id);
  const about = details.querySelector(".about");
  if (about.childNodes.length) return;
  about.textContent = "Loading…";
  try {
    const answer = await fetch(new URL("docs/operations/" + encodeURIComponent(details.id), base));
    if (!answer.ok) throw new Error("the service answered " + answer.status);
    about.replaceChildren(...describe(await answer.json()));
  } catch (err) {
    about.replaceChildren(make("p", { class: "bad" }, "It could not be loaded: " + err.message + ". "),
      make("button", { onclick: () => { about.replaceChildren(); open(details); } }, "Try again"));
  }
}

// follow shows the operation that the address names. Where the reader was
// before a reload is not known: what was open then no longer is.
async function follow() {
  const at = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!at?.classList.contains("operation")) return;
  history.scrollRestoration = "manual";
  at.open = true;
  await open(at);
  at.scrollIntoView();
}
addEventListener("hashchange", follow);
follow();

// The filter keeps the operations that have all of its words.
const filter = document.getElementById("filter");
filter.addEventListener("input", () => {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  let any = false;
  for (const section of document.querySelectorAll("main section")) {
    let some = false;
    for (const details of section.querySelectorAll(".operation")) {
      const text = (details.id + " " + details.querySelector("summary").textContent + " " + section.querySelector("h2").textContent).toLowerCase();
      details.hidden = !words.every((word) => text.includes(word));
      some ||= !details.hidden;
    }
    section.hidden = !some;
    document.querySelector('nav a[href="#' + CSS.escape(section.id) + '"]')?.parentElement.toggleAttribute("hidden", !some);
    any ||= some;
  }
  const heading = document.querySelector("nav li.kit");
  heading.hidden = !document.querySelector("nav li.kit ~ li:not([hidden])");
  document.getElementById("none").hidden = any;
});

// describe makes what there is to say about an operation.
function describe({ method, path, security, parameters: shared, operation, components }) {
  const resolve = (x) => {
    for (let i = 0; x?.$ref && i < 16; i++) {
      const [, , kind, name] = x.$ref.split("/");
      x = components[kind]?.[name];
    }
    return x ?? {};
  };
  const parameters = [...(shared ?? []), ...(operation.parameters ?? [])].map(resolve);
  const body = operation.requestBody && resolve(operation.requestBody);
  return [
    ...prose(operation.description),
    trial({ method, path, parameters, body, key: needsKey(operation.security ?? security ?? []), token: takesToken(operation.security ?? security ?? []), resolve }),
    make("h3", {}, "Answers"),
    answers(operation.responses, resolve),
  ];
}

// needsKey reports whether each way in is with an API key.
const needsKey = (ways) => ways.length > 0 && ways.every((way) => "apiKey" in way);

// takesToken reports whether one way in is by a token, as for those who sign in.
const takesToken = (ways) => ways.some((way) => Object.keys(way).some((name) => name !== "apiKey"));

function answers(responses, resolve) {
  const list = make("div", { class: "answers" });
  for (const [status, given] of Object.entries(responses)) {
    const response = resolve(given);
    const details = make("details", {}, make("summary", {}, make("span", { class: "status" }, status), make("span", {}, ...words(response.description ?? ""))));
    details.addEventListener("toggle", () => {
      if (details.childNodes.length > 1) return;
      const content = Object.entries(response.content ?? {});
      if (!content.length) details.append(make("p", {}, "No body."));
      for (const [name, header] of Object.entries(response.headers ?? {})) {
        details.append(make("p", {}, "Header ", make("code", {}, name), ": ", ...words(resolve(header).description ?? "")));
      }
      if (content.length) {
        details.append(make("p", {}, content.map(([media]) => media).join(", ")));
        const [media, first] = content[0];
        if (first.example !== undefined) details.append(make("pre", { tabindex: "0" }, media.includes("json") ? JSON.stringify(first.example, null, 2) : String(first.example)));
        if (first.schema) details.append(tree(first.schema, resolve));
      }
    });
    list.append(details);
  }
  return list;
}

// kind says in a word what values of a schema are.
function kind(schema, resolve) {
  const s = resolve(schema);
  const types = [s.type ?? (s.properties ? "object" : s.oneOf ? s.oneOf.map((one) => kind(one, resolve)) : [])].flat(2);
  let text = types.join(" or ") || "any";
  if (types.includes("array") && s.items) text = text.replace("array", "list of " + kind(s.items, resolve));
  if (s.format) text += " (" + s.format + ")";
  return text;
}

// bounds says what else is known of values.
function bounds(schema, resolve) {
  const s = resolve(schema);
  const said = [];
  if (s.const !== undefined) said.push("always " + JSON.stringify(s.const));
  if (s.enum) said.push("one of " + s.enum.map((v) => JSON.stringify(v)).join(", "));
  if (s.minimum !== undefined) said.push("at least " + s.minimum);
  if (s.maximum !== undefined) said.push("at most " + s.maximum);
  if (s.minLength !== undefined || s.maxLength !== undefined) said.push([s.minLength ?? 0, s.maxLength ?? "any number of"].join(" to ") + " characters");
  if (s.minItems !== undefined || s.maxItems !== undefined) said.push([s.minItems ?? 0, s.maxItems ?? "any number of"].join(" to ") + " items");
  if (s.pattern) said.push("matches " + s.pattern);
  if (s.default !== undefined) said.push("default " + JSON.stringify(s.default));
  if (s.readOnly) said.push("read only");
  return said.join("; ");
}

// within is the object that values are, or are lists of.
function within(schema, resolve) {
  let s = resolve(schema);
  while (s.items) s = resolve(s.items);
  const of = s.oneOf?.map(resolve).find((one) => one.properties || one.items);
  if (of) return within(of, resolve);
  return s.properties ? s : s.contentSchema ? within(s.contentSchema, resolve) : undefined;
}

// tree lists the members of objects, and those within when they are opened.
function tree(schema, resolve) {
  const object = within(schema, resolve);
  if (!object) return make("p", {}, kind(schema, resolve) + (bounds(schema, resolve) ? ": " + bounds(schema, resolve) : ""));
  return make("ul", { class: "schema" }, ...Object.entries(object.properties).map(([name, member]) => {
    const required = object.required?.includes(name);
    const head = [make("code", {}, name), " ", make("span", { class: "type" }, [kind(member, resolve), required ? "required" : "", bounds(member, resolve)].filter(Boolean).join("; "))];
    const text = prose(member.description ?? resolve(member).description);
    if (!within(member, resolve)) return make("li", {}, ...head, ...text);
    const details = make("details", {}, make("summary", {}, ...head));
    details.addEventListener("toggle", () => details.childNodes.length > 1 || details.append(...text, tree(member, resolve)));
    return make("li", {}, details);
  }));
}

// trial is the form that sends the request.
function trial({ method, path, parameters, body, key, token, resolve }) {
  const inputs = parameters.map((p) => ({ p, input: inputFor(p, resolve) }));
  const keyInput = make("input", { autocomplete: "off", "aria-label": "X-API-Key" });
  const form = make("form", {}, make("h3", {}, "Request"));
  const usual = inputs.filter(({ p }) => p.required || !p.name.includes("["));
  const rare = inputs.filter((one) => !usual.includes(one));
  if (key) form.append(make("div", { class: "fields" }, field("X-API-Key", "an API key", true, "It is sent and not kept.", keyInput)));
  form.append(make("div", { class: "fields" }, ...usual.slice(0, 12).map(fieldOf)));
  const hidden = [...usual.slice(12), ...rare];
  if (hidden.length) form.append(make("details", { class: "more" }, make("summary", {}, hidden.length + " more parameters"), make("div", { class: "fields" }, ...hidden.map(fieldOf))));

  const media = Object.entries(body?.content ?? {});
  const text = make("textarea", { spellcheck: "false", "aria-label": "Body of the request" });
  const type = make("select", { "aria-label": "Media type of the body" }, ...media.map(([name]) => make("option", {}, name)));
  if (media.length) {
    const shape = make("div");
    const show = () => {
      const of = body.content[type.value];
      text.value = of.example === undefined ? "" : JSON.stringify(of.example, null, 2);
      text.rows = Math.min(20, text.value.split("\n").length + 1);
      shape.replaceChildren(of.schema ? tree(of.schema, resolve) : "");
    };
    type.addEventListener("change", show);
    show();
    form.append(make("div", { class: "row" }, make("strong", {}, "Body"), type), text,
      make("details", { class: "more" }, make("summary", {}, "What it may hold"), shape));
  }

  const accept = make("select", { "aria-label": "Accept" }, ...["application/json", "application/xml", "text/csv", "*/*"].map((m) => make("option", {}, m)));
  const result = make("div", { "aria-live": "polite" });
  const request = () => {
    let to = path;
    const query = [];
    const headers = { Accept: accept.value };
    for (const { p, input } of inputs) {
      if (input.value === "") continue;
      if (p.in === "path") to = to.replace("{" + p.name + "}", encodeURIComponent(input.value));
      if (p.in === "header") headers[p.name] = input.value;
      if (p.in === "query") {
        const values = resolve(p.schema).type === "array" && p.explode !== false ? input.value.split(",") : [input.value];
        query.push(...values.map((v) => encodeURIComponent(p.name) + "=" + encodeURIComponent(v).replaceAll("%2C", ",")));
      }
    }
    if (key && keyInput.value) headers["X-API-Key"] = keyInput.value;
    const init = { method, headers };
    if (media.length && text.value.trim()) {
      headers["Content-Type"] = type.value;
      init.body = text.value;
    }
    return [new URL(to.slice(1) + (query.length ? "?" + query.join("&") : ""), base), init];
  };
  form.append(make("div", { class: "row" }, make("button", { class: "send" }, "Send"), accept), result, example(form, () => [...request(), token && !key]));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    result.replaceChildren("Sending…");
    result.replaceChildren(...await send(...request()));
  });
  return form;
  function fieldOf({ p, input }) {
    return field(p.name, [p.in === "query" ? "" : p.in, kind(p.schema, resolve), bounds(p.schema, resolve)].filter(Boolean).join("; "), p.required, p.description, input);
  }
}

function inputFor(p, resolve) {
  const s = resolve(p.schema);
  const choices = s.type === "boolean" ? [true, false] : s.enum;
  if (choices) return make("select", { required: p.required, "aria-label": p.name }, make("option", { value: "" }, "–"), ...choices.map((c) => make("option", { value: String(c) }, String(c))));
  return make("input", { required: p.required, autocomplete: "off", "aria-label": p.name, placeholder: s.type === "array" ? "separated by commas" : null });
}

function field(name, type, required, description, input) {
  return make("div", { class: "field" },
    make("label", {}, make("code", {}, name), required ? " required" : ""),
    make("div", {}, input, make("div", { class: "type" }, type), ...prose(description)));
}

// The languages of examples, each of which writes a request: to the address, with method,
// headers and body, and with a token where it takes one. The one that was chosen last is
// that of all operations.
const languages = { curl, TypeScript: typescript, Go: go };
let spoken = "curl";

// example shows the request of a form in a language, as the form stands.
function example(form, request) {
  const language = make("select", { "aria-label": "Language of the example" }, ...Object.keys(languages).map((name) => make("option", {}, name)));
  const shown = make("pre", { tabindex: "0" });
  const said = make("span", { role: "status" });
  const write = () => {
    language.value = spoken;
    shown.textContent = languages[spoken](...request());
    said.textContent = "";
  };
  const copy = () => navigator.clipboard.writeText(shown.textContent).then(() => { said.textContent = "Copied"; }, () => { said.textContent = "The browser does not let this page copy."; });
  const details = make("details", { class: "more" }, make("summary", {}, "As curl, TypeScript and Go"),
    make("div", { class: "row" }, language, make("button", { type: "button", onclick: copy }, "Copy"), said), shown);
  language.addEventListener("input", () => { spoken = language.value; });
  details.addEventListener("toggle", write);
  form.addEventListener("input", () => details.open && write());
  return details;
}

const sent = (headers) => Object.entries(headers).filter(([, value]) => value !== "*/*");
const quote = (text) => "'" + text.replaceAll("'", "'\\''") + "'";
const indented = (text, by) => text.replaceAll("\n", "\n" + by);

function curl(url, { method, headers, body }, token) {
  const parts = ["curl -sS" + (method === "GET" ? "" : " -X " + method) + " " + quote(url.href)];
  for (const [name, value] of sent(headers)) parts.push("-H " + quote(name + ": " + value));
  if (token) parts.push('-H "Authorization: Bearer $TOKEN"');
  if (body) parts.push("--data-binary " + quote(body));
  return parts.join(" \\\n  ");
}

function typescript(url, { method, headers, body }, token) {
  const json = isJSON(body);
  const lines = sent(headers).map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)},`);
  if (token) lines.push("    Authorization: `Bearer ${token}`,");
  return [`const answer = await fetch(${JSON.stringify(url.href)}, {`, `  method: "${method}",`,
    ...(lines.length ? ["  headers: {", ...lines, "  },"] : []),
    ...(body ? [`  body: ${json ? `JSON.stringify(${indented(body.trim(), "  ")})` : JSON.stringify(body)},`] : []),
    "});", "if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);",
    headers.Accept === "application/json" ? "console.log(await answer.json());" : "console.log(await answer.text());"].join("\n");
}

function go(url, { method, headers, body }, token) {
  const text = body && (body.includes("`") ? JSON.stringify(body) : "`" + body + "`"); // a string of JSON is one of Go
  return [`request, err := http.NewRequestWithContext(ctx, "${method}", ${JSON.stringify(url.href)}, ${body ? `strings.NewReader(${text})` : "http.NoBody"})`,
    "if err != nil {", "\treturn err", "}",
    ...sent(headers).map(([name, value]) => `request.Header.Set(${JSON.stringify(name)}, ${JSON.stringify(value)})`),
    ...(token ? ['request.Header.Set("Authorization", "Bearer "+token)'] : []),
    "answer, err := http.DefaultClient.Do(request)", "if err != nil {", "\treturn err", "}", "defer answer.Body.Close()",
    "if answer.StatusCode >= 400 {", '\treturn fmt.Errorf("%s", answer.Status)', "}",
    "_, err = io.Copy(os.Stdout, answer.Body)", "return err"].join("\n");
}

function isJSON(text) {
  try { JSON.parse(text); } catch { return false; }
  return true;
}

// send sends a request and returns what to show of the answer.
async function send(url, init) {
  const began = performance.now();
  let answer;
  try {
    answer = await fetch(url, init);
  } catch {
    return [make("p", { class: "bad" }, "The service does not answer.")];
  }
  const blob = await answer.blob();
  const line = make("div", { class: "row" }, make("strong", { class: answer.ok ? "" : "bad" }, [answer.status, answer.statusText].join(" ")),
    blob.size + " bytes, " + Math.round(performance.now() - began) + " ms");
  const shown = [line, make("details", { class: "more" }, make("summary", {}, "Headers"), make("pre", { tabindex: "0" }, [...answer.headers].map(([k, v]) => k + ": " + v).join("\n")))];
  const media = answer.headers.get("Content-Type") ?? "";
  if (/json|xml|text/.test(media) && !media.includes("spreadsheet")) {
    let text = await blob.text();
    if (media.includes("json")) try { text = JSON.stringify(JSON.parse(text), null, 2); } catch { /* as it is */ }
    shown.push(make("pre", { tabindex: "0" }, text));
  } else if (blob.size) {
    const name = /filename="?([^";]+)/.exec(answer.headers.get("Content-Disposition") ?? "")?.[1] ?? "answer";
    shown.push(make("p", {}, make("a", { href: URL.createObjectURL(blob), download: name }, "Save " + name)));
  }
  return shown;
}

// Signing in is with the cookie of a session, which no script can read. It is
// the same one for every page of the service.
const signIn = document.getElementById("sign-in");
const signOut = document.getElementById("sign-out");
const message = document.getElementById("message");

function showWho(user) {
  signIn.hidden = Boolean(user);
  signOut.hidden = !user;
  document.getElementById("who").textContent = user?.email ?? user?.name ?? "";
}

const post = (path, body) => fetch(new URL(path, base), {
  method: "POST", headers: { "Content-Type": "application/json", Accept: "application/json" }, body: body && JSON.stringify(body),
});

async function whoAmI() {
  const answer = await fetch(new URL("auth/me", base), { headers: { Accept: "application/json" } }).catch(() => null);
  showWho(answer?.ok ? (await answer.json()).data : null);
}

if (signIn) {
  whoAmI();
  signIn.addEventListener("submit", async (event) => {
    event.preventDefault();
    message.textContent = "";
    const given = Object.fromEntries(new FormData(signIn));
    if (!given.totpToken) delete given.totpToken;
    const answer = await post("auth/login?mode=session", given).then((r) => r.json(), () => null);
    if (answer?.requires2FA) {
      signIn.totpToken.hidden = false;
      signIn.totpToken.focus();
      message.textContent = "The one-time code, please.";
    } else if (answer?.status === "success") {
      signIn.reset();
      signIn.totpToken.hidden = true;
      whoAmI();
    } else {
      message.textContent = answer?.error?.message ?? "The service does not answer.";
    }
  });
  signOut.addEventListener("submit", async (event) => {
    event.preventDefault();
    await post("auth/logout").catch(() => {});
    whoAmI();
  });
}
