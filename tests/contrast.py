"""Which words of a page are hard to tell from what is behind them."""

from __future__ import annotations

from typing import Any

_FAINT = """() => {
  const parts = (text) => { const n = text.match(/[\\d.]+/g).map(Number), one = text.startsWith("color(") ? 255 : 1; return { colour: n.slice(0, 3).map((v) => v * one), alpha: n[3] ?? 1 }; };
  const over = (top, under) => top.colour.map((v, k) => v * top.alpha + under[k] * (1 - top.alpha));
  const light = (c) => { const [r, g, b] = c.map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4)); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const behind = (e) => {
    const found = [];
    for (; e; e = e.parentElement) { const part = parts(getComputedStyle(e).backgroundColor); found.push(part); if (part.alpha === 1) break; }
    return found.reverse().reduce((under, part) => over(part, under), [255, 255, 255]);
  };
  const found = [];
  for (const e of document.querySelectorAll("body *")) {
    if (e.closest("svg") || e.closest(":disabled") || !e.checkVisibility({ visibilityProperty: true }) || ![...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim())) continue;
    const ink = parts(getComputedStyle(e).color), paper = behind(e);
    for (let up = e; up; up = up.parentElement) ink.alpha *= Number(getComputedStyle(up).opacity);
    const [low, high] = [light(over(ink, paper)), light(paper)].sort((a, b) => a - b);
    found.push([(high + 0.05) / (low + 0.05), e.outerHTML.slice(0, 120)]);
  }
  return found;
}"""


def faint(page: Any) -> list[tuple[float, str]]:
    """What is told from its ground by less than 4.5 to 1, which WCAG 2 AA asks for: the ratio, and the element. Pictures are left out:
    their colours are tried one by one. Raises AssertionError where there are no words."""
    found = [(ratio, told) for ratio, told in page.evaluate(_FAINT)]
    assert len(found) > 20
    return [(ratio, told) for ratio, told in found if ratio < 4.5]
