// Searches, narrows and sorts the library's list as it stands in the page. The state is in the address (`?q=…&family=…`), so that it
// can be kept and sent; without this script the list is complete and in its usual order.
(function () {
  "use strict";
  var form = document.querySelector(".facets"), list = document.querySelector(".library");
  if (!form || !list) return;
  var MOST = 4;
  var words = form.elements.q, order = form.elements.sort, found = form.querySelector("[name=found]");
  var chips = form.querySelector(".chips"), summary = form.querySelector("summary"), nothing = document.querySelector(".nothing");
  var clears = document.querySelectorAll("[data-clear]"), presets = Array.from(document.querySelectorAll("[data-preset]"));
  var bar = document.querySelector(".compare-bar"), chosen = bar.querySelector("[data-chosen]"), go = bar.querySelector("a");

  var facets = Array.from(form.querySelectorAll("fieldset"), function (set) {
    var boxes = Array.from(set.querySelectorAll("input"));
    return {
      id: boxes[0].name,
      label: set.querySelector("legend").textContent,
      options: boxes.map(function (box) {
        var row = box.parentNode;
        return { box: box, row: row, word: box.value, label: row.querySelector("span").textContent, count: row.querySelector("small") };
      }),
    };
  });
  var items = Array.from(list.children, function (node, place) {
    var own = {};
    facets.forEach(function (facet) { own[facet.id] = node.dataset[facet.id].split(" "); });
    return {
      node: node, place: place, id: node.dataset.id, own: own, text: node.dataset.text, pick: node.querySelector("[name=compare]"),
      name: node.querySelector("h3").textContent, single: Number(node.dataset.single || -1), users: Number(node.dataset.users || -1),
      aside: "aside" in node.dataset, new: node.dataset.new, hidden: false,
    };
  });
  var picks = [], sorted = "";

  var SORTS = {
    users: function (a, b) { return (a.users < 0) - (b.users < 0) || a.aside - b.aside || b.users - a.users; },
    new: function (a, b) { return a.new < b.new ? 1 : a.new > b.new ? -1 : 0; },
    name: function (a, b) { return a.name.localeCompare(b.name, "en", { numeric: true }); },
  };

  // By speed, what is not for use (`data-aside`) stands after the deployments, and what was not measured (-1) last; what is equal keeps the printed order.
  function sort() {
    if (order.value === sorted) return;
    sorted = order.value;
    var by = SORTS[sorted];
    var now = items.slice().sort(function (a, b) { return (by && by(a, b)) || a.place - b.place; });
    list.append.apply(list, now.map(function (item) { return item.node; }));
  }

  function show(node, isShown) { if (node.hidden === isShown) node.hidden = !isShown; }
  function say(node, text) { if (node.textContent !== text) node.textContent = text; }
  function counted(count) { return count === 1 ? "1 set-up" : count + " set-ups"; }

  function apply() {
    var asked = words.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
    var active = facets.map(function (facet) {
      return facet.options.filter(function (option) { return option.box.checked; }).map(function (option) { return option.word; });
    });
    var counts = facets.map(function (facet) { return Object.create(null); });
    var left = 0;
    items.forEach(function (item) {
      var fits = asked.every(function (word) { return item.text.indexOf(word) >= 0; });
      var failed = -1, failures = fits ? 0 : 2;
      for (var index = 0; index < facets.length && failures < 2; index++) {
        var own = item.own[facets[index].id];
        if (active[index].length && !active[index].some(function (word) { return own.indexOf(word) >= 0; })) {
          failures += 1;
          failed = index;
        }
      }
      if (!failures) left += 1;
      show(item.node, !failures);
      // A facet's counts say what would be there with that word, given all other facets.
      if (failures < 2) for (var at = 0; at < facets.length; at++) {
        if (!failures || failed === at) item.own[facets[at].id].forEach(function (word) { counts[at][word] = (counts[at][word] || 0) + 1; });
      }
    });
    facets.forEach(function (facet, index) {
      facet.options.forEach(function (option) {
        var count = counts[index][option.word] || 0;
        say(option.count, String(count));
        option.row.classList.toggle("is-empty", !count && !option.box.checked);
      });
    });
    sort();
    var narrowed = asked.length > 0 || active.some(function (some) { return some.length; });
    say(found, narrowed ? left + " of " + counted(items.length) : counted(items.length));
    show(nothing, left === 0);
    clears.forEach(function (button) { show(button, narrowed); });
    draw(active);
    keep(asked, active);
  }

  function draw(active) {
    var number = 0, made = [];
    facets.forEach(function (facet, index) {
      facet.options.forEach(function (option) {
        if (active[index].indexOf(option.word) < 0) return;
        number += 1;
        var chip = document.createElement("button");
        chip.type = "button";
        chip.className = "chip";
        chip.textContent = facet.label + ": " + option.label;
        chip.setAttribute("aria-label", "Remove " + chip.textContent);
        chip.addEventListener("click", function () { option.box.checked = false; apply(); (chips.querySelector("button") || summary).focus(); });
        made.push(chip);
      });
    });
    if (made.length || chips.firstChild) chips.replaceChildren.apply(chips, made);
    say(summary, number ? "Filter (" + number + ")" : "Filter");
  }

  // --- the address

  function query() {
    var pairs = [];
    if (words.value.trim()) pairs.push(["q", words.value.trim()]);
    facets.forEach(function (facet) {
      var some = facet.options.filter(function (option) { return option.box.checked; }).map(function (option) { return option.word; });
      if (some.length) pairs.push([facet.id, some.join(",")]);
    });
    if (order.value) pairs.push(["sort", order.value]);
    if (picks.length) pairs.push(["compare", picks.join(",")]);
    return pairs.map(function (pair) { return pair[0] + "=" + encodeURIComponent(pair[1]).replace(/%2C/g, ","); }).join("&");
  }

  function keep() {
    var asked = query();
    presets.forEach(function (link) {
      if (link.search.replace("&sort=single", "") === "?" + asked) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    });
    if ("?" + asked === location.search || (!asked && !location.search)) return;
    try { history.replaceState(null, "", (asked ? "?" + asked : location.pathname) + location.hash); } catch (refused) { /* the list is right without it */ }
  }

  function restore(search) {
    var state = new URLSearchParams(search);
    words.value = state.get("q") || "";
    facets.forEach(function (facet) {
      var some = (state.get(facet.id) || "").split(",");
      facet.options.forEach(function (option) { option.box.checked = some.indexOf(option.word) >= 0; });
    });
    var by = state.get("sort");
    order.value = Object.prototype.hasOwnProperty.call(SORTS, by) ? by : "";
    if (state.has("compare") || !picks.length) picks = (state.get("compare") || "").split(",").filter(function (id) {
      return items.some(function (item) { return item.id === id; });
    }).slice(0, MOST);
    choose();
  }

  // --- what is to be compared

  function choose() {
    items.forEach(function (item) {
      item.pick.checked = picks.indexOf(item.id) >= 0;
      item.pick.disabled = picks.length >= MOST && !item.pick.checked;
    });
    show(bar, picks.length > 0);
    say(chosen, !picks.length ? "" : picks.length === 1 ? "1 set-up chosen, choose another" : counted(picks.length) + " chosen" + (picks.length === MOST ? ", the most at once" : ""));
    go.textContent = picks.length > 1 ? "Compare " + counted(picks.length) : "Compare with…";
    go.href = "compare.html?cards=" + picks.join(",");
  }

  list.addEventListener("change", function (event) {
    var id = event.target.value;
    picks = picks.filter(function (other) { return other !== id; });
    if (event.target.checked) picks.push(id);
    choose();
    keep();
  });
  bar.querySelector("[data-drop]").addEventListener("click", function () {
    var first = items.find(function (item) { return item.id === picks[0]; });
    picks = [];
    choose();
    keep();
    first.pick.focus();
  });

  // --- keys and pointers

  form.addEventListener("input", apply);
  form.addEventListener("submit", function (event) { event.preventDefault(); });
  clears.forEach(function (button) {
    button.addEventListener("click", function () {
      words.value = "";
      facets.forEach(function (facet) { facet.options.forEach(function (option) { option.box.checked = false; }); });
      apply();
      words.focus();
    });
  });
  presets.forEach(function (link) {
    link.addEventListener("click", function (event) {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      restore(link.search);
      apply();
      form.scrollIntoView();
      words.focus({ preventScroll: true });
    });
  });
  // "/" goes to the search, Escape empties it, Enter goes into the list.
  document.addEventListener("keydown", function (event) {
    if (event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey && !event.target.closest("input:not([type=checkbox]), select, textarea")) {
      event.preventDefault();
      words.focus();
    } else if (event.target === words && event.key === "Escape" && words.value) {
      event.preventDefault();
      words.value = "";
      apply();
    } else if (event.target === words && event.key === "Enter") {
      var first = Array.prototype.find.call(list.children, function (node) { return !node.hidden; });
      if (first) first.querySelector("a").focus();
    }
  });
  addEventListener("popstate", function () { restore(location.search); apply(); });
  // What a browser puts back into the fields when one comes back to the page is what the address says already.
  addEventListener("pageshow", function (event) { if (event.persisted) { restore(location.search); apply(); } });

  if (items.length > 60) list.classList.add("is-long");
  restore(location.search);
  apply();
})();
