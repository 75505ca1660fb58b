// Explains a term where it stands: on hover, focus and first tap. The texts come from one script for the whole site
// (`data-terms` on this script's tag), loaded with the first term that is met; Escape closes it.
(function () {
  "use strict";
  if (!document.querySelector(".term")) return;
  var source = document.currentScript.dataset.terms, open = null, wanted = null, timer, touched = false;
  var note = document.createElement("div");
  note.className = "term-note";
  note.id = "term-note";
  note.setAttribute("role", "tooltip");
  note.hidden = true;
  document.body.append(note);

  function show(term) {
    clearTimeout(timer);
    if (open === term) return;
    hide();
    wanted = term;
    Proofpress.load(source).then(function () { if (wanted === term) place(term); }, function () {});
  }

  function place(term) {
    note.textContent = Proofpress.terms[term.dataset.term];
    note.hidden = false;
    var line = term.getClientRects()[0], room = document.documentElement.clientWidth - note.offsetWidth - 8;
    var below = line.bottom + note.offsetHeight + 8 < innerHeight || line.top < note.offsetHeight + 8;
    note.style.left = scrollX + Math.max(8, Math.min(line.left, room)) + "px";
    note.style.top = scrollY + (below ? line.bottom + 6 : line.top - note.offsetHeight - 6) + "px";
    term.setAttribute("aria-describedby", note.id);
    open = term;
  }

  function hide() {
    clearTimeout(timer);
    if (open) open.removeAttribute("aria-describedby");
    open = wanted = null;
    note.hidden = true;
  }

  function later(action, wait) { clearTimeout(timer); timer = setTimeout(action, wait); }

  document.addEventListener("pointerover", function (event) {
    touched = event.pointerType === "touch";
    if (touched) return;
    var term = event.target.closest(".term");
    if (term) later(function () { show(term); }, 120);
    else if (event.target.closest(".term-note")) clearTimeout(timer);
    else if (open && open !== document.activeElement) later(hide, 250);
    else if (!open) clearTimeout(timer);
  });
  document.addEventListener("pointerdown", function (event) { touched = event.pointerType === "touch"; });
  document.addEventListener("focusin", function (event) {
    var term = event.target.closest(".term");
    if (term && !touched) show(term);
    else if (!term) hide();
  });
  document.addEventListener("focusout", function (event) { if (event.target === open) hide(); });
  document.addEventListener("click", function (event) {
    var term = event.target.closest(".term");
    if (term && touched && open !== term) {
      event.preventDefault();
      show(term);
    } else if (!term && !event.target.closest(".term-note")) hide();
  });
  document.addEventListener("keydown", function (event) { if (event.key === "Escape") hide(); });
})();
