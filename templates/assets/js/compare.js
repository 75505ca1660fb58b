// Puts two to four set-ups side by side (`?cards=a,b`). Every number it prints came as text from the build; it calculates places on a
// chart and nothing else. One script per card brings the data, because a page opened from disk may load scripts and may not fetch.
(function () {
  "use strict";
  var MOST = 4, LETTERS = "ABCD", SHAPES = ["circle", "square", "diamond", "up"];
  var place = document.getElementById("comparison"), share = document.getElementById("share");
  var problem = document.querySelector(".compare-problem"), chosenLine = document.querySelector(".chosen");
  var boxes = Array.from(document.querySelectorAll(".candidates input")), counter = document.querySelector(".picker-count");
  var chosen = [], wanted = [], picks = [], turn = 0;

  // --- small tools

  function make(name, attributes) {
    var node = document.createElement(name);
    Object.keys(attributes || {}).forEach(function (key) {
      if (attributes[key] !== null && attributes[key] !== undefined && attributes[key] !== false) node.setAttribute(key, attributes[key]);
    });
    for (var index = 2; index < arguments.length; index++) {
      var child = arguments[index];
      if (Array.isArray(child)) node.append.apply(node, child);
      else if (child !== null && child !== undefined && child !== "") node.append(child);
    }
    return node;
  }
  function escaped(text) {
    return String(text).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
  }
  function same(list) { return list.every(function (one) { return one === list[0]; }); }
  function listed(words) { return words.length < 2 ? words.join("") : words.slice(0, -1).join(", ") + " and " + words[words.length - 1]; }
  function mark(state, word) { return make("span", { class: "state state-bare", "data-state": state }, make("span", { class: "unseen" }, word)); }
  function letter(index) { return make("b", { class: "letter s" + (index + 1) }, LETTERS[index]); }
  function scroll(label, table) { return make("div", { class: "scroll", role: "region", "aria-label": "Table: " + label, tabindex: "0" }, table); }
  function section(id, heading) { return make("section", { class: "section", id: id }, make("h2", {}, heading)); }

  // --- conditions: what differs comes first

  function facts(cards) {
    var labels = [], of = cards.map(function (card) {
      var map = Object.create(null);
      card.conditions.forEach(function (pair) { map[pair[0]] = pair[1]; if (labels.indexOf(pair[0]) < 0) labels.push(pair[0]); });
      return map;
    });
    return labels.map(function (label) {
      var texts = of.map(function (map) { return map[label] || "not stated"; });
      return { label: label, texts: texts, differs: !same(texts), unknown: same(texts) && texts[0] === "not stated" };
    });
  }

  function conditions(cards) {
    var all = facts(cards), differing = all.filter(function (fact) { return fact.differs; });
    var alike = all.filter(function (fact) { return !fact.differs && !fact.unknown; });
    var box = section("differs", "What differs");
    if (differing.length) {
      box.append(scroll("What differs", make("table", { class: "side-by-side", style: "--columns:" + cards.length },
        heads("Condition", cards),
        make("tbody", {}, differing.map(function (fact) {
          return make("tr", {}, make("th", { scope: "row" }, fact.label), fact.texts.map(function (text) { return make("td", {}, text); }));
        })))));
    } else box.append(make("p", {}, "No stated condition differs."));
    if (alike.length) {
      box.append(make("details", {}, make("summary", {}, "The same in all: " + listed(alike.map(function (fact) { return fact.label.toLowerCase(); }))),
        make("dl", { class: "facts facts-wide" }, alike.map(function (fact) {
          return make("div", {}, make("dt", {}, fact.label), make("dd", {}, fact.texts[0]));
        }))));
    }
    return box;
  }

  function heads(first, cards) {
    return make("thead", {}, make("tr", {}, make("th", { scope: "col" }, first), cards.map(function (card, index) {
      return make("th", { scope: "col" }, letter(index), " ", make("a", { href: card.href }, card.name));
    })));
  }

  // --- reasons

  // Which facts of what was sent differ, in words: "prompts differ (short prompts / random prompts of 64 tokens)".
  function differences(some, letters) {
    var found = [];
    some[0].forEach(function (pair) {
      var texts = some.map(function (own) {
        var fact = own.find(function (other) { return other[0] === pair[0]; });
        return fact ? fact[1] : "not stated";
      });
      if (!same(texts)) found.push({ label: pair[0], texts: texts });
    });
    return found.map(function (one) {
      var texts = one.texts.filter(function (text, at, all) { return all.indexOf(text) === at; });
      return one.label + " (" + texts.map(function (text) {
        return listed(letters.filter(function (_, at) { return one.texts[at] === text; })) + ": " + text;
      }).join(" / ") + ")";
    });
  }
  function unknowns(sent) {
    return sent.filter(function (pair) { return pair[1] === "not stated"; }).map(function (pair) { return pair[0]; });
  }

  // --- the single-user number

  // The prompt length at which set-ups are put side by side, as on the pages of families.
  var AT = 16384;

  function atContext(card) {
    var profiles = card.profiles.filter(function (profile) { return profile.group === "decode.context_tokens"; });
    if (!profiles.length) return null;
    var profile = picked(card, profiles);
    var point = profile.points.find(function (one) { return one.x === AT; });
    return point ? { profile: profile, point: point } : null;
  }

  function atCell(at) {
    if (!at) return [make("span", { class: "state state-bare", "data-state": "pending" }, "not measured")];
    var withheld = at.point.state === "withheld";
    return [make("span", { class: "big" }, mark(at.point.state, withheld ? "withheld: " : "measured"), withheld ? "withheld" : at.point.text, withheld ? null : make("small", {}, at.profile.unit.split(",")[0])),
      make("small", { class: "under" }, at.profile.label + ", " + (withheld ? at.point.count + ", " + at.point.why : at.point.identity))];
  }

  function single(cards) {
    var ats = cards.map(atContext), both = ats.filter(Boolean).length > 1;
    var where = both ? ats.filter(Boolean)[0].point.name : "";
    var box = section("single", both ? "One user, also at " + where + " of context" : "One user");
    box.append(scroll("One user", make("table", { class: "side-by-side", style: "--columns:" + cards.length }, heads("Number", cards), make("tbody", {},
      row("Speed", cards, function (head) {
        return head.state === "pending" ? [make("span", { class: "state state-bare", "data-state": "pending" }, "pending")]
          : [make("span", { class: "big" }, mark("measured", "measured"), make("data", { value: head.value }, head.text), " ", make("small", {}, head.unit))];
      }),
      row("What it is", cards, function (head) { return [head.state === "pending" ? head.why : head.statistic]; }),
      row("Checked", cards, function (head) { return head.state === "pending" ? ["–"] : [make("a", { href: head.proof }, head.identity)]; }),
      both ? make("tr", {}, make("th", { scope: "row" }, "Decode speed at " + where), ats.map(function (at) { return make("td", {}, atCell(at)); })) : null))));
    var with_ = cards.map(function (card, index) { return { head: card.headline, at: index }; }).filter(function (one) { return one.head.state !== "pending"; });
    if (with_.length > 1) {
      var why = differences(with_.map(function (one) { return one.head.key; }), with_.map(function (one) { return LETTERS[one.at]; }));
      if (why.length) box.append(reason("These numbers do not answer the same question, because this differs or is not known to be the same:", why));
      else {
        var blank = unknowns(with_[0].head.key);
        box.append(make("p", { class: "muted" }, "The same statistic over the same prompts" + (blank.length ? "; not stated for any of them: " + listed(blank) : "") + "."));
      }
      if (both) {
        var some = ats.map(function (at, index) { return { at: at, letter: LETTERS[index] }; }).filter(function (one) { return one.at; });
        why = differences(some.map(function (one) { return one.at.profile.sent; }), some.map(function (one) { return one.letter; }));
        if (why.length) box.append(reason("At " + where + " what was sent differs, or is not known to be the same:", why));
      }
      box.append(make("p", { class: "muted" }, "No ratio is printed: these are different set-ups, and what differs is listed above."));
    }
    return box;
  }
  function row(label, cards, cell) {
    return make("tr", {}, make("th", { scope: "row" }, label), cards.map(function (card) { return make("td", {}, cell(card.headline)); }));
  }
  function reason(text, why) {
    return make("div", { class: "note reason", "data-state": "withheld" }, make("p", {}, text), make("ul", {}, why.map(function (one) { return make("li", {}, one); })));
  }

  // --- curves

  function groups(cards) {
    var found = [];
    cards.forEach(function (card, at) {
      card.profiles.forEach(function (profile) {
        var group = found.find(function (other) { return other.id === profile.group; });
        if (!group) found.push(group = { id: profile.group, order: profile.order, heading: profile.heading, of: cards.map(function () { return []; }) });
        group.of[at].push(profile);
      });
    });
    return found.sort(function (a, b) { return a.order - b.order; });
  }

  function picked(card, profiles) {
    return profiles.find(function (profile) { return picks.indexOf(card.id + "/" + profile.id) >= 0; }) ||
      profiles.find(function (profile) { return profile.usual; }) || profiles[0];
  }

  function curves(group, cards) {
    var box = section("curve-" + group.id, group.heading), lines = [];
    group.of.forEach(function (profiles, at) {
      if (!profiles.length) return;
      var profile = picked(cards[at], profiles);
      lines.push({ at: at, profile: profile, card: cards[at], choices: profiles });
    });
    box.append(legend(lines));
    var absent = cards.filter(function (card, at) { return !group.of[at].length; });
    var kinds = [];
    lines.forEach(function (line) {
      var key = JSON.stringify([line.profile.unit, line.profile.sent]);
      var kind = kinds.find(function (other) { return other.key === key; });
      if (!kind) kinds.push(kind = { key: key, lines: [] });
      kind.lines.push(line);
    });
    if (kinds.length > 1) {
      var firsts = kinds.map(function (kind) { return kind.lines[0]; });
      var names = kinds.map(function (kind) { return kind.lines.map(function (line) { return LETTERS[line.at]; }).join(" and "); });
      box.append(reason("Side by side and not in one chart, because what was sent differs or is not known to be the same:",
        differences(firsts.map(function (line) { return line.profile.sent; }), names)));
    } else {
      var blank = unknowns(lines[0].profile.sent);
      box.append(make("p", { class: "muted" }, "One chart, because the metric, the axis, the unit and all that is stated of what was sent are the same" +
        (blank.length ? ". Not stated for any of them: " + listed(blank) : "") + "."));
    }
    box.append(make("div", { class: "charts" + (kinds.length > 1 ? " charts-several" : "") }, kinds.map(function (kind) {
      return chart(kind.lines, group, kinds.length > 1);
    })));
    if (absent.length) box.append(make("p", {}, make("span", { class: "state state-bare", "data-state": "pending" }, "not measured"), " for " + listed(absent.map(function (card) { return card.name; })) + "."));
    box.append(values(lines, group));
    return box;
  }

  function legend(lines) {
    return make("ul", { class: "series-key" }, lines.map(function (line) {
      var key = make("span", { class: "chart" });
      key.innerHTML = '<svg class="chart-narrow key-mark" width="14" height="14" viewBox="0 0 14 14" aria-hidden="true"><path class="key s' + (line.at + 1) + '" d="' + shape(line.at, 7, 7) + '"/></svg>';
      var label = line.choices.length < 2 ? make("span", {}, line.profile.label) : choice(line);
      return make("li", {}, key, letter(line.at), make("span", { class: "series-words" }, make("a", { href: line.profile.href }, line.card.name), make("br"),
        label, make("small", {}, line.profile.measured + ", ", make("a", { href: line.profile.proof }, line.profile.grade))));
    }));
  }

  function choice(line) {
    var select = make("select", { "aria-label": "Curve of " + LETTERS[line.at] + ", " + line.card.name, "data-group": line.profile.group, "data-card": line.card.id }, line.choices.map(function (profile) {
      return make("option", { value: profile.id, selected: profile === line.profile ? "" : null }, profile.label + (same(line.choices.map(function (one) { return one.label; })) || line.choices.filter(function (one) { return one.label === profile.label; }).length > 1 ? ", " + profile.measured : ""));
    }));
    select.addEventListener("change", function () {
      var own = line.choices.map(function (profile) { return line.card.id + "/" + profile.id; });
      picks = picks.filter(function (pick) { return own.indexOf(pick) < 0; });
      if (!line.choices.find(function (profile) { return profile.id === select.value; }).usual) picks.push(line.card.id + "/" + select.value);
      render();
      var again = place.querySelector('select[data-group="' + line.profile.group + '"][data-card="' + line.card.id + '"]');
      if (again) again.focus();
    });
    return select;
  }

  function values(lines, group) {
    var xs = [], names = Object.create(null);
    lines.forEach(function (line) {
      line.profile.points.forEach(function (point) { if (xs.indexOf(point.x) < 0) xs.push(point.x); names[point.x] = point.name; });
    });
    xs.sort(function (a, b) { return a - b; });
    // Points stand under points: a text that is shorter behind its point than the column's longest is moved by what it lacks.
    function behind(point) { var at = point.cell.indexOf("."); return at < 0 ? 0 : point.cell.length - at - 0.5; }
    lines.forEach(function (line) { line.longest = Math.max.apply(null, line.profile.points.map(behind)); });
    return make("div", { class: "values" }, scroll(group.heading, make("table", {},
      make("caption", {}, lines[0].profile.unit + ". Identical: outputs equal to the oracle’s."),
      make("thead", {}, make("tr", {}, make("th", { scope: "col" }, lines[0].profile.axis), lines.map(function (line) {
        return make("th", { scope: "col", class: "num" }, letter(line.at), make("span", { class: "unseen" }, " " + line.card.name));
      }))),
      make("tbody", {}, xs.map(function (x) {
        return make("tr", {}, make("th", { scope: "row" }, names[x]), lines.map(function (line) {
          var point = line.profile.points.find(function (one) { return one.x === x; });
          if (!point) return make("td", { class: "num" }, make("span", { class: "unseen" }, "not measured"), make("span", { "aria-hidden": "true" }, "–"));
          var withheld = point.state === "withheld";
          return make("td", { class: "num", "data-state": point.state, title: withheld ? point.why : null },
            mark(point.state, withheld ? "withheld, " + point.why + ":" : "measured"), make("span", { style: "padding-inline-end:" + (line.longest - behind(point)) + "ch" }, point.cell),
            make("small", { class: "under" }, withheld ? point.count + ", " + point.why : point.identity));
        }));
      })))));
  }

  // --- one chart: straight lines between neighbours, broken where something is withheld; y from zero; a shape and a letter per line

  function n(number) { var text = (Math.round(number * 10) / 10).toString(); return text === "-0" ? "0" : text; }

  function shape(index, x, y) {
    var r = 4 * (index === 1 ? 0.9 : index === 3 ? 1.2 : 1), at = "M" + n(x) + " " + n(y);
    switch (SHAPES[index]) {
      case "circle": return at + "m" + -r + " 0a" + r + " " + r + " 0 1 0 " + 2 * r + " 0a" + r + " " + r + " 0 1 0 " + -2 * r + " 0z";
      case "square": return at + "m" + -r + " " + -r + "h" + 2 * r + "v" + 2 * r + "h" + -2 * r + "z";
      case "diamond": r *= 1.3; return at + "m0 " + -r + "l" + r + " " + r + " " + -r + " " + r + " " + -r + " " + -r + "z";
      default: return at + "m0 " + -r + "l" + 1.155 * r + " " + 1.5 * r + "h" + -2.31 * r + "z";
    }
  }

  function chart(lines, group, alone) {
    var drawn = lines.some(function (line) { return line.profile.points.some(shown); });
    var words = lines.map(function (line) {
      return LETTERS[line.at] + ", " + line.card.name + ", " + line.profile.label + ": " + line.profile.points.map(function (point) {
        return point.name + " " + (shown(point) ? point.text : "withheld (" + point.count + ")");
      }).join(", ");
    }).join(". ");
    if (!drawn) return make("p", {}, listed(lines.map(function (line) { return LETTERS[line.at]; })) + ": every point is withheld, so nothing is drawn.");
    var id = "chart-" + group.id.replace(/[^a-z0-9]+/gi, "-") + "-" + lines[0].at;
    var box = make("div", { class: "chart-drawing" });
    box.innerHTML = svg(lines, alone ? 500 : 700, id, group.heading, words) + svg(lines, 336, id, "", "");
    return make("figure", { class: "chart" }, alone ? make("figcaption", {}, listed(lines.map(function (line) { return LETTERS[line.at] + ": " + line.card.name; }))) : null,
      make("div", { class: "chart-frame" }, box));
  }

  function shown(point) { return point.state === "measured"; }

  // Rows of counts under the ticks: each in the first row in which it touches no other, or as a bare sign.
  function countRows(absent, px, first, last) {
    var rows = [];
    absent.forEach(function (point) {
      var words = "⊘ " + point.count, half = words.length * 3.4, x = Math.min(px(point.x), last - half);
      var row = rows.find(function (one) { return x - half >= one.end; });
      if (!row && rows.length < 3) rows.push(row = { end: first, texts: [] });
      if (!row || x - half < row.end) { row = row || rows[0]; words = "⊘"; half = 6; x = px(point.x); }
      row.texts.push([words, x]);
      row.end = x + half + 3;
    });
    return rows;
  }

  // Whether a straight line from one place to another runs through a box.
  function crosses(line, box) {
    var from = 0, to = 1;
    return [[line[2] - line[0], box[0] - line[0], box[2] - line[0]], [line[3] - line[1], box[1] - line[1], box[3] - line[1]]].every(function (way) {
      if (!way[0]) return way[1] < 0 && way[2] > 0;
      var a = way[1] / way[0], b = way[2] / way[0];
      from = Math.max(from, Math.min(a, b));
      to = Math.min(to, Math.max(a, b));
      return from < to;
    });
  }

  function svg(lines, width, id, title, words) {
    var narrow = width < 400, all = [], log = lines[0].profile.log, xs = [];
    lines.forEach(function (line) {
      line.profile.points.forEach(function (point) {
        all.push({ at: line.at, point: point });
        if (!xs.some(function (other) { return other.x === point.x; })) xs.push({ x: point.x, tick: point.tick });
      });
    });
    xs.sort(function (a, b) { return a.x - b.x; });
    var scale = lines.map(function (line) { return line.profile; }).sort(function (a, b) { return b.top - a.top; })[0];
    var left = Math.max.apply(null, scale.ticks.map(function (tick) { return tick[1].length; })) * 7 + 10;
    var right = width - 22, top = 26, bottom = top + (narrow ? 200 : 230), inset = narrow ? 20 : 30;
    var positive = xs.filter(function (one) { return one.x > 0; });
    function log2(x) { return Math.log(x) / Math.LN2; }
    var first = log ? log2(positive.length ? positive[0].x : 1) : xs[0].x, last = log ? log2(positive.length ? xs[xs.length - 1].x : 2) : xs[xs.length - 1].x;
    var slot = first - Math.max(1, (last - first) / 6), hasSlot = log && xs[0].x === 0;
    if (hasSlot) first = slot;
    if (first === last) { first -= 1; last += 1; }
    function px(x) { return left + inset + ((log ? (x > 0 ? log2(x) : slot) : x) - first) / (last - first) * (right - left - 2 * inset); }
    var height = bottom - top, yTop = scale.top * height / (height - 24);
    function py(y) { return bottom - y / yTop * height; }

    var parts = [], texts = [], taken = [];
    function overlaps(box) { return taken.some(function (other) { return box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3]; }); }
    function text(role, words, x, y, extra) { texts.push('<text class="' + role + '" x="' + n(x) + '" y="' + n(y) + '"' + (extra || "") + ">" + escaped(words) + "</text>"); }

    text("unit", lines[0].profile.unit, 0, 14);
    parts.push('<path class="grid" d="' + scale.ticks.slice(1).map(function (tick) { return "M" + n(left) + " " + n(py(tick[0])) + "H" + n(right); }).join("") + '"/>');
    scale.ticks.forEach(function (tick) { text("y-tick", tick[1], left - 8, py(tick[0]) + 4.3); });

    var open = xs.filter(function (one) { return all.some(function (item) { return item.point.x === one.x && shown(item.point); }); });
    parts.push('<path class="axis" d="M' + n(left) + " " + n(bottom) + "H" + n(right) + open.map(function (one) { return "M" + n(px(one.x)) + " " + n(bottom) + "v5"; }).join("") + '"/>');
    var room = [];
    xs.slice().sort(function (a, b) { return (a === xs[0] || a === xs[xs.length - 1] ? 0 : 1) - (b === xs[0] || b === xs[xs.length - 1] ? 0 : 1); }).forEach(function (one) {
      var half = one.tick.length * 3.5 + 1, x = px(one.x);
      if (room.some(function (other) { return Math.abs(other[0] - x) < other[1] + half; })) return;
      room.push([x, half]);
      text("x-tick" + (open.indexOf(one) < 0 ? " withheld" : ""), one.tick, x, bottom + 19);
    });
    var full = xs.filter(function (one) { return open.indexOf(one) < 0; }), foot = bottom + 21;
    if (full.length) parts.push('<path class="gap" d="' + full.map(function (one) { return "M" + n(px(one.x)) + " " + top + "V" + n(bottom + 5); }).join("") + '"/>');
    lines.forEach(function (line) {
      var absent = line.profile.points.filter(function (point) { return !shown(point); });
      if (!absent.length) return;
      if (lines.length > 1) text("series s" + (line.at + 1), LETTERS[line.at], 0, foot + 15);
      countRows(absent, px, lines.length > 1 ? 14 : 0, width).forEach(function (row) {
        foot += 15;
        row.texts.forEach(function (one) { text("count withheld", one[0], one[1], foot); });
      });
      absent.forEach(function (point) {
        var x = px(point.x);
        if (full.every(function (one) { return one.x !== point.x; })) parts.push('<path class="gap tick" d="M' + n(x) + " " + n(bottom - 4) + 'v9"/>');
      });
    });
    foot += 20;
    text("axis-label", lines[0].profile.axis, (left + right) / 2, foot);

    all.forEach(function (item) {
      if (!shown(item.point)) return;
      var x = px(item.point.x), y = py(item.point.y);
      taken.push([x - 6, y - 6, x + 6, y + 6]);
    });
    var ends = [], strokes = [];
    lines.forEach(function (line) {
      var segments = [[]];
      line.profile.points.slice().sort(function (a, b) { return a.x - b.x; }).forEach(function (point) {
        if (shown(point)) segments[segments.length - 1].push(point);
        else if (segments[segments.length - 1].length) segments.push([]);
      });
      segments.forEach(function (some) {
        some.slice(1).forEach(function (point, at) { strokes.push([px(some[at].x), py(some[at].y), px(point.x), py(point.y)]); });
      });
      var path = segments.filter(function (some) { return some.length > 1; }).map(function (some) {
        return "M" + some.map(function (point) { return n(px(point.x)) + " " + n(py(point.y)); }).join("L");
      }).join("");
      var marks = line.profile.points.filter(shown);
      parts.push('<g class="s' + (line.at + 1) + '">' + (path ? '<path class="line" d="' + path + '"/>' : "") + marks.map(function (point) {
        return '<path class="mark" d="' + shape(line.at, px(point.x), py(point.y)) + '"/>';
      }).join("") + "</g>");
      if (marks.length) ends.push({ at: line.at, x: px(marks[marks.length - 1].x), y: py(marks[marks.length - 1].y) });
    });
    ends.sort(function (a, b) { return a.y - b.y; });
    ends.forEach(function (end) {
      var y = end.y + 4.5, box = [end.x + 8, y - 12, end.x + 20, y + 3];
      while (overlaps(box)) { y += 3; box = [box[0], y - 12, box[2], y + 3]; }
      taken.push(box);
      text("series s" + (end.at + 1), LETTERS[end.at], end.x + 10, y, ' style="font-weight:600;fill:var(--c)"');
    });
    all.forEach(function (item) {
      if (!shown(item.point)) return;
      var x = px(item.point.x), y = py(item.point.y), half = item.point.text.length * 3.9 + 1;
      var free = [[0, -10], [0, 21], [-half, -8], [half, 19], [half, -8], [-half, 19], [-half - 8, 4], [half + 8, 4]].map(function (way) {
        return [x + way[0] - half, y + way[1] - 10, x + way[0] + half, y + way[1] + 1, x + way[0], y + way[1]];
      }).filter(function (box) { return box[3] < bottom - 2 && box[0] >= left - 4 && box[2] <= width && !overlaps(box); });
      var box = free.find(function (one) { return !strokes.some(function (line) { return crosses(line, one); }); });
      // Between several lines a value that lies across one is taken for another's: the table has it.
      if (!box && lines.length < 2) box = free[0];
      if (!box) return;
      taken.push(box);
      text("value s" + (item.at + 1), item.point.text, box[4], box[5]);
    });
    var named = title ? 'role="img" aria-labelledby="' + id + '-title ' + id + '-desc"' : 'role="img" aria-labelledby="' + id + '-title"';
    return '<svg class="chart-' + (narrow ? "narrow" : "wide") + '" viewBox="0 0 ' + width + " " + n(foot + 6) + '" width="' + width + '" height="' + n(foot + 6) + '" ' + named + ">" +
      (title ? '<title id="' + id + '-title">' + escaped(title) + '</title><desc id="' + id + '-desc">' + escaped(words) + "</desc>" : "") + parts.join("") + texts.join("") + "</svg>";
  }

  // --- the whole page

  function render() {
    var all = window.Proofpress.compared || {}, cards = chosen.map(function (id) { return all[id]; });
    keep();
    document.documentElement.classList.remove("asks");
    if (cards.length < 2) { place.hidden = share.hidden = true; place.replaceChildren(); return; }
    var found = groups(cards), common = found.filter(function (group) { return count(group) > 1; });
    var lonely = found.filter(function (group) { return count(group) < 2; });
    var parts = [conditions(cards), single(cards)].concat(common.map(function (group) { return curves(group, cards); }));
    if (lonely.length) {
      var box = section("alone", "Measured for one of them only");
      box.append(make("ul", {}, lonely.map(function (group) {
        var at = group.of.findIndex(function (some) { return some.length; });
        return make("li", {}, make("a", { href: picked(cards[at], group.of[at]).href }, group.heading), ": " + LETTERS[at] + ", " + cards[at].name);
      })));
      parts.push(box);
    }
    var contents = make("nav", { class: "toc jump", "aria-label": "In this comparison" }, make("ul", {}, parts.map(function (part) {
      return make("li", {}, make("a", { href: "#" + part.id }, part.firstChild.textContent));
    })));
    place.replaceChildren.apply(place, [contents].concat(parts));
    place.hidden = share.hidden = false;
    take(cards, common);
  }
  function count(group) { return group.of.filter(function (some) { return some.length; }).length; }

  function take(cards, common) {
    var lines = [];
    common.forEach(function (group) {
      group.of.forEach(function (profiles, at) {
        if (!profiles.length) return;
        var own = picked(cards[at], profiles).csv;
        lines = lines.concat(lines.length ? own.slice(1) : own);
      });
    });
    var csv = lines.join("\r\n") + "\r\n", link = share.querySelector(".share-csv");
    link.hidden = !lines.length;
    link.href = "data:text/csv;charset=utf-8," + encodeURIComponent(csv);
    link.download = "compare-" + chosen.join("-") + ".csv";
    share.querySelector(".share-text").textContent = csv.replace(/\r\n/g, "\n");
    share.querySelector(".share-address").textContent = location.href.split("#")[0];
  }

  function keep() {
    var query = chosen.length ? "?cards=" + chosen.join(",") + (picks.length ? "&curves=" + picks.join(",") : "") : "";
    if (query !== location.search) try { history.replaceState(null, "", (query || location.pathname) + location.hash); } catch (refused) { /* the page is right without it */ }
    boxes.forEach(function (box) {
      box.checked = chosen.indexOf(box.value) >= 0;
      box.disabled = chosen.length >= MOST && !box.checked;
    });
    counter.textContent = chosen.length === 0 ? "" : chosen.length === 1 ? "1 chosen, choose another." : chosen.length + " chosen" + (chosen.length === MOST ? ", the most at once." : ".");
    document.title = document.title.replace(/^.*?(?= · |$)/, chosen.length > 1 ? "Compare " + chosen.length + " set-ups" : "Compare set-ups");
    chosenLine.hidden = !chosen.length;
    chosenLine.replaceChildren.apply(chosenLine, chosen.map(function (id, index) {
      var card = (window.Proofpress.compared || {})[id];
      var button = make("button", { type: "button", class: "chip" }, make("span", { class: "unseen" }, "Remove "), letter(index), " " + card.name);
      button.addEventListener("click", function () { set(wanted.filter(function (other) { return other !== id; })); (chosenLine.querySelector("button") || boxes[0]).focus(); });
      return button;
    }).concat(chosen.length && chosen.length < MOST ? [make("a", { href: "#choose" }, chosen.length === 1 ? "Choose another" : "Add another")] : []));
  }

  function set(ids) {
    var mine = ++turn;
    wanted = ids;
    return Promise.all(ids.map(function (id) {
      return window.Proofpress.load("compare/" + id + ".js").then(function () { return id; }, function () { return null; });
    })).then(function (loaded) {
      if (mine !== turn) return;
      var missing = ids.filter(function (id) { return loaded.indexOf(id) < 0; });
      if (missing.length) complain("The data of " + listed(missing) + " could not be loaded.");
      wanted = chosen = loaded.filter(Boolean);
      picks = picks.filter(function (pick) { return chosen.indexOf(pick.split("/")[0]) >= 0; });
      render();
    });
  }
  function complain(text) { problem.hidden = false; problem.textContent = text; }

  function restore() {
    var state = new URLSearchParams(location.search), known = boxes.map(function (box) { return box.value; });
    var asked = (state.get("cards") || "").split(",").filter(Boolean).filter(function (id, at, all) { return all.indexOf(id) === at; });
    var strange = asked.filter(function (id) { return known.indexOf(id) < 0; });
    if (strange.length) complain("There is no set-up called " + listed(strange) + " here; it may have been renamed.");
    else if (asked.length > MOST) complain("At most four set-ups stand side by side; the first four of the address are shown.");
    else problem.hidden = true;
    picks = (state.get("curves") || "").split(",").filter(Boolean);
    return set(asked.filter(function (id) { return known.indexOf(id) >= 0; }).slice(0, MOST));
  }

  boxes.forEach(function (box) {
    box.addEventListener("change", function () {
      // what was wanted before may still be loading: two quick choices are two
      if (box.checked && wanted.length >= MOST) { box.checked = false; return; }
      set(box.checked ? wanted.concat(box.value) : wanted.filter(function (id) { return id !== box.value; }));
    });
  });
  var find = document.querySelector(".picker-find"), rows = Array.from(document.querySelectorAll(".candidates li"));
  find.addEventListener("input", function () {
    var words = find.value.trim().toLowerCase().split(/\s+/);
    rows.forEach(function (row) {
      row.hidden = !words.every(function (word) { return row.dataset.text.indexOf(word) >= 0; });
    });
  });
  find.form.addEventListener("submit", function (event) { event.preventDefault(); });
  addEventListener("popstate", restore);
  restore().then(function () {
    var at = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (at) at.scrollIntoView();
  });
})();
