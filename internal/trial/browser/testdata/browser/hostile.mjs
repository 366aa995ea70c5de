// Puts 300 payloads into texts and names of files, and looks at them on every page that
// shows such: node hostile.mjs URL BROWSER PASSWORD. None is executed, and the policy of
// the page refuses nothing, for nothing tries.
import assert from "node:assert/strict";
import { browser, open, settled, signedIn, signIn, url } from "./browser.mjs";

const calls = ["executed()", "top.executed()", "window['executed']()", "setTimeout('executed()')", "eval('executed()')", "[].map.constructor('executed()')()"];
const bases = calls.flatMap((call) => [
  `<script>${call}</script>`, `<img src=x onerror=${call}>`, `<svg onload=${call}>`, `<svg><animate onbegin=${call} attributeName=x dur=1s>`,
  `<iframe srcdoc="<script>parent.${call}</script>"></iframe>`, `<a href="javascript:${call}">x</a>`, `<details open ontoggle=${call}>x</details>`,
  `<math><mi xlink:href="javascript:${call}">x</mi></math>`, `<form><button formaction="javascript:${call}">x</button></form>`, `<template><script>${call}</script></template>`,
]);
const wraps = [(p) => p, (p) => `"'>${p}`, (p) => `</title></textarea></script>${p}`, (p) => "${" + p + "}{{" + p + "}}", (p) => p.toUpperCase().replaceAll("EXECUTED", "executed")];
const payloads = wraps.flatMap((wrap) => bases.map(wrap));
assert.equal(new Set(payloads).size, 300);

const api = await signedIn();
const batches = Array.from({ length: 3 }, (_, i) => payloads.slice(100 * i, 100 * (i + 1)));
for (const batch of batches) await api.ask("POST", "/products/bulk", { products: batch.map((text) => ({ name: text, description: text, price: 1 })) });
const posts = [];
for (const text of payloads) posts.push(await api.send("POST", "/posts", { title: text, content: text }));
for (const [i, text] of payloads.slice(0, 60).entries()) {
  await api.send("POST", "/categories", { name: `hostile-${i}`, description: text });
  await api.send("POST", "/comments", { text, post_id: posts[0].id });
  await api.send("POST", "/emails/send", { to: "ada@example.com", subject: text, text, html: text });
}
const user = await api.send("POST", "/users", { name: payloads[0], email: "ada@example.com", password: "correct horse 1" });
const picture = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");
for (const text of payloads) await api.upload("profile.avatar", text, picture).then(({ url: address }) => (user.avatar = address));
await api.send("PUT", `/users/${user.id}/profile`, { bio: payloads[1], avatar: user.avatar });
while ((await api.send("GET", "/emails?limit=100&fields=id")).length < 60); // until the worker has kept them

const page = await open({ viewport: { width: 1440, height: 900 } });
await signIn(page);
const seen = async (path, text) => {
  await page.goto(url + "/console" + path);
  await settled(page);
  if (text !== undefined) await page.waitForFunction((want) => document.querySelector("main").textContent.includes(want), text);
  assert.deepEqual(page.complaints, [], path);
};
for (const [entity, fields] of [["posts", "title,content"], ["products", "name,description"]]) {
  for (const [i, batch] of batches.entries()) await seen(`/rows/${entity}?fields=${fields}&limit=100&sort=id&id[gt]=${(entity === "posts" ? posts[0].id : 1) + 100 * i - 1}`, batch[99]);
}
for (const path of ["/rows/categories?fields=name,description&limit=100", "/rows/comments?fields=text&limit=100", "/rows/users", `/rows/users/${user.id}`, `/rows/users/${user.id}/profile`, "/rows/orders", "/mailbox"]) await seen(path);
for (let i = 0; i < payloads.length; i += 10) await seen(`/rows/posts/${posts[i].id}`, payloads[i]);
for (let id = 1; id <= 60; id += 6) await seen(`/mailbox/${id}`);
await seen("/events/posts");
await page.getByText("Listening.").waitFor();
for (let i = 0; i < 20; i++) await api.send("PATCH", `/posts/${posts[i].id}`, { content: payloads[299 - i] });
await page.waitForFunction(() => document.querySelectorAll(".events > li").length >= 20);
await page.goto(`${url}/console/rows/posts?limit=100&search=executed`);
await settled(page);
await page.getByRole("checkbox").first().click(); // all of the page, named in a dialog
await page.getByRole("button", { name: "Delete…" }).click();
await page.getByRole("dialog").waitFor();
await page.keyboard.press("Escape");
await page.goto(`${url}/console/rows/posts/${posts[7].id}`);
await page.getByRole("button", { name: "Edit" }).click();
await page.getByLabel("Title").waitFor();
await page.evaluate(() => new Promise((resolve) => setTimeout(resolve))); // what a payload has put off would be next
assert.deepEqual(page.complaints, []);
await browser.close();
