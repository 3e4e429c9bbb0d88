// The form, and the report that comes of it.

const by = (id) => document.getElementById(id);
let worker, running = 0;

function begin() {
  worker = new Worker("worker.js", { type: "module" });
  by("check").disabled = true;
  worker.onmessage = ({ data }) => {
    if (data.state) {
      by("state").textContent = data.state;
      if (data.state === "ready") by("check").disabled = false;
    }
    if (data.printed !== undefined) by("printed").textContent += `${data.printed}\n`;
    if (data.failed) over(`Python says: ${data.failed}`);
    if (data.answer) show(data.answer);
  };
  worker.onerror = () => over("The worker does not start. This page must come from a server: python -m http.server, in its folder, is one.");
}

function over(words) {
  clearInterval(running);
  running = 0;
  by("stop").hidden = true;
  by("check").disabled = false;
  by("state").textContent = words;
}

function show({ verdict, text, html }) {
  over(verdict || "not checked");
  by("state").className = verdict;
  by("text").textContent = text;
  by("words").hidden = false;
  by("words").open = !html;
  by("report").hidden = !html;
  if (html) by("report").srcdoc = html;
  by("out").scrollIntoView({ block: "nearest" });
}

by("form").addEventListener("submit", (event) => {
  event.preventDefault();
  if (by("check").disabled) return;
  const form = Object.fromEntries(new FormData(by("form")));
  by("check").disabled = true;
  by("stop").hidden = false;
  by("printed").textContent = by("state").className = "";
  const since = Date.now();
  by("state").textContent = "checking …";
  running = setInterval(() => (by("state").textContent = `checking … ${Math.round((Date.now() - since) / 1000)} s`), 1000);
  worker.postMessage(form);
});

by("stop").addEventListener("click", () => {
  worker.terminate();
  over("stopped");
  begin();
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) by("form").requestSubmit();
});

by("models").addEventListener("change", () => choose(by("models").value));
by("model").addEventListener("keydown", (event) => {
  if (event.key !== "Tab" || event.shiftKey || by("leave").checked) return;
  event.preventDefault(); // indents, as an editor does
  by("model").setRangeText("    ", by("model").selectionStart, by("model").selectionEnd, "end");
});

let models = [];
function choose(name) {
  const model = models.find((one) => one.name === name);
  by("model").value = model.text;
  by("name").value = model.name;
  by("variation").replaceChildren(new Option("the protocol itself", ""), ...[...model.text.matchAll(/^class (\w+)\((?!.*Message)/gm)].slice(1).map(([, name]) => new Option(name, `:${name}`)));
}

begin();
const known = await fetch("models.json").then((answer) => answer.json());
models = known.models;
by("version").textContent = known.version;
const folders = Map.groupBy ? Map.groupBy(models, (one) => one.folder) : new Map([["", models]]);
for (const [folder, those] of folders) {
  const group = document.createElement("optgroup");
  group.label = folder;
  group.append(...those.map((one) => new Option(`${one.name}: ${one.title}`, one.name)));
  by("models").append(group);
}
by("models").value = "chang_roberts";
choose("chang_roberts");
