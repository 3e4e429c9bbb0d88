// The page of `modelcheck explore`. All that it knows of the run stands in the address, behind the #; it asks the server what that means.

import { ask, by, count, el } from "./dom.js";
import { filterSteps, sentence, showCode, showDiagram, showEnding, showProcesses, showProperties, showSteps } from "./faces.js";
import { predicting, prepare as preparePredicting, showQuestions } from "./predict.js";
import { prepare as prepareSystem, showSystem } from "./system.js";
import * as worlds from "./worlds.js";

let model, run;
let taking = new Map(); // what each key takes
let furthest = ""; // the path that Redo leads along
let loading = 0, busy = false, search = null;
const waiting = []; // keys pressed while a step was being taken

const here = () => location.hash.slice(1);
const tokens = (steps) => steps.match(/\d+[a-z]/g) ?? [];
const split = (path) => {
  const place = path.lastIndexOf("/") + 1;
  return [path.slice(0, place), ...path.slice(place).split("~")];
};

function go(path) {
  busy = true;
  if (here() === path) load();
  else location.hash = path;
}

/** To the same run after so many steps. */
const goTo = (steps) => go(run.base + tokens(run.steps).slice(0, steps).join(""));
const take = (step) => go(run.path + step.take);
const back = () => run && run.length && goTo(run.length - 1);

function redo() {
  const ahead = next();
  if (ahead) go(ahead);
}

function next() {
  const [base, steps, loop] = split(furthest);
  if (!run || base !== run.base || !steps.startsWith(run.steps) || steps.length === run.steps.length) return null;
  const longer = tokens(steps).slice(0, run.length + 1).join("");
  return base + longer + (longer === steps && loop !== undefined ? `~${loop}` : "");
}

async function load() {
  const mine = ++loading;
  busy = true;
  try {
    const path = here() || model.start;
    const found = await ask("run", { path });
    if (mine !== loading) return;
    const focused = document.activeElement?.closest?.("#steps");
    const before = run;
    run = found;
    if (!here()) history.replaceState(null, "", `#${run.path}`);
    const [base, steps] = split(furthest);
    if (base !== run.base || !steps.startsWith(run.steps)) furthest = run.path;
    sessionStorage.setItem("furthest", furthest);
    show();
    if (focused) (by("steps").querySelector("button.step") ?? by("next-heading")).focus();
    announce(before);
  } catch (error) {
    if (mine !== loading) return;
    run = null;
    taking = new Map();
    by("page").hidden = true;
    trouble(error.message, el("a", { href: `#${model?.start ?? ""}` }, "Start from the beginning"));
  } finally {
    if (mine === loading) {
      busy = false;
      if (waiting.length) press(waiting.shift());
    }
  }
}

function trouble(text, ...more) {
  by("trouble").hidden = false;
  by("trouble").replaceChildren(el("b", {}, "This does not lead to a run: "), text, " ", ...more);
}

function show() {
  by("trouble").hidden = true;
  by("page").hidden = false;
  by("world-name").textContent = run.world.text;
  by("count").textContent = count(run.length, run.unit);
  by("back").disabled = by("restart").disabled = run.length === 0;
  by("redo").disabled = next() === null;
  by("filter").value = "";
  showDiagram(run, goTo);
  showEnding(run, goTo);
  lead();
  taking = predicting(run) ? showQuestions({ ...run, sends: model.messages[0] }, take) : showSteps(run, take);
  showSystem(predicting(run) ? { ...run, enabled: [] } : run, take);
  showProcesses(run);
  showProperties(run, { go: goTo, find: (property) => look({ kind: "violation", property }) });
  if (by("code").open) showCode(by("code-of-last"), run.path);
  if (search === null && by("answer").dataset.path !== run.path) by("answer").textContent = "";
  document.title = `${run.length ? `${count(run.length, run.unit)} · ` : ""}${model.name} · modelcheck`;
}

/** The link to this run beside another protocol. */
function lead() {
  by("beside").hidden = !model.beside.length || !run.length;
  by("side-by-side").href = `/beside?${new URLSearchParams({ path: run.path, with: by("other").value })}`;
}

function announce(before) {
  const said = [];
  if (run.length && (!before || before.path !== run.path)) {
    const last = run.told[run.told.length - 1];
    said.push(`${run.unit === "round" ? "Round" : "Step"} ${run.length}: ${last.map(sentence).join(", ")}.`);
  } else if (!run.length) said.push("At the beginning.");
  if (run.failure || run.reason) said.push(`Wrong here: ${run.failure?.sentence ?? run.reason}.`);
  else if (run.ended) said.push("The end: nothing more can happen.");
  else if (!predicting(run)) said.push(`${count(run.enabled.length, "step")} can be taken.`);
  by("live").textContent = said.join(" ");
}

// --- searching -------------------------------------------------------------------------------------------------

async function look(wanted) {
  search?.abort();
  const mine = (search = new AbortController());
  by("search").hidden = false;
  by("progress").textContent = "searching …";
  by("answer").textContent = "";
  by("answer").className = "";
  let answer = { outcome: "limit", sentence: "Stopped." };
  try {
    const query = new URLSearchParams({ ...wanted, path: run.path });
    const response = await fetch(`/api/search?${query}`, { signal: mine.signal });
    if (!response.ok) throw Object.assign(new Error(), { data: await response.json() });
    for await (const line of lines(response.body)) {
      if (line.answer) answer = line.answer;
      else by("progress").textContent = progress(line.progress);
    }
  } catch (error) {
    if (error.data) answer = { outcome: "error", sentence: error.data.error, at: error.data.at };
    else if (error.name !== "AbortError") answer = { outcome: "error", sentence: "The server does not answer any more." };
  }
  if (search !== mine) return;
  search = null;
  by("search").hidden = true;
  by("answer").dataset.path = answer.path ?? run?.path ?? "";
  by("answer").textContent = answer.sentence;
  by("answer").className = answer.outcome === "found" && wanted.kind === "violation" ? "found-violation" : "";
  if (answer.outcome === "found") {
    go(answer.path);
    document.querySelector(".run").scrollIntoView({ block: "nearest" });
  }
}

const progress = ({ states, depth, seconds }) => `${count(states, "state")}${depth ? `, ${depth} steps deep` : ""}, ${seconds} s`;

async function* lines(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (rest + value).split("\n");
    rest = parts.pop();
    for (const part of parts) yield JSON.parse(part);
  }
}

let turn = 0;
/** Says at once what is wrong with a condition, at which character, or whether it holds here. */
async function judge() {
  const mine = ++turn, text = by("condition").value, said = by("condition-said");
  if (!text.trim() || !run) return void (said.textContent = "");
  try {
    const { holds } = await ask("condition", { text, path: run.path, typing: 1 });
    if (mine !== turn) return;
    said.className = "said good";
    said.textContent = holds ? "holds here" : "does not hold here";
  } catch (error) {
    if (mine !== turn) return;
    said.className = "said";
    const at = error.data?.at;
    said.replaceChildren(...(at === undefined ? [] : [el("code", {}, text.slice(0, at), el("mark", {}, fault(text.slice(at))), text.slice(at).slice(fault(text.slice(at)).length)), "\n"]), error.message);
  }
}

/** The word or the sign that is at fault. */
const fault = (text) => text.match(/^(\w+|.)/)?.[0] ?? "⌴";

// --- keys ------------------------------------------------------------------------------------------------------

const COMMANDS = { Backspace: back, ArrowLeft: back, ArrowRight: redo, Home: () => run?.length && goTo(0) };

function press(key) {
  const command = COMMANDS[key] ?? taking.get(key);
  if (command) command();
  else if (waiting.length) press(waiting.shift());
}

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest?.("input:not([type=checkbox]), select, textarea, dialog[open]");
  if (typing || event.ctrlKey || event.metaKey || event.altKey || (!(event.key in COMMANDS) && !taking.has(event.key) && !(busy && /^[0-9a-z]$/.test(event.key)))) return;
  if (["diagram", "moment"].includes(event.target.id) && event.key.startsWith("Arrow")) return; // scrolls it, moves it
  event.preventDefault();
  if (busy) waiting.push(event.key);
  else press(event.key);
});

// --- the beginning ---------------------------------------------------------------------------------------------

function prepare() {
  by("title").textContent = model.title;
  const faults = Object.entries(model.faults).map(([name, budget]) => `${name} ≤ ${budget}`);
  by("circumstances").textContent = [model.name, `n = ${model.n}`, model.lockstep ? "lock-step" : `network ${model.network}`, ...faults, ...model.broken].join(" · ");
  by("command").replaceChildren("This page: ", el("code", {}, model.command), " · all runs: ", el("code", {}, model.check));
  by("condition").placeholder = model.examples[0] ?? "";
  by("examples").replaceChildren(...model.examples.map((text) => el("button", { type: "button", class: "value", onclick: () => ((by("condition").value = text), judge(), by("condition").focus()) }, text)));
  by("about").hidden = !model.about;
  by("about-text").textContent = model.about;
  by("other").replaceChildren(...model.beside.map(([name, said]) => el("option", { value: name }, said)));
  by("other").addEventListener("change", () => run && lead());
  worlds.prepare(model, go);
  prepareSystem();
  preparePredicting(model, () => run && show());
}

by("choose").addEventListener("click", () => run && worlds.open(run));
by("back").addEventListener("click", back);
by("redo").addEventListener("click", redo);
by("restart").addEventListener("click", () => goTo(0));
by("filter").addEventListener("input", () => filterSteps(by("filter").value));
by("code").addEventListener("toggle", () => run && by("code").open && showCode(by("code-of-last"), run.path));
by("to-violation").addEventListener("click", () => look({ kind: "violation" }));
by("to-end").addEventListener("click", () => look({ kind: "terminal", from: "here" }));
by("stop").addEventListener("click", () => search?.abort());
by("condition").addEventListener("input", judge);
by("where").addEventListener("submit", async (event) => {
  event.preventDefault();
  if (!by("condition").value.trim()) by("condition").value = by("condition").placeholder;
  await judge();
  if (by("condition-said").className === "said") return by("condition").focus();
  look({ kind: "condition", text: by("condition").value, from: by("here").checked ? "here" : "start" });
});
by("skip").addEventListener("click", (event) => (event.preventDefault(), (by("steps").querySelector("button.step") ?? by("next-heading")).focus()));
window.addEventListener("hashchange", load);

furthest = sessionStorage.getItem("furthest") ?? "";
try {
  model = await ask("model");
  prepare();
  await load();
} catch (error) {
  trouble(error.message);
}
