// What happens next? Which steps are possible, what one of them does, and who leads in the end: asked before it is shown. The engine, behind
// the server, says what is right.

import { ask, by, count, el } from "./dom.js";
import { KEYS, decisions, nameOf } from "./faces.js";

let on = sessionStorage.getItem("predicting") === "yes";
let right = Number(sessionStorage.getItem("right") ?? 0), asked = Number(sessionStorage.getItem("asked") ?? 0);
let turn = 0;

/** Whether this run is to be gone on with by predicting. What has ended has no next step. */
export const predicting = (run) => on && run.unit !== "round" && !run.ended && !run.failure && run.loop === null && !run.trouble;

export function prepare(model, again) {
  by("predict").hidden = model.lockstep;
  by("predict").setAttribute("aria-pressed", String(on));
  by("predict").addEventListener("click", () => {
    on = !on;
    [right, asked] = [0, 0];
    keep();
    by("predict").setAttribute("aria-pressed", String(on));
    again();
    first();
  });
}

function keep() {
  sessionStorage.setItem("predicting", on ? "yes" : "no");
  sessionStorage.setItem("right", right);
  sessionStorage.setItem("asked", asked);
}

function scored(one) {
  asked += 1;
  right += one ? 1 : 0;
  keep();
  by("score").textContent = `${right} of ${count(asked, "answer")} right`;
}

/** To the first thing that can be answered or pressed. */
export const first = () => by("steps").querySelector("input, button")?.focus();

const verdict = (good, ...words) => el("p", { class: good ? "verdict good" : "verdict bad", role: "status" }, el("b", {}, good ? "✓ " : "✗ "), ...words);
const shown = (...words) => el("p", { class: "verdict", role: "status" }, ...words);
const pair = (check, show) => el("div", { class: "answers" }, el("button", { type: "submit" }, check), el("button", { type: "button", class: "small", onclick: show }, "show me"));
const form = (name, submit, ...parts) => el("form", { class: "question", "aria-label": name, onsubmit: (event) => (event.preventDefault(), submit()) }, el("h3", {}, name), ...parts);

/** Asks; fills what the keys take once there are steps to choose from, and returns it. */
export function showQuestions(run, take) {
  by("press").hidden = true;
  const taking = new Map(), mine = ++turn, box = by("steps");
  by("how-many").textContent = "";
  by("filter").hidden = true;
  box.replaceChildren(el("p", { class: "score", id: "score" }, asked ? `${right} of ${count(asked, "answer")} right` : "Say it first; then the engine does."));
  ask("predict", { path: run.path, of: "possible" }).then(({ candidates, end }) => {
    if (mine !== turn) return;
    const focused = document.activeElement === by("next-heading");
    box.append(candidates.length ? whichSteps(run, take, taking, candidates) : theSteps(run, take, taking), end ? whoLeads(run) : "");
    if (focused) first();
  }).catch((error) => mine === turn && box.append(el("p", { class: "trouble" }, error.message)));
  return taking;
}

function whichSteps(run, take, taking, candidates) {
  const boxes = candidates.map(() => el("input", { type: "checkbox" }));
  const rows = candidates.map((words, k) => el("li", {}, el("label", {}, boxes[k], " ", el("b", {}, words[0].split(" ")[0]), ` ${words[1]} `, el("span", { class: "value" }, words[2]))));
  const judge = async (tried) => {
    const { said } = await ask("predict", { path: run.path, of: "possible", answer: "-" });
    const wrong = said.filter((one, k) => one.possible !== boxes[k].checked).length;
    if (tried) scored(wrong === 0);
    said.forEach((one, k) => {
      boxes[k].disabled = true;
      const good = one.possible === boxes[k].checked;
      rows[k].append(el("span", { class: tried ? (good ? "verdict good" : "verdict bad") : "verdict" }, tried ? (good ? "✓ " : "✗ ") : "", one.possible ? "possible" : one.why));
    });
    asking.querySelector(".answers").remove();
    asking.append(tried ? verdict(!wrong, wrong ? `${wrong} of ${said.length} otherwise` : "all right") : "");
    asking.after(theSteps(run, take, taking));
    by("steps").querySelector("button.step")?.focus();
  };
  const asking = form("Which of these can be taken now?", () => judge(true), el("ul", {}, rows), pair("check", () => judge(false)));
  return asking;
}

/** The steps to choose from, without what they do. */
function theSteps(run, take, taking) {
  const box = el("div", { class: "question" }, el("h3", {}, "Which one is taken?"));
  const keys = [...KEYS];
  for (const step of [...run.enabled].sort((one, other) => one.fault - other.fault)) {
    const [part] = step.parts, key = keys.shift();
    const open = () => (step.fault || part.process === "" ? take(step) : (box.querySelector("form")?.remove(), box.append(whatItDoes(run, step, take)), box.querySelector("form input, form button").focus()));
    if (key) taking.set(key, open);
    const words = [part.received && !step.fault ? `receives ${part.received}${part.source ? ` from ${part.source}` : ""}` : "", ...decisions(part)].filter(Boolean);
    box.append(el("div", { class: "offer" }, el("button", { type: "button", class: "step", "data-take": step.take, "aria-keyshortcuts": key, onclick: open },
      el("span", {}, key ? el("kbd", { "aria-hidden": "true" }, key) : ""),
      el("span", {}, el("span", { class: "name" }, `${part.process} ${nameOf(part)}`), words.map((text) => el("span", { class: "does" }, text)), step.fault && el("span", { class: "does" }, "a fault")))));
  }
  return box;
}

function whatItDoes(run, step, take) {
  const [part] = step.parts;
  const fields = [...(run.processes.find((one) => one.name === part.process)?.fields ?? []), ...run.shared];
  const inputs = fields.map(([name, value]) => el("input", { type: "text", value, "data-name": name, autocomplete: "off", autocapitalize: "off", spellcheck: "false", "aria-label": name }));
  const sent = el("input", { type: "text", id: "sent", placeholder: "nothing", autocomplete: "off", autocapitalize: "off", spellcheck: "false", "aria-label": "it sends" });
  const judge = async (tried) => {
    const variables = Object.fromEntries(inputs.map((input) => [input.dataset.name, input.value]));
    const { said } = await ask("predict", { path: run.path + step.take, of: "step", answer: JSON.stringify({ variables, sent: sent.value }) });
    if (tried) said.forEach((one) => scored(one.right));
    const taken = el("button", { type: "button", class: "main", onclick: () => take(step) }, "take the step");
    for (const input of [...inputs, sent]) input.disabled = true;
    asking.querySelector(".answers").replaceWith(...said.map((one) => el("div", {}, tried ? verdict(one.right, one.truth, one.right ? "" : ` (you said: ${one.said})`) : shown(one.truth), one.code.length && !one.right ? el("pre", {}, one.code.join("\n")) : "")), taken);
    taken.focus();
  };
  const asking = form(`What does ${part.process} ${nameOf(part)} do?`, () => judge(true),
    el("div", { class: "fields" }, fields.flatMap(([name], k) => [el("label", { class: "value" }, name), inputs[k]]), run.sends ? [el("label", {}, "it sends"), sent] : ""),
    run.sends ? el("p", { class: "hint" }, `Change what changes. What is sent: ${run.sends}(…) to p2; with ; between several`) : "", pair("check", () => judge(false)));
  return asking;
}

function whoLeads(run) {
  const choice = el("select", { "aria-label": "Who leads in the end?" });
  const judge = async (tried) => {
    if (tried && !choice.value) return void choice.focus();
    const { right: good, known, said, ways } = await ask("predict", { path: run.path, of: "end", answer: choice.value });
    if (tried && known) scored(good);
    asking.querySelector(".answers").replaceWith(tried && known ? verdict(good, said) : shown(said), el("ul", {}, ways.map(([who, path]) => el("li", {}, el("a", { href: `#${path}` }, `a run to an end: ${who}`)))));
  };
  const asking = form("Who leads in the end, as long as no fault happens?", () => judge(true), choice, pair("check", () => judge(false)));
  ask("predict", { path: run.path, of: "end" }).then(({ answers }) => choice.append(el("option", { value: "" }, "choose"), ...answers.map((text) => el("option", {}, text))));
  return asking;
}
