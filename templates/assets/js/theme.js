// Light, dark, or as the system wishes. In the head without defer, so that the page is never painted twice.
(function () {
  "use strict";
  var root = document.documentElement, key = "proofpress-theme", order = ["auto", "light", "dark"];

  function stored() {
    try { return localStorage.getItem(key); } catch (refused) { return null; }
  }

  function set(theme) {
    root.dataset.theme = order.indexOf(theme) < 0 ? "auto" : theme;
    document.querySelectorAll(".theme").forEach(function (button) {
      button.textContent = "Theme: " + root.dataset.theme;
    });
    document.dispatchEvent(new CustomEvent("proofpress:theme", { detail: root.dataset.theme }));
  }

  root.classList.add("js");
  // An address that asks for something (`?cards=…`): its page keeps room for the answer from the first paint on.
  if (location.search) root.classList.add("asks");
  set(stored());

  document.addEventListener("DOMContentLoaded", function () { set(root.dataset.theme); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", function () { set(root.dataset.theme); });
  addEventListener("storage", function (event) { if (event.key === key) set(event.newValue); });
  document.addEventListener("click", function (event) {
    if (!event.target.closest(".theme")) return;
    var next = order[(order.indexOf(root.dataset.theme) + 1) % order.length];
    try { localStorage.setItem(key, next); } catch (refused) { /* remembered for this page only */ }
    set(next);
  });
})();
