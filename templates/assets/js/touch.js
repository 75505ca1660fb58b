// Waits at each chart. At the first hover, tap or press of its button it loads the live layer (`data-chart` on this script's
// tag), the vendored library (`data-plotly`) and the page's figures (`data-figures` on the figure): each once, and nothing
// before somebody asks. Classic scripts, because those load from disk too.
(function () {
  "use strict";
  var sources = document.currentScript.dataset;

  function wait(figure) {
    var box = figure.querySelector(".chart-drawing"), asked = false;
    var button = document.createElement("button"), announcer = document.createElement("div");
    var place = { figure: figure, box: box, button: button, announcer: announcer, pointer: null };
    button.type = "button";
    button.className = "chart-explore";
    button.textContent = "Explore this chart point by point";
    button.setAttribute("aria-label", button.textContent + ": " + box.querySelector("title").textContent);
    announcer.className = "chart-announcer";
    announcer.setAttribute("role", "status");
    box.append(button, announcer);

    function ask(byKeyboard) {
      if (asked) return;
      asked = true;
      Promise.all([sources.chart, sources.plotly, figure.dataset.figures].map(Proofpress.load)).then(function () {
        return Proofpress.enliven(place, byKeyboard);
      }).catch(function () { asked = false; });
    }

    function remember(event) { place.pointer = { x: event.clientX, y: event.clientY }; }

    box.addEventListener("pointermove", remember, { passive: true });
    box.addEventListener("pointerenter", function (event) {
      remember(event);
      if (event.pointerType === "mouse" && matchMedia("(hover: hover) and (pointer: fine)").matches) ask(false);
    });
    box.addEventListener("pointerleave", function () { place.pointer = null; });
    // A tap is a click; a swipe that begins on a chart is not, and loads nothing.
    box.addEventListener("click", function (event) {
      if (event.target !== button) remember(event);
      ask(event.target === button);
    });
  }

  document.querySelectorAll("figure.chart[data-figures]").forEach(wait);
})();
