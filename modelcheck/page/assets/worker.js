// Python, beside the page: it takes a protocol and the options of the form, and gives a report. To end a run is to end the worker.

import { loadPyodide } from "./pyodide/pyodide.mjs";

const ready = (async () => {
  postMessage({ state: "loading Python …" });
  const [python, archive] = await Promise.all([
    loadPyodide({ indexURL: new URL("./pyodide/", import.meta.url).href, stdout: (line) => postMessage({ printed: line }), stderr: (line) => postMessage({ printed: line }) }),
    fetch("modelcheck.zip").then((answer) => answer.arrayBuffer()),
  ]);
  python.unpackArchive(archive, "zip", { extractDir: "/lib/modelcheck" });
  python.runPython("import sys; sys.path.insert(0, '/lib/modelcheck'); from modelcheck.page import inside; inside.prepare(); import modelcheck; modelcheck.check");
  postMessage({ state: "ready" });
  return python;
})();
ready.catch((error) => postMessage({ failed: String(error) }));

onmessage = async ({ data }) => {
  const python = await ready;
  try {
    postMessage({ answer: JSON.parse(python.pyimport("modelcheck.page.inside").checked(JSON.stringify(data))) });
  } catch (error) {
    postMessage({ failed: String(error.message ?? error) });
  }
};
