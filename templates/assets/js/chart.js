/* The live layer of a chart: Plotly draws the same points exactly over the static drawing and answers to pointers and keys.
 *
 * The static drawing stays in its place and keeps its letters, axes and withheld marks. `touch.js` waits at every chart and
 * loads this script, the vendored library and the data of the page's figures once somebody asks. If anything fails, the static
 * drawing is simply still there.
 */
(function () {
  "use strict";

  var specs = window.Proofpress.specs;
  var live = [];

  function element(name, className, attributes) {
    var made = document.createElement(name);
    made.className = className;
    Object.keys(attributes).forEach(function (key) {
      made.setAttribute(key, attributes[key]);
    });
    return made;
  }

  function plain(text) {
    return text
      .split("<br>")
      .join(". ")
      .replace(/&lt;/g, "<")
      .replace(/&gt;/g, ">")
      .replace(/&amp;/g, "&");
  }

  /* `place` is what `touch.js` keeps of a figure: its box, button and announcer, and where the pointer is. */
  function Chart(place) {
    this.place = place;
    this.figure = place.figure;
    this.box = place.box;
    this.button = place.button;
    this.announcer = place.announcer;
    this.layer = null;
    this.step = null;
  }

  window.Proofpress.enliven = function (place, byKeyboard) {
    var chart = new Chart(place);
    return Promise.resolve()
      .then(function () {
        return chart.draw();
      })
      .then(
        function () {
          chart.figure.classList.add("is-live");
          live.push(chart);
          chart.watch();
          if (byKeyboard) chart.layer.focus({ preventScroll: true });
          chart.button.hidden = true;
          if (!byKeyboard) chart.greet();
        },
        function (error) {
          if (chart.layer) chart.layer.remove();
          throw error;
        }
      );
  };

  /* Draws, or draws again, at the place and size of the drawing that the page shows now, in its colours. */
  Chart.prototype.draw = function () {
    var spec = specs[this.figure.dataset.figure];
    var shown = Array.prototype.find.call(this.box.querySelectorAll("svg[role=img]"), function (svg) {
      return svg.getClientRects().length > 0;
    });
    if (!spec || !shown) throw new Error("nothing to draw");
    var geometry = spec.layout.meta[shown.classList.contains("chart-narrow") ? "narrow" : "wide"];
    var box = this.box.getBoundingClientRect();
    var place = shown.getBoundingClientRect();
    var scale = place.width / geometry.width;
    var style = window.getComputedStyle;
    var ground = style(shown.querySelector(".mark:not(.ring)")).fill;
    var ink = style(shown.querySelector("path.axis")).stroke;

    var data = spec.data.map(function (trace) {
      var colour = style(shown.querySelector("g.s" + trace.meta.series + " .mark")).stroke;
      var sizes = trace.marker.size;
      var marker = {
        symbol: trace.marker.symbol,
        size: Array.isArray(sizes) ? sizes.map(function (size) { return size * scale; }) : sizes * scale,
        // Round other points it is an outline only, so that none is hidden.
        color: trace.meta.rings.map(function (ring) { return ring ? "rgba(0,0,0,0)" : ground; }),
        opacity: 1,
        line: { color: colour, width: 2 * scale },
      };
      return Object.assign({}, trace, {
        marker: marker,
        line: Object.assign({}, trace.line, { color: colour, width: 2 * scale }),
        hoverlabel: { bordercolor: colour },
      });
    });

    var margin = { pad: 0, autoexpand: false };
    Object.keys(geometry.margin).forEach(function (side) {
      margin[side] = geometry.margin[side] * scale;
    });
    var family = style(this.box).fontFamily;
    var layout = Object.assign({}, spec.layout, {
      width: place.width,
      height: place.height,
      autosize: false,
      margin: margin,
      paper_bgcolor: "rgba(0,0,0,0)",
      plot_bgcolor: "rgba(0,0,0,0)",
      font: { family: family, size: 13, color: ink },
      hoverlabel: { bgcolor: ground, font: { family: family, size: 13, color: ink }, align: "left", namelength: -1 },
      xaxis: Object.assign({}, spec.layout.xaxis, { range: geometry.x.slice(), visible: false }),
      yaxis: Object.assign({}, spec.layout.yaxis, { range: geometry.y.slice(), visible: false }),
      shapes: [], // the drawing's own dotted lines and counts stay
      annotations: (spec.layout.annotations || []).map(function (note) {
        return Object.assign({}, note, {
          opacity: 0, // only its hover text is wanted, over the tick and the count of the drawing
          yshift: 0,
          width: 44 * scale,
          height: 44 * scale,
          hoverlabel: { bgcolor: ground, bordercolor: ink, font: { family: family, size: 13, color: ink } },
        });
      }),
    });
    var config = {
      displayModeBar: false,
      displaylogo: false,
      responsive: false, // the observer below follows the drawing, which also changes between wide and narrow
      staticPlot: false,
      scrollZoom: false,
      doubleClick: false,
      editable: false,
      showTips: false,
    };

    if (!this.layer) {
      this.layer = element("div", "chart-live", {
        tabindex: "0",
        role: "application",
        "aria-roledescription": "chart",
        "aria-label": this.box.querySelector("title").textContent + ". Left and right arrow keys go from point to point.",
      });
      this.layer.addEventListener("keydown", this.key.bind(this));
      this.layer.addEventListener("blur", this.quiet.bind(this));
      this.box.insertBefore(this.layer, this.button);
    }
    this.layer.style.left = place.left - box.left + "px";
    this.layer.style.top = place.top - box.top + "px";
    this.layer.style.width = place.width + "px";
    this.layer.style.height = place.height + "px";
    this.scale = scale;
    this.geometry = geometry;
    this.size = { width: place.width, height: place.height };
    return window.Plotly.react(this.layer, data, layout, config);
  };

  Chart.prototype.redraw = function () {
    var chart = this;
    this.quiet();
    try {
      this.draw().catch(function () {});
    } catch (error) {
      chart.figure.classList.remove("is-live"); // the static drawing shows its lines again
    }
  };

  Chart.prototype.watch = function () {
    var chart = this;
    new ResizeObserver(function () {
      var shown = Array.prototype.find.call(chart.box.querySelectorAll("svg[role=img]"), function (svg) {
        return svg.getClientRects().length > 0;
      });
      if (!shown) return;
      var now = shown.getBoundingClientRect();
      if (now.width !== chart.size.width || now.height !== chart.size.height) {
        chart.redraw();
      }
    }).observe(this.box);
  };

  /* Shows the label of the point under the pointer that asked, as if the layer had been there already. */
  Chart.prototype.greet = function () {
    if (!this.place.pointer) return;
    var area = this.layer.getBoundingClientRect();
    var axes = this.layer._fullLayout;
    var pointer = this.place.pointer;
    var nearest = null;
    this.layer.data.forEach(function (trace, curve) {
      trace.x.forEach(function (x, number) {
        var dx = area.left + axes.xaxis._offset + axes.xaxis.d2p(x) - pointer.x;
        var dy = area.top + axes.yaxis._offset + axes.yaxis.d2p(trace.y[number]) - pointer.y;
        var away = Math.hypot(dx, dy);
        if (away < 40 && (!nearest || away < nearest.away)) nearest = { away: away, curve: curve, number: number };
      });
    });
    if (nearest) window.Plotly.Fx.hover(this.layer, [{ curveNumber: nearest.curve, pointNumber: nearest.number }]);
  };

  /* For keyboards: every series as a row of its points and its withheld places, in the order of x. */
  Chart.prototype.rows = function () {
    var spec = specs[this.figure.dataset.figure];
    var rows = spec.layout.meta.series.map(function () {
      return [];
    });
    spec.data.forEach(function (trace, curve) {
      trace.customdata.forEach(function (x, number) {
        rows[trace.meta.series - 1].push({ x: x, at: trace.x[number], curve: curve, number: number, text: trace.hovertext[number] });
      });
    });
    spec.layout.meta.withheld.forEach(function (gap) {
      rows[gap.series - 1].push({ x: gap.x, at: gap.at, curve: -1, number: -1, text: gap.text });
    });
    rows.forEach(function (row) {
      row.sort(function (a, b) {
        return a.x - b.x;
      });
    });
    return rows;
  };

  Chart.prototype.key = function (event) {
    var rows = this.rows();
    var at = this.step;
    if (event.key === "Escape") {
      this.quiet();
      return;
    }
    if (["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"].indexOf(event.key) < 0) return;
    event.preventDefault();
    if (!at) {
      var row = rows.findIndex(function (one) { return one.length > 0; });
      at = { row: row, index: event.key === "End" || event.key === "ArrowLeft" ? rows[row].length - 1 : 0 };
    } else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
      var to = at.row;
      var direction = event.key === "ArrowUp" ? -1 : 1;
      do to += direction; while (rows[to] && !rows[to].length);
      if (rows[to]) {
        var x = rows[at.row][at.index].x;
        var index = rows[to].findIndex(function (item) { return item.x >= x; });
        at = { row: to, index: index < 0 ? rows[to].length - 1 : index };
      }
    } else {
      var last = rows[at.row].length - 1;
      var next = { ArrowLeft: at.index - 1, ArrowRight: at.index + 1, Home: 0, End: last }[event.key];
      at = { row: at.row, index: Math.min(Math.max(next, 0), last) };
    }
    this.step = at;
    this.say(rows[at.row][at.index], rows.length > 1 ? at.row : -1);
  };

  Chart.prototype.say = function (item, row) {
    var spec = specs[this.figure.dataset.figure];
    var name = row < 0 ? "" : plain(spec.layout.meta.series[row]) + ". ";
    var axis = spec.layout.xaxis.title.text;
    var where = axis ? item.x.toLocaleString("en") + " " + plain(axis) + ". " : "";
    this.announcer.textContent = name + where + plain(item.text);
    this.announcer.classList.toggle("is-shown", item.curve < 0);
    if (item.curve < 0) {
      window.Plotly.Fx.unhover(this.layer);
      var axes = this.layer._fullLayout;
      var centre = axes.xaxis._offset + axes.xaxis.d2p(item.at);
      this.announcer.style.left = Math.max(0, Math.min(centre - 110, this.size.width - 220)) + "px";
    } else {
      window.Plotly.Fx.hover(this.layer, [{ curveNumber: item.curve, pointNumber: item.number }]);
    }
  };

  Chart.prototype.quiet = function () {
    this.announcer.classList.remove("is-shown");
    if (this.layer && window.Plotly) window.Plotly.Fx.unhover(this.layer);
  };

  function recolour() {
    window.requestAnimationFrame(function () {
      live.forEach(function (chart) {
        chart.redraw();
      });
    });
  }

  document.addEventListener("proofpress:theme", recolour);
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolour);
})();
