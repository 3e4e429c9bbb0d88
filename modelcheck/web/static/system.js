// The picture of the system: it goes along with each step that is taken, and goes over the run again by itself.

import { Player, Stage } from "/stage.js";
import { by } from "./dom.js";

let stage, player, shown = "";

/** The system at the end of this run. Where one step has been taken since the last time, it is seen to happen. */
export function showSystem(run, take) {
  const box = by("stage"), slider = by("moment");
  const drawing = document.importNode(new DOMParser().parseFromString(run.stage, "image/svg+xml").documentElement, true);
  player?.stop();
  box.replaceChildren(drawing);
  stage = new Stage(drawing);
  for (const body of drawing.querySelectorAll(".body")) offer(body, run, take, (part) => part.process === body.dataset.process);
  for (const letter of drawing.querySelectorAll(".letter")) {
    const { target, port, message } = letter.dataset;
    const inside = letter.querySelector(".paperwork");
    if (!inside.classList.contains("off")) offer(letter, run, take, (part) => part.process === target && part.port === port && part.received === message);
  }
  const further = run.length && run.path.startsWith(shown) && run.path.slice(shown.length).match(/^\d+[a-z]$/);
  stage.jump(further ? stage.last - 1 : stage.last);
  if (further) requestAnimationFrame(() => go(stage.last));
  slider.max = stage.last;
  slider.value = stage.last;
  by("replay").hidden = stage.last === 0;
  shown = run.path;
}

function go(moment) {
  stage.show(moment);
  by("moment").value = moment;
}

/** Lets something in the picture be pressed for the steps that are about it: the one that there is, or else those in the list. */
function offer(thing, run, take, about) {
  const all = run.enabled.filter((step) => step.parts.some(about));
  const own = all.some((step) => !step.fault) ? all.filter((step) => !step.fault) : all;
  if (!own.length) return;
  const press = () => (own.length === 1 ? take(own[0]) : point(own));
  thing.classList.add("can");
  thing.setAttribute("role", "button");
  thing.setAttribute("tabindex", "0");
  const name = thing.querySelector("title").textContent;
  thing.setAttribute("aria-label", own.length === 1 ? `${name}: take its step` : `${name}: ${own.length} steps to choose from`);
  thing.addEventListener("click", press);
  thing.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    press();
  });
}

function point(steps) {
  const takes = new Set(steps.map((step) => step.take));
  const buttons = [...by("steps").querySelectorAll("button.step")];
  const meant = buttons.filter((button) => takes.has(button.dataset.take));
  for (const button of buttons) button.classList.toggle("meant", meant.includes(button));
  meant[0]?.focus();
}

export function prepare() {
  player = new Player(by("play"), by("speed"), () => {
    go(stage.at + 1);
    return stage.at < stage.last;
  });
  by("play").addEventListener("click", () => {
    if (player.playing) return player.stop();
    if (stage.at === stage.last) go(0);
    player.start();
  });
  by("moment").addEventListener("input", () => {
    player.stop();
    go(Number(by("moment").value));
  });
}
