// Loads further scripts, each once: what a page shows only when asked does not weigh on its start. Classic scripts and no fetch,
// because a page opened from disk may load those.
(function () {
  "use strict";
  var loads = Object.create(null), Proofpress = window.Proofpress = { specs: Object.create(null) };

  // What a script of figures calls: Proofpress.figures({"<figure id>": {data: […], layout: {…}}, …});
  Proofpress.figures = function (some) { Object.assign(Proofpress.specs, some); };

  Proofpress.load = function (source) {
    if (!loads[source]) loads[source] = new Promise(function (resolve, reject) {
      var script = document.createElement("script");
      script.src = source;
      script.onload = resolve;
      script.onerror = function () {
        delete loads[source]; // the next time may try again
        script.remove();
        reject(new Error("not loaded: " + source));
      };
      document.head.append(script);
    });
    return loads[source];
  };
})();
