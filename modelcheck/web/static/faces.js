// What the page shows of a run: the diagram, the steps, the processes, the properties. Nothing here decides anything.

import { ask, by, count, el } from "./dom.js";

export const KEYS = "123456789abcdefghijklmnopqrstuvwxyz";
const FEW_FAULTS = 3;
const MANY = 15;
let faultsOpen = null; // as it was left
const openSnippets = new Set();

// --- in words --------------------------------------------------------------------------------------------------

function received(part) {
  if (!part.received) return "";
  return `${part.kind === "receive" ? "receives " : ""}${part.received}${part.source ? ` from ${part.source}` : ""}`;
}

/** "chooses p2", "draws 1 (1/3)": of a step that does both first what it chooses. */
export const decisions = (part) => part.decided.map(([verb, values]) => `${verb} ${values.join(", ")}`);
const reads = (part) => (part.reads.length ? [`reads ${part.reads.join(", ")}`] : []);

export function sentence(part) {
  const words = [part.process, part.step];
  if (part.received) words.push(`(${received(part)})`);
  words.push(...decisions(part), ...reads(part));
  const rest = [...part.sent.map((s) => `sends ${s.message} to ${s.to}`), ...part.changed.map(([n, a, b]) => `${n}: ${a} → ${b}`)];
  if (part.failure) rest.push(`fails: ${part.failure}`);
  return words.join(" ") + (rest.length ? `; ${rest.join("; ")}` : "");
}

export function nameOf(part) {
  if (part.kind === "suspect") return `${part.source} wrongly suspects ${part.process}`;
  if (part.fault && part.received) return `${part.received} from ${part.source} ${part.said}`;
  if (part.fault) return part.said;
  return part.step;
}

/** What a step will do, line by line. */
function does(part, step, several) {
  if (several) return [el("span", { class: "does" }, el("b", { class: "name" }, `${part.process} `), nameOf(part), part.received ? [": receives ", el("b", {}, part.received)] : "",
    ...decisions(part).map((words) => `, ${words}`), part.sent.length ? [", sends ", el("b", {}, part.sent.map((s) => `${s.message} to ${s.to}`).join(", "))] : "",
    part.changed.length ? [", ", el("i", {}, part.changed.map(([name, before, after]) => `${name}: ${before} → ${after}`).join(", "))] : "",
    part.failure ? el("span", { class: "warn" }, `✗ fails: ${part.failure}`) : "")];
  const lines = [];
  if (!part.fault && part.received) lines.push(el("span", { class: "does" }, "receives ", el("b", {}, part.received), part.source ? ` from ${part.source}` : ""));
  for (const words of reads(part)) lines.push(el("span", { class: "does" }, words));
  for (const words of decisions(part)) lines.push(el("span", { class: "does" }, words));
  if (part.sent.length) {
    lines.push(el("span", { class: "does" }, "sends ", part.sent.flatMap((s, k) => [k ? ", " : "", el("b", {}, s.message), ` to ${s.to}${s.across ? ` (${s.across})` : ""}`])));
  }
  for (const [name, before, after] of part.changed) lines.push(el("span", { class: "does" }, el("i", {}, `${name}: ${before} → ${after}`)));
  if (part.failure) lines.push(el("span", { class: "warn" }, `✗ fails: ${part.failure}`));
  return lines;
}

// --- the diagram -----------------------------------------------------------------------------------------------

export function showDiagram(run, go) {
  const box = by("diagram");
  const parsed = new DOMParser().parseFromString(run.svg, "image/svg+xml").documentElement;
  const drawing = document.importNode(parsed, true);
  for (const event of drawing.querySelectorAll(".event")) {
    const after = run.first_events[Number(event.id.slice("event-".length))];
    if (after !== undefined) event.addEventListener("click", () => go(after));
  }
  box.replaceChildren(drawing);
  fit(box, drawing);
  nameLanes(box, drawing);
  by("told").replaceChildren(
    ...run.told.map((parts, k) =>
      el("li", {}, el("a", { href: "#", "data-step": k + 1, "aria-current": k + 1 === run.told.length && "step", onclick: (e) => (e.preventDefault(), go(k + 1)) }, parts.map(sentence).join(" · ")))),
  );
}

/** As large as there is room, never too small to read; the last step is in sight. */
function fit(box, drawing) {
  const [width, height] = [Number(drawing.getAttribute("width")), Number(drawing.getAttribute("height"))];
  const pictures = box.parentElement, beside = 22 * parseFloat(getComputedStyle(document.documentElement).fontSize);
  pictures.classList.toggle("wide", 0.85 * width > pictures.clientWidth - beside); // then the system stands above it
  const scale = Math.min(1, Math.max(0.72, (box.clientWidth - 2) / width));
  drawing.setAttribute("width", width * scale);
  drawing.setAttribute("height", height * scale);
  box.scrollTop = box.scrollHeight;
  const dots = drawing.querySelectorAll(".event .dot, .event .glyph");
  if (!dots.length || width * scale <= box.clientWidth) return;
  const last = dots[dots.length - 1].getBoundingClientRect(), frame = box.getBoundingClientRect();
  box.scrollLeft += last.left - frame.left - box.clientWidth / 2;
}

/** Where the diagram is scrolled down, the names of the lanes stay above it. */
function nameLanes(box, drawing) {
  const names = drawing.cloneNode(false);
  for (const lane of drawing.querySelectorAll(".lane")) {
    const name = lane.cloneNode(true);
    name.querySelectorAll("line").forEach((line) => line.remove());
    names.append(name);
  }
  const { y, height } = drawing.querySelector(".lane > rect").getBBox();
  const { x, width } = drawing.viewBox.baseVal;
  const scale = Number(drawing.getAttribute("width")) / width;
  names.setAttribute("viewBox", `${x} ${y - 4} ${width} ${height + 24}`);
  names.setAttribute("height", (height + 24) * scale);
  const holder = el("div", { class: "names", "aria-hidden": "true" }, names);
  box.prepend(holder);
  box.onscroll = () => holder.classList.toggle("away", box.scrollTop < (y - drawing.viewBox.baseVal.y) * scale);
  box.onscroll();
}

export function showEnding(run, go) {
  const box = by("ending");
  box.replaceChildren();
  if (run.failure && run.failure.traceback.length > 1) {
    box.append(el("div", { class: "ending" }, el("b", {}, `${run.failure.process} ${run.failure.step} fails: `), run.failure.sentence,
      run.failure.where && el("div", {}, el("code", {}, run.failure.where)),
      el("details", {}, el("summary", {}, "Traceback of the model’s code"), el("pre", {}, run.failure.traceback.join("\n")))));
  } else if (run.loop !== null) {
    box.append(el("div", { class: "ending" }, el("b", {}, "This run never ends: "), `the steps after the ${run.loop === 0 ? "beginning" : `${run.loop}${["th", "st", "nd", "rd"][run.loop % 10 < 4 && ![11, 12, 13].includes(run.loop % 100) ? run.loop % 10 : 0]}`} repeat for ever. Go back to leave the loop.`));
  } else if (run.ended && !run.reason) {
    box.append(el("div", { class: "ending good" }, el("b", {}, "The end. "), "No step is enabled that would change anything, and nothing is violated here."));
  }
  if (run.why.length) {
    box.append(el("details", { class: "why" }, el("summary", {}, "Why: from here back to its roots"),
      el("ol", {}, run.why.map(([step, words]) => el("li", { value: step }, el("a", { href: "#", onclick: (e) => (e.preventDefault(), go(step)) }, words))))));
  }
}

// --- the steps -------------------------------------------------------------------------------------------------

export function showSteps(run, take) {
  const box = by("steps");
  by("press").hidden = false;
  box.replaceChildren();
  const usual = run.enabled.filter((step) => !step.fault);
  const faults = run.enabled.filter((step) => step.fault);
  by("how-many").textContent = run.enabled.length || run.more ? `${run.more ? "more than " : ""}${count(run.enabled.length, run.unit === "round" ? "way" : "step")}` : "";
  by("filter").hidden = run.enabled.length <= MANY;
  if (run.trouble) box.append(troubled(run.trouble));
  if (!run.enabled.length && !run.trouble) {
    box.append(el("p", { class: "nothing" }, run.loop !== null ? "The run repeats its loop for ever." : run.failure ? "A run ends where a step fails." : "Nothing: no step is enabled. The run has come to its end."));
  }
  const keys = [...KEYS];
  const taking = new Map();
  for (const [name, steps] of grouped(usual, (step) => step.label)) {
    box.append(el("div", { class: "group", role: "group", "aria-label": name || "the next round" }, el("h3", {}, heading(name)), ...steps.map((step) => offer(run, step, keys.shift(), take, taking))));
  }
  if (faults.length) {
    const open = faultsOpen ?? (faults.length <= FEW_FAULTS || !usual.length);
    const inside = open ? [...grouped(faults, (step) => step.label)].flatMap(([name, steps]) => [el("h3", {}, heading(name)), ...steps.map((step) => offer(run, step, keys.shift(), take, taking))]) : [];
    const kinds = [...new Set(faults.map((step) => step.parts[0].step))].join(", ");
    const folded = el("details", { class: "group fault", open }, el("summary", {}, `Faults: ${count(faults.length, "step")} (${kinds})`), ...inside);
    folded.addEventListener("toggle", () => {
      if (folded.open === open) return;
      faultsOpen = folded.open;
      const focused = folded.contains(document.activeElement);
      showSteps(run, take).forEach((value, key) => taking.set(key, value));
      if (focused) by("steps").querySelector(".fault summary")?.focus();
    });
    box.append(folded);
  }
  return taking;
}

function grouped(steps, name) {
  const found = new Map();
  for (const step of steps) found.set(name(step), [...(found.get(name(step)) ?? []), step]);
  return found;
}

function heading(label) {
  const [name, rest] = label.split(" (");
  return label === "" ? [el("b", {}, "all processes at once")] : [el("b", {}, label.startsWith("p") ? name : label), label.startsWith("p") && rest ? el("span", {}, ` (${rest}`) : ""];
}

function offer(run, step, key, take, taking) {
  if (key) taking.set(key, () => take(step));
  const several = step.parts.length > 1 || run.unit === "round" || step.process === "";
  const title = several ? (step.parts.length ? `round${chosen(step)}` : "round in which nothing is received") : nameOf(step.parts[0]);
  const wrong = step.fails || step.breaks.length > 0;
  const button = el("button", { type: "button", class: `step${wrong ? " wrong" : ""}`, "data-take": step.take, "aria-keyshortcuts": key, onclick: () => take(step) },
    el("span", {}, key ? el("kbd", { "aria-hidden": "true" }, key) : ""),
    el("span", {}, el("span", { class: "name" }, title), ...step.parts.flatMap((part) => does(part, step, several)),
      step.same && el("span", { class: "does" }, "changes nothing"),
      step.breaks.map((name) => el("span", { class: "warn" }, `✗ breaks ${name}`))));
  const row = el("div", { class: "offer" }, button);
  if (step.code) {
    const path = run.path + step.take;
    const more = el("button", { type: "button", class: "small codebutton", "aria-expanded": "false", "aria-label": `code of ${title}, ${step.code}`, title: `What the code would do: ${step.code}` }, "code");
    const where = el("div", { class: "snippet", hidden: true });
    const show = async () => {
      where.hidden = false;
      more.setAttribute("aria-expanded", "true");
      await showCode(where, path);
    };
    more.addEventListener("click", () => (where.hidden ? show() : ((where.hidden = true), more.setAttribute("aria-expanded", "false"))));
    row.append(more, where);
  }
  return row;
}

/** What tells this round from the others that are possible. */
function chosen(step) {
  const chosen = step.parts.filter((part) => part.decided.length).map((part) => `${part.process} ${decisions(part).join(", ")}`);
  return chosen.length ? `: ${chosen.join(", ")}` : "";
}

function troubled(trouble) {
  return el("div", { class: "trouble" }, el("b", {}, "The model’s code is at fault: "), trouble.what,
    [["where", trouble.where], ["process", trouble.process], ["step", trouble.step], ["likely cause", trouble.cause], ["what to do", trouble.remedy]]
      .filter(([, text]) => text).map(([name, text]) => el("div", {}, `${name}: `, el("code", {}, text))),
    trouble.traceback.length > 1 && el("pre", {}, trouble.traceback.join("\n")));
}

/** Narrows the steps to those with these words in them. */
export function filterSteps(words) {
  for (const row of by("steps").querySelectorAll(".offer")) row.hidden = !words.toLowerCase().split(/\s+/).every((word) => row.textContent.toLowerCase().includes(word));
}

// --- code ------------------------------------------------------------------------------------------------------

export async function showCode(box, path) {
  const snippets = await ask("code", { path }).catch((error) => [{ name: error.message, file: "", line: "", lines: [] }]);
  if (!snippets.length) {
    box.replaceChildren(el("p", {}, "No code of the model: this is a fault, or nothing has happened yet."));
    return;
  }
  const marked = snippets.some((snippet) => snippet.lines.some((line) => line.ran));
  box.replaceChildren(...snippets.flatMap((snippet) => [
    el("p", {}, el("b", {}, `${snippet.file}:${snippet.line}`), marked ? "  marked: the lines that run" : ""),
    el("ol", {}, snippet.lines.map((line) => el("li", { "data-number": line.number, class: line.ran && "ran" }, line.text || " "))),
  ]));
}

// --- the state and the properties ------------------------------------------------------------------------------

export function showProcesses(run) {
  const cards = run.processes.map((process) =>
    el("article", { class: `process${process.acted ? " acted" : ""}${process.crashed ? " crashed" : ""}`, "data-process": process.name },
      el("h3", {}, process.name, process.id !== null && el("span", {}, `id ${process.id}`),
        process.leads && el("span", { class: "tag" }, "leads"), process.crashed && el("span", { class: "tag down" }, "crashed"),
        process.root && el("span", { class: "tag plain" }, "root"),
        run.world.initiators.length < run.processes.length && process.initiator && el("span", { class: "tag plain" }, "may start")),
      el("dl", {}, process.fields.flatMap(([name, value, changed]) => [el("dt", {}, name), el("dd", { class: `value${changed ? " changed" : ""}` }, value)])),
      el("ul", { class: "inbox" }, inbox(process))));
  if (run.shared.length) cards.unshift(el("article", { class: "process shared" }, el("h3", {}, "shared"), el("dl", {}, run.shared.flatMap(([name, value, changed]) => [el("dt", {}, name), el("dd", { class: `value${changed ? " changed" : ""}` }, value)]))));
  if (run.blocks.includes("|")) cards.unshift(el("article", { class: "process shared" }, el("h3", {}, "The network is split"), el("p", { class: "value" }, run.blocks)));
  by("processes").replaceChildren(...cards);
}

function inbox(process) {
  const rows = process.ports.flatMap(({ port }) => [...grouped(process.waiting.filter((waiting) => waiting.port === port), (waiting) => waiting.from)].map(([from, there]) => [port, from, there]));
  if (!rows.length) return [el("li", { class: "from" }, "inbox empty")];
  return rows.map(([port, from, there]) => el("li", { title: `port ${port}` }, el("span", { class: "from" }, `waits from ${from}: `), there.map((w) => el("span", { class: `letter value${w.held ? " held" : ""}` }, w.message + (w.held ? " (held)" : "")))));
}

const MARKS = { holds: "✓", fails: "✗", later: "○", unknown: "?" };
const SORTS = { always: "in every state", "every step": "of every step", "at the end": "at every end", eventually: "in every run, once", "eventually always": "in every run, from some state on", "always eventually": "in every run, again and again", "leads to": "in every run, each time", terminates: "of every run" };

export function showProperties(run, { go, find }) {
  const implicit = (property) => !(property.kind in SORTS);
  const own = run.properties.filter((property) => !implicit(property) || property.here === "fails");
  const quiet = run.properties.filter((property) => implicit(property) && property.here !== "fails");
  by("properties").replaceChildren(...own.map((property) => {
    const before = property.failed !== null && property.failed < run.length;
    return el("li", { class: property.here, "data-property": property.name, "data-here": property.here },
      el("span", { class: "mark", "aria-hidden": "true" }, MARKS[property.here]),
      el("span", {}, el("b", {}, property.name.replaceAll("_", " ")), " ", el("span", { class: "note" }, property.note),
        property.reason && el("span", { class: "note" }, `: ${property.reason} `),
        before && el("button", { type: "button", class: "small", onclick: () => go(property.failed) }, "go there"),
        el("span", { class: "claim" }, `${property.claim} ${SORTS[property.kind] ? `(${SORTS[property.kind]})` : ""}`)),
      property.kind in SORTS && el("button", { type: "button", class: "small", title: "Look for the nearest run that breaks this", "aria-label": `look for a run that breaks ${property.name}`, onclick: () => find(property.name) }, "try to break"));
  }), ...(quiet.length === 3 ? [el("li", { class: "holds" }, el("span", { class: "mark", "aria-hidden": "true" }, "✓"), el("span", { class: "claim" }, "No step has failed, and every message has a step that receives it, so far."))] : []));
}
