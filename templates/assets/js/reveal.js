// Opens what an address points into, in browsers that do not do so by themselves.
(function () {
  "use strict";
  function reveal() {
    var at = document.getElementById(location.hash.slice(1)), box = at && at.closest("details");
    if (!box || box.open) return;
    box.open = true;
    at.scrollIntoView();
  }
  addEventListener("hashchange", reveal);
  reveal();
})();
