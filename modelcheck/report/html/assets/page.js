"use strict";
// What a page does beyond being read: it steps through runs, and copies commands. Without it everything is on the page, too.
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  document.documentElement.classList.add("js");

  class Run {
    constructor(element) {
      this.element = element;
      this.stops = [...element.querySelectorAll(".steps > li")];
      this.svg = element.querySelector(".picture svg");
      this.scroll = element.querySelector(".picture .scroll");
      this.slider = element.querySelector("input");
      this.stage = new Stage(element.querySelector(".stage"));
      this.player = new Player(element.querySelector(".play"), element.querySelector(".speed"), () => { this.on(); return !this.over; });
      this.loop = element.dataset.loop === "" ? null : Number(element.dataset.loop);
      this.last = this.stops.length - 1;
      this.codeOpen = false;
      this.events = new Map([...this.svg.querySelectorAll(".event")].map((g) => [Number(g.id.split("-").pop()), g]));
      this.cursor = document.createElementNS(SVG, "g");
      this.cursor.setAttribute("class", "cursors");
      this.svg.querySelector(".lane").before(this.cursor);
      element.querySelector(".controls").hidden = false;
      element.querySelector(".said").hidden = false;
      this.listen();
      this.explain();
      this.nameLanes();
      this.stage.jump(this.last);
      this.show(this.last);
    }

    get over() { return this.at === this.last && this.loop === null; }

    listen() {
      const does = { first: () => this.go(0), back: () => this.back(), on: () => this.on(), last: () => this.go(this.last), play: () => this.toggle() };
      for (const button of this.element.querySelectorAll("[data-go]")) {
        button.addEventListener("click", () => {
          if (button.dataset.go !== "play") this.stop();
          does[button.dataset.go]();
        });
      }
      this.slider.addEventListener("input", () => { this.stop(); this.go(Number(this.slider.value)); });
      this.stops.forEach((stop, moment) => {
        stop.addEventListener("click", (click) => { if (click.target.closest(".code")) return; click.preventDefault(); this.stop(); this.go(moment); });
      });
      for (const [number, g] of this.events) {
        g.addEventListener("click", () => { this.stop(); this.go(this.momentOf(number)); });
      }
      for (const body of this.stage.svg.querySelectorAll(".body")) body.addEventListener("click", () => this.meet(body.dataset.process));
      for (const letter of this.stage.svg.querySelectorAll(".letter[data-taken]")) {
        letter.addEventListener("click", () => { this.stop(); this.go(Number(letter.dataset.taken)); });
      }
    }

    // Pointing at a sentence lights up what its step follows from, pointing at what fails all that leads to that.
    explain() {
      const reasons = [...this.element.querySelectorAll(".reasons li")].map((item) => [item, new Set(item.dataset.past.split(" ").map(Number))]);
      if (!reasons.length) return;
      const all = new Set(reasons.flatMap(([, past]) => [...past]));
      const failing = [this.element.closest(".counterexample")?.querySelector("h2"), this.svg.querySelector(".reason"), this.element.querySelector(".said")];
      for (const [thing, past] of [...reasons, ...failing.filter(Boolean).map((thing) => [thing, all])]) {
        const wanted = ({ target }) => !thing.matches(".said") || target.closest(".fails");
        for (const kind of ["pointerover", "focusin"]) thing.addEventListener(kind, (event) => this.light(wanted(event) ? past : null));
        for (const kind of ["pointerleave", "focusout"]) thing.addEventListener(kind, () => this.light(null));
      }
      for (const [item] of reasons) {
        item.querySelector("a").addEventListener("click", (click) => { click.preventDefault(); this.stop(); this.go(Number(item.dataset.moment)); });
      }
    }

    light(past) {
      const mark = (g, lit) => { g.classList.toggle("lit", past !== null && lit); g.classList.toggle("unlit", past !== null && !lit); };
      for (const [number, g] of this.events) mark(g, Boolean(past?.has(number)));
      for (const g of this.svg.querySelectorAll(".flight")) {
        const ends = g.dataset.received.split(" ").filter(Boolean).map(Number);
        mark(g, Boolean(past?.has(Number(g.dataset.sent)) && (!ends.length || ends.some((end) => past.has(end)))));
      }
    }

    // The next step of a process; after its last one its first.
    meet(process) {
      const own = [...this.events].filter(([, g]) => g.dataset.process === process).map(([number]) => this.momentOf(number));
      const next = own.find((moment) => moment > this.at) ?? own[0];
      this.stop();
      if (next !== undefined) this.go(next);
    }

    // Where the picture is scrolled down, the names of the lanes stay above it.
    nameLanes() {
      const names = this.svg.cloneNode(false);
      for (const lane of this.svg.querySelectorAll(".lane")) {
        const name = lane.cloneNode(true);
        name.querySelectorAll("line").forEach((line) => line.remove());
        names.append(name);
      }
      const { y, height } = this.svg.querySelector(".lane > rect, .lane > text").getBBox();
      const { x, width } = this.svg.viewBox.baseVal;
      names.setAttribute("viewBox", `${x} ${y - 4} ${width} ${height + 24}`);
      names.removeAttribute("height");
      const holder = document.createElement("div");
      holder.className = "names";
      holder.setAttribute("aria-hidden", "true");
      holder.append(names);
      this.scroll.prepend(holder);
      const hide = () => holder.classList.toggle("away", this.scroll.scrollTop < 40);
      this.scroll.addEventListener("scroll", hide, { passive: true });
      hide();
    }

    momentOf(event) {
      return Math.max(0, this.stops.findIndex((stop) => Number(stop.dataset.done) > event));
    }

    back() { this.go(Math.max(0, this.at - 1)); }

    // The last moment of a loop is the one in which it began.
    on() { this.go(this.at < this.last ? this.at + 1 : this.loop === null ? this.last : this.loop + 1); }

    go(moment) {
      this.show(moment);
      const other = runs.find((run) => run.element.id === this.element.dataset.with);
      if (other) other.show(Number(this.element.dataset.meets.split(" ")[moment]));
      const own = "#" + this.stops[moment].id;
      try { history.replaceState(null, "", own); } catch { /* some browsers refuse that to files */ }
    }

    show(moment) {
      this.at = moment;
      const stop = this.stops[moment];
      const done = Number(stop.dataset.done);
      const now = stop.dataset.events.split(" ").filter(Boolean).map(Number);
      const of = `${stop.dataset.place} of ${this.last}`;
      this.slider.value = moment;
      this.slider.setAttribute("aria-valuetext", `${of}: ${stop.querySelector(".sentence").textContent}`);
      this.element.querySelector("output.place").textContent = of;
      this.stops.forEach((other) => { if (other === stop) other.setAttribute("aria-current", "step"); else other.removeAttribute("aria-current"); });
      const said = this.element.querySelector(".said");
      said.replaceChildren(...[...stop.querySelectorAll(".act, .acts > .code")].map((part) => part.cloneNode(true)));
      for (const code of said.querySelectorAll(".code")) {
        code.open = this.codeOpen;
        code.addEventListener("toggle", () => { this.codeOpen = code.open; });
      }
      this.stage.show(moment);
      this.showStates(moment, now);
      this.showPicture(done, now);
    }

    showStates(moment, now) {
      const acting = new Set(now.map((event) => this.events.get(event)?.dataset.process));
      for (const life of this.element.querySelectorAll(".life")) {
        life.classList.toggle("acting", moment > 0 && acting.has(life.dataset.process));
        for (const version of life.querySelectorAll(".version")) {
          const first = Number(version.dataset.first), last = Number(version.dataset.last);
          version.classList.toggle("now", first <= moment && moment <= last);
          version.classList.toggle("just", first === moment);
        }
      }
    }

    showPicture(done, now) {
      for (const [number, g] of this.events) g.classList.toggle("ahead", number >= done);
      for (const g of this.svg.querySelectorAll(".flight")) g.classList.toggle("ahead", Number(g.dataset.sent) >= done);
      for (const g of this.svg.querySelectorAll(".reason, .said")) g.classList.toggle("ahead", this.at < this.last);
      this.cursor.replaceChildren();
      if (!this.at) this.scroll.scrollTo(0, 0);
      if (!this.at || this.svg.getBoundingClientRect().height === 0) return;
      const boxes = now.map((event) => this.events.get(event)).filter(Boolean).map((g) => (g.querySelector(".dot, .glyph") || g).getBBox());
      if (!boxes.length) return;
      const top = Math.min(...boxes.map((box) => box.y)) - 7, bottom = Math.max(...boxes.map((box) => box.y + box.height)) + 7;
      const band = document.createElementNS(SVG, "rect");
      const { x, width } = this.svg.viewBox.baseVal;
      const place = { class: "cursor", x, width, y: top, height: bottom - top };
      for (const [name, value] of Object.entries(place)) band.setAttribute(name, value);
      this.cursor.append(band);
      this.reveal(band, boxes);
    }

    // Scrolls the box of the diagram, never the page.
    reveal(band, boxes) {
      const box = this.scroll.getBoundingClientRect(), mark = band.getBoundingClientRect();
      const margin = Math.min(90, box.height / 4);
      if (mark.top < box.top + margin) this.scroll.scrollTop += mark.top - box.top - margin;
      else if (mark.bottom > box.bottom - margin) this.scroll.scrollTop += mark.bottom - box.bottom + margin;
      const scale = mark.width / this.svg.viewBox.baseVal.width, aside = Math.min(140, box.width / 3);
      const left = mark.left + boxes[0].x * scale;
      if (left < box.left + aside) this.scroll.scrollLeft += left - box.left - aside;
      else if (left > box.right - aside) this.scroll.scrollLeft += left - box.right + aside;
    }

    toggle() {
      if (this.player.playing) return this.stop();
      if (this.over) this.go(0);
      this.player.start();
    }

    stop() { this.player.stop(); }
  }

  const runs = [...document.querySelectorAll(".run")].map((element) => new Run(element));

  // The run whose keys these are: the one with the focus, else the one in the middle of the window.
  const meant = (target) => {
    const own = runs.find((run) => run.element.contains(target));
    if (own) return own;
    if (target !== document.body && target !== document.documentElement) return null;
    const middle = innerHeight / 2;
    return runs.find((run) => { const box = run.element.getBoundingClientRect(); return box.height && box.top < middle && box.bottom > middle; });
  };

  document.addEventListener("keydown", (press) => {
    if (press.altKey || press.ctrlKey || press.metaKey || press.shiftKey) return;
    if (press.target.closest?.("summary, .scroll")) return; // arrows scroll there
    const run = meant(press.target);
    const does = run && { ArrowLeft: () => run.back(), ArrowRight: () => run.on(), Home: () => run.go(0), End: () => run.go(run.last) }[press.key];
    if (!does || (press.target === document.body && !press.key.startsWith("Arrow"))) return; // there Home and End are the page's
    press.preventDefault();
    run.stop();
    does();
  });

  const show = () => {
    const meant = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    if (!meant) return;
    (meant.closest("details") || meant.querySelector("details"))?.setAttribute("open", "");
    const run = runs.find((each) => each.stops.includes(meant));
    if (run) run.show(Number(meant.dataset.moment));
    (run ? run.element : meant).scrollIntoView();
  };
  // What is shown of a word goes away with Escape, and comes again for the next one.
  addEventListener("keydown", (event) => { if (event.key === "Escape") document.body.classList.add("hush"); });
  for (const again of ["pointerover", "focusin"]) addEventListener(again, (event) => { if (event.target.closest?.(".gloss")) document.body.classList.remove("hush"); });

  addEventListener("hashchange", show);
  show();

  // A folded run has no size before it is opened.
  for (const details of document.querySelectorAll("details")) {
    details.addEventListener("toggle", () => runs.filter((run) => details.contains(run.element)).forEach((run) => run.show(run.at)));
  }
  addEventListener("beforeprint", () => document.querySelectorAll("details:not(.code)").forEach((details) => { details.dataset.was = details.open ? "open" : ""; details.open = true; }));
  addEventListener("afterprint", () => document.querySelectorAll("details:not(.code)").forEach((details) => { details.open = details.dataset.was === "open"; }));

  for (const code of document.querySelectorAll(".command code")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "copy";
    button.setAttribute("aria-label", "copy the command " + code.textContent);
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(code.textContent);
      } catch {
        getSelection().selectAllChildren(code);
        document.execCommand("copy");
      }
      button.textContent = "copied";
      setTimeout(() => { button.textContent = "copy"; }, 1500);
    });
    code.after(button);
  }
})();
