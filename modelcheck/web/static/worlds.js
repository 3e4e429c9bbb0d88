// The dialog in which a world is chosen. The server says what is a world; here it is only put into words and drawn.

import { ask, by, el, svg } from "./dom.js";

let model, leave, picked, chosen, starts;

export function prepare(about, begin) {
  model = about;
  leave = begin;
  by("ids-choice").hidden = model.anonymous;
  by("initiators-choice").hidden = !model.initiators;
  by("root-choice").hidden = !model.rooted;
  by("graph-choice").hidden = model.graphs < 2;
  by("graphs").textContent = `(1 to ${model.graphs}${model.graphs_cut ? ", the first of many" : ""})`;
  by("graph").max = model.graphs;
  by("ports-choice").hidden = !model.any_port_names;
  by("root").replaceChildren(...Array.from({ length: model.n }, (_, k) => el("option", { value: k + 1 }, `p${k + 1}`)));
  for (const id of ["ids", "graph", "ports"]) by(id).addEventListener("input", preview);
  by("root").addEventListener("change", preview);
  by("random").addEventListener("click", async () => fill(await ask("world", { random: 1 })));
  by("cancel").addEventListener("click", () => by("world").close());
  by("world-form").addEventListener("submit", (event) => {
    if (by("begin").disabled) return event.preventDefault();
    const path = chosen.path.replace(/\/0\/$/, `/${starts ? by("starts").value : 0}/`);
    leave(path);
  });
}

export function open(run) {
  starts = run.starts.described.length > 1;
  by("starts-choice").hidden = !starts;
  by("starts").replaceChildren(...run.starts.described.map((text, k) => el("option", { value: k, selected: k === run.starts.chosen }, `${k + 1}. ${text}`)));
  fill(run.world);
  by("world").showModal();
}

function fill(world) {
  by("ids").value = world.identifiers.join(", ");
  by("root").value = world.root ?? 1;
  by("graph").value = world.graph;
  by("ports").value = world.ports;
  by("initiators").replaceChildren(...world.identifiers.map((_, k) => {
    const on = world.initiators.includes(k + 1);
    return el("button", { type: "button", "aria-pressed": String(on), onclick: (e) => {
      e.currentTarget.setAttribute("aria-pressed", String(e.currentTarget.getAttribute("aria-pressed") !== "true"));
      preview();
    } }, `p${k + 1}`);
  }));
  show(world);
}

function written() {
  const parts = [];
  if (!model.anonymous) parts.push(`ids=${by("ids").value.trim().replace(/[\s,]+/g, ",")}`);
  const on = [...by("initiators").children].flatMap((button, k) => (button.getAttribute("aria-pressed") === "true" ? [k + 1] : []));
  if (on.length < model.n) parts.push(`initiators=${on.join(",")}`);
  if (model.rooted) parts.push(`root=${by("root").value}`);
  if (by("graph").value !== "1") parts.push(`graph=${by("graph").value}`);
  if (by("ports").value.trim()) parts.push(`ports=${by("ports").value.trim()}`);
  return parts.join(";") || "-";
}

let turn = 0;
async function preview() {
  const mine = ++turn;
  try {
    const world = await ask("world", { world: written(), typing: 1 });
    if (mine === turn) show(world);
  } catch (error) {
    if (mine !== turn) return;
    by("world-said").textContent = error.message;
    by("begin").disabled = true;
  }
}

function show(world) {
  chosen = world;
  picked = null;
  by("begin").disabled = false;
  by("world-said").textContent = world.broken;
  by("swaps").replaceChildren(...world.identifiers.map((id, k) => el("button", { type: "button", "aria-pressed": "false", "aria-label": `p${k + 1} has identifier ${id}: press two to swap them`, onclick: (e) => swap(k, e.currentTarget) }, el("small", {}, `p${k + 1} `), String(id))));
  draw(world);
}

function swap(place, button) {
  if (picked === null || picked === place) {
    picked = picked === place ? null : place;
    button.setAttribute("aria-pressed", String(picked === place));
    return;
  }
  const ids = [...chosen.identifiers];
  [ids[place], ids[picked]] = [ids[picked], ids[place]];
  by("ids").value = ids.join(", ");
  preview().then(() => by("swaps").children[place]?.focus());
}

/** The processes on a circle, with their links. */
function draw(world) {
  const n = world.identifiers.length;
  const at = (k) => [Math.sin((2 * Math.PI * k) / n), -Math.cos((2 * Math.PI * k) / n)];
  const both = new Set(world.links.map(([a, b]) => `${a} ${b}`));
  const lines = world.links.filter(([a, b]) => a !== b && (a < b || !both.has(`${b} ${a}`))).flatMap(([a, b]) => {
    const [x0, y0] = at(a), [x1, y1] = at(b);
    const long = Math.hypot(x1 - x0, y1 - y0), r = Math.min(0.24, 1.4 / n);
    const [dx, dy] = [(x1 - x0) / long, (y1 - y0) / long];
    const [x, y] = [x1 - dx * r, y1 - dy * r];
    const line = svg("line", { x1: x0, y1: y0, x2: x1, y2: y1 });
    if (both.has(`${b} ${a}`)) return [line];
    return [line, svg("path", { class: "tip", d: `M${x},${y}L${x - dx * 0.1 - dy * 0.05},${y - dy * 0.1 + dx * 0.05}L${x - dx * 0.1 + dy * 0.05},${y - dy * 0.1 - dx * 0.05}Z` })];
  });
  const nodes = world.identifiers.flatMap((id, k) => {
    const [x, y] = at(k), r = Math.min(0.23, 1.3 / n);
    const starts = model.initiators && world.initiators.includes(k + 1);
    return [svg("circle", { cx: x, cy: y, r, class: starts ? "start" : "" }), svg("text", { x, y: y + (id === null ? 0.05 : 0.0) }, id === null ? `p${k + 1}` : String(id)), id === null ? "" : svg("text", { x, y: y + 0.15, class: "who" }, `p${k + 1}`)];
  });
  by("map").replaceChildren(...lines, ...nodes.filter(Boolean));
}
