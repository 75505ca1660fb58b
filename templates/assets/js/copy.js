// Copies a command, or the page as Markdown from the script that `data-copy` names. Where the clipboard is refused, the text is
// left selected.
(function () {
  "use strict";
  var said = document.createElement("p"), timer;
  said.className = "copied";
  said.setAttribute("role", "status");
  document.body.append(said);

  document.querySelectorAll(".command").forEach(function (box) {
    var button = document.createElement("button"), step = box.dataset.name;
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    if (step) button.setAttribute("aria-label", "Copy: " + step);
    box.append(button);
  });

  function say(text) {
    clearTimeout(timer);
    said.textContent = text;
    timer = setTimeout(function () { said.textContent = ""; }, 6000);
  }

  function select(source, text, button) {
    if (source.matches("pre")) {
      getSelection().selectAllChildren(source);
    } else {
      var area = document.querySelector(".copy-text") || document.createElement("textarea");
      area.className = "copy-text";
      area.readOnly = true;
      area.setAttribute("aria-label", "Text to copy");
      area.value = text;
      (button.closest(".actions") || button).after(area);
      area.focus();
      area.select();
    }
    var done = false;
    try { done = document.execCommand("copy"); } catch (refused) { /* the selection stays */ }
    say(done ? "Copied." : "This browser refused the clipboard. The text is selected: copy it with Ctrl+C or ⌘C.");
  }

  function write(source, text, button) {
    text = text.replace(/^\n+|\s+$/g, "") + "\n";
    try {
      navigator.clipboard.writeText(text).then(function () { say("Copied."); }, function () { select(source, text, button); });
    } catch (absent) {
      select(source, text, button);
    }
  }

  // The text is there by the time of the click, which some browsers want for the clipboard.
  ["pointerover", "pointerdown", "focusin"].forEach(function (kind) {
    document.addEventListener(kind, function (event) {
      var button = event.target.closest("[data-copy]");
      if (button) Proofpress.load(button.dataset.copy).catch(function () {});
    });
  });

  document.addEventListener("click", function (event) {
    var button = event.target.closest(".copy, [data-copy]");
    if (!button) return;
    if (!button.dataset.copy) {
      var source = button.parentNode.querySelector("pre");
      write(source, source.textContent, button);
      return;
    }
    Proofpress.load(button.dataset.copy).then(
      function () { write(button, Proofpress.markdown, button); },
      function () { say("The text could not be loaded."); }
    );
  });
})();
