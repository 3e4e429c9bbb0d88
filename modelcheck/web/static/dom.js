// Building the page out of text, never out of markup: whatever a model prints stays text.

export const by = (id) => document.getElementById(id);

/** An element with its attributes (on... are listeners) and children; false and null are left out. */
export function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  set(made, attributes);
  made.append(...children.flat().filter((child) => child !== null && child !== false && child !== undefined && child !== ""));
  return made;
}

export function svg(tag, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  set(made, attributes);
  made.append(...children);
  return made;
}

function set(made, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
}

/** What the server says; where it refuses, an Error with its sentence, and all it said as `data`. */
export async function ask(what, query = {}) {
  let response;
  try {
    response = await fetch(`/api/${what}?${new URLSearchParams(query)}`);
  } catch {
    throw new Error("The server does not answer. It may have been ended with Ctrl-C: start it again and reload this page.");
  }
  const data = await response.json().catch(() => ({ error: `the server answered ${response.status}` }));
  if (!response.ok || data.error) throw Object.assign(new Error(data.error), { data });
  return data;
}

export const count = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
