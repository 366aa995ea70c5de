// Shows what weave dev tells, below every page of a service in development.
(() => {
  "use strict";
  const path = document.currentScript.src.replace(/\.js$/, "");
  const began = new Date().toISOString();
  let box, seen = "";

  const show = (color, text, button) => {
    if (!box) {
      box = document.createElement("aside");
      box.setAttribute("role", "status");
      Object.assign(box.style, {
        position: "fixed", left: "1rem", right: "1rem", bottom: "1rem", zIndex: "2147483647", maxHeight: "60vh", overflow: "auto", padding: ".7rem 1rem",
        font: "13px/1.5 ui-monospace, monospace", whiteSpace: "pre-wrap", color: "#fff", borderRadius: ".4rem", boxShadow: "0 .2rem 1rem #0006",
      });
      document.body.append(box);
    }
    box.hidden = false;
    box.style.background = color;
    box.textContent = text;
    if (button) {
      const reload = document.createElement("button");
      Object.assign(reload.style, { font: "inherit", marginLeft: "1rem" });
      reload.textContent = "reload";
      reload.onclick = () => location.reload();
      box.append(reload);
    }
  };

  const tell = (s) => {
    switch (s.state) {
      case "failed":
        return show("#8f1d13", s.text + "\n\n" + s.after);
      case "working":
        return show("#444b57", "weave dev: making the program anew …");
      case "ready":
        if (s.at > began) return show("#0b6e4f", "weave dev: there is a new program.", true);
    }
    if (box) box.hidden = true;
  };

  const ask = async () => {
    for (;;) {
      try {
        const answer = await fetch(path + "?seen=" + encodeURIComponent(seen), { cache: "no-store" });
        const s = await answer.json();
        if (s.at && s.at !== seen) tell(s);
        seen = s.at || "";
        if (!s.at) await new Promise((done) => setTimeout(done, 2000));
      } catch {
        await new Promise((done) => setTimeout(done, 1000));
      }
    }
  };
  ask();
})();
