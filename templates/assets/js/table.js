// Sorts a table with `data-sortable` by the heading pressed: up, down, then as printed. Rows without a value go last.
(function () {
  "use strict";

  function value(row, column) {
    var cell = row.cells[column], exact = cell.querySelector("data"); // a row's mark stands before its first text
    var text = exact ? exact.value : cell.lastChild ? (cell.querySelector(".under") ? cell.firstChild : cell.lastChild).textContent.trim().replace(/,(?=\d{3})/g, "") : "";
    if (!text || text === "–") return null;
    return isNaN(text) ? text : Number(text);
  }

  function sort(body, rows, column, way) {
    var sorted = rows.slice();
    if (way) sorted.sort(function (one, two) {
      var a = value(one, column), b = value(two, column);
      if (a === null || b === null) return (a === null) - (b === null);
      var up = typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en", { numeric: true });
      return way === "ascending" ? up : -up;
    });
    body.append.apply(body, sorted);
  }

  document.querySelectorAll("table[data-sortable]").forEach(function (table) {
    var body = table.tBodies[0], rows = Array.from(body.rows), heads = Array.from(table.tHead.rows[0].cells);
    heads.forEach(function (head, column) {
      var button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      head.replaceChildren(button); // in the place of a span of the same size
      button.addEventListener("click", function () {
        var now = head.getAttribute("aria-sort");
        var way = now === "ascending" ? "descending" : now === "descending" ? null : "ascending";
        heads.forEach(function (other) { other.removeAttribute("aria-sort"); });
        if (way) head.setAttribute("aria-sort", way);
        sort(body, rows, column, way);
      });
    });
  });
})();
