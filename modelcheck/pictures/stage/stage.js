// The picture of a system led from moment to moment. Report and explorer share this; drawing.py says what stands in the picture.

/** Leads one picture. What is not there at a moment has the class `off`; letters are moved to where they are then. */
export class Stage {
  constructor(svg) {
    this.svg = svg;
    this.last = Number(svg.dataset.last);
    this.things = [...svg.querySelectorAll("[data-shown]")].map((thing) => [thing, spans(thing.dataset.shown)]);
    this.letters = [...svg.querySelectorAll("[data-places]")].map((letter) => [letter, places(letter.dataset.places)]);
  }

  show(moment) {
    this.at = moment;
    for (const [thing, shown] of this.things) thing.classList.toggle("off", !shown.some(([first, last]) => first <= moment && moment <= last));
    for (const [letter, where] of this.letters) {
      const { x, y } = where.findLast(({ since }) => since <= moment);
      letter.style.transform = `translate(${x}px,${y}px)`;
    }
  }

  /** Shows a moment at once, without anything moving there. */
  jump(moment) {
    this.svg.classList.add("still");
    this.show(moment);
    this.svg.getBoundingClientRect(); // the browser takes note of the new places before things may move again
    this.svg.classList.remove("still");
  }
}

/** Goes on by itself, at a pace that can change meanwhile. `step` goes on by one and says whether there is more to come. */
export class Player {
  constructor(button, speed, step) {
    Object.assign(this, { button, speed, step, timer: null });
    speed.addEventListener("change", () => this.timer && this.start());
  }

  get playing() { return this.timer !== null; }

  start() {
    clearInterval(this.timer);
    this.timer = setInterval(() => { if (!this.step()) this.stop(); }, PACE / Number(this.speed.value));
    this.label();
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.label();
  }

  label() {
    this.button.classList.toggle("playing", this.playing);
    this.button.setAttribute("aria-label", this.playing ? "pause" : "play");
    this.button.title = this.playing ? "pause" : "play";
  }
}

const PACE = 1400; // milliseconds a moment
const spans = (text) => text.split(" ").map((span) => span.split("-").map(Number)).map(([first, last = first]) => [first, last]);
const places = (text) => text.split(" ").map((place) => { const [since, x, y] = place.split(/[:,]/).map(Number); return { since, x, y }; });
