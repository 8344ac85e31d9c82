// SPDX-License-Identifier: GPL-2.0-or-later
// Keeps a page of `maui serve` up to date. Without it the browser loads the page again now and then.
"use strict";
(() => {
  const every = 1000 * Number(document.documentElement.dataset.every);
  let tag = "";
  let timer = 0;

  // What the reader has opened, scrolled and focused in a part stays so.
  const places = (part) => ({
    open: [...part.querySelectorAll("details")].map((one) => one.open),
    scrolled: [...part.querySelectorAll(".scroll")].map((one) => one.scrollLeft),
    focused: [...part.querySelectorAll("a, summary, .scroll")].indexOf(document.activeElement),
  });

  const restore = (part, before) => {
    part.querySelectorAll("details").forEach((one, at) => { one.open = before.open[at] ?? one.open; });
    part.querySelectorAll(".scroll").forEach((one, at) => { one.scrollLeft = before.scrolled[at] ?? 0; });
    if (before.focused >= 0) {
      [...part.querySelectorAll("a, summary, .scroll")][before.focused]?.focus({ preventScroll: true });
    }
  };

  const texts = new Map(); // as the server sent them: what is open is not a change

  const show = (page) => {
    for (const part of page.querySelectorAll("#state, section")) {
      const shown = document.getElementById(part.id);
      if (!shown || texts.get(part.id) === part.innerHTML) continue;
      texts.set(part.id, part.innerHTML);
      const before = places(shown);
      shown.replaceChildren(...part.childNodes);
      restore(shown, before);
    }
  };

  const say = (text) => {
    const notice = document.createElement("p");
    notice.className = "notice";
    notice.textContent = text;
    document.getElementById("state").append(notice);
    texts.clear();
  };

  const look = async () => {
    clearTimeout(timer);
    if (document.hidden) return; // a page that nobody sees does not keep the server running
    try {
      const headers = tag ? { "If-None-Match": tag } : {};
      const answer = await fetch(location.href.split("#")[0], { cache: "no-store", headers });
      if (answer.status === 200) {
        tag = answer.headers.get("ETag") ?? "";
        show(new DOMParser().parseFromString(await answer.text(), "text/html"));
      } else if (answer.status !== 304 && answer.status !== 503) {
        throw new Error(answer.statusText);
      }
    } catch {
      say("maui serve has ended, or cannot be reached: this is how things were then.");
      return;
    }
    timer = setTimeout(look, every);
  };

  document.addEventListener("visibilitychange", look);
  timer = setTimeout(look, every);
})();
