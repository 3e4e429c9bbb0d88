"""The server behind `modelcheck explore`: a page, and what it asks for. It answers only this machine, and remembers nothing.

Every request carries the whole run, so any number of browsers can look at once. A page of another site cannot ask: its Host is
another (DNS rebinding), or its Origin is, or the browser says that it is not of this site. There is nothing to write: steps are
taken by asking for another run.
"""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, TypeVar

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from ..check.request import SEARCH_LIMITS
from ..errors import ModelcheckError, ModelError, UsageError
from ..explore.limits import Limits
from ..pictures.stage import colours
from ..pictures.style import stylesheet
from . import comparing, faces, paths, predicting
from .code import code_of
from .conditions import ConditionError
from .meaning import condition
from .searching import Searching, wanted
from .subject import Subject

STATIC = Path(__file__).parent / "static"
MOST_SEARCHES = 4
LONGEST_ADDRESS = 32_000
PATIENCE = 20.0  # seconds that a step of the model may take
HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
# It says itself, by its digest, which script it may run.
OF_A_REPORT = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
Answer = TypeVar("Answer")


def application(subject: Subject, hosts: frozenset[str], limits: Limits = SEARCH_LIMITS) -> ASGIApp:
    """The application for requests to these hosts, as `name:port`. Searches stop at the limits."""
    return RequestGuard(Starlette(routes=_Pages(subject, limits).routes()), hosts)


class RequestGuard:
    """Refuses whatever comes from elsewhere, and puts the headers on that keep pages apart."""

    def __init__(self, app: ASGIApp, hosts: frozenset[str]) -> None:
        self.app, self.hosts = app, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return

        async def with_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                present = {name.lower() for name, _ in message["headers"]}
                extra = [(k.encode(), v.encode()) for k, v in HEADERS.items() if k.encode() not in present]
                message = {**message, "headers": [*message["headers"], *extra]}
            await send(message)

        refusal = self._refusal(Request(scope))
        await (refusal or self.app)(scope, receive, with_headers)

    def _refusal(self, request: Request) -> Response | None:
        given = request.headers.get("host", "").lower()
        if given not in self.hosts:
            return _error(f"this server answers to {' and '.join(sorted(self.hosts))}, not to {given[:80]!r}", 403)
        origin = request.headers.get("origin")
        if origin is not None and origin.lower() not in {f"http://{host}" for host in self.hosts}:
            return _error(f"pages of {origin[:80]!r} have no business here", 403)
        site = request.headers.get("sec-fetch-site", "none")
        if site not in ("none", "same-origin") and request.url.path != "/":
            return _error("pages of other sites have no business here", 403)
        if request.method not in ("GET", "HEAD"):
            return _error("there is nothing to write here: everything is asked for with GET", 405)
        if len(request.url.query) > LONGEST_ADDRESS:
            return _error("this address is too long", 414)
        return None


class _Pages:
    """What can be asked for."""

    def __init__(self, subject: Subject, limits: Limits) -> None:
        self.subject, self.limits = subject, limits
        self.searches: set[Searching] = set()

    def routes(self) -> list[Route | Mount]:
        return [
            Route("/", self.page),
            Route("/diagram.css", self.style),
            Route("/stage.js", self.script),
            Route("/beside", self.beside),
            Route("/api/model", self.model),
            Route("/api/run", self.run),
            Route("/api/world", self.world),
            Route("/api/code", self.code),
            Route("/api/condition", self.condition),
            Route("/api/predict", self.predict),
            Route("/api/search", self.search),
            Mount("/static", StaticFiles(directory=STATIC)),
        ]

    async def page(self, request: Request) -> Response:
        return Response((STATIC / "index.html").read_bytes(), media_type="text/html")

    async def style(self, request: Request) -> Response:
        return Response(stylesheet() + colours.stylesheet(), media_type="text/css")

    async def script(self, request: Request) -> Response:
        """What moves the picture of the system; reports have it too."""
        return Response(colours.SCRIPT.read_bytes(), media_type="text/javascript")

    async def model(self, request: Request) -> Response:
        return await _answered(lambda: faces.model(self.subject) | comparing.offered(self.subject))

    async def run(self, request: Request) -> Response:
        path = request.query_params.get("path", "")
        return await _answered(lambda: faces.run(self.subject, paths.read(self.subject, path)))

    async def code(self, request: Request) -> Response:
        path = request.query_params.get("path", "")
        return await _answered(lambda: code_of(self.subject, paths.read(self.subject, path)))

    async def beside(self, request: Request) -> Response:
        """The run beside the same schedule in another protocol: a report's page, which brings its style and its one script with it."""
        path, other = request.query_params.get("path", ""), request.query_params.get("with", "")
        try:
            document = await _in_thread(lambda: comparing.page(self.subject, paths.read(self.subject, path), other))
        except Exception as error:
            return _refused(error)
        return Response(document, media_type="text/html", headers={"content-security-policy": OF_A_REPORT})

    async def world(self, request: Request) -> Response:
        text = request.query_params.get("world", "")
        if "random" in request.query_params:
            return await _answered(lambda: faces.world(self.subject, self.subject.at_random()))
        return await _answered(lambda: faces.world(self.subject, self.subject.read(text or "-")), request)

    async def condition(self, request: Request) -> Response:
        """Whether a condition can be read, and holds in the state a path leads to."""
        text, path = request.query_params.get("text", ""), request.query_params.get("path", "")

        def judged() -> dict[str, bool]:
            run = paths.read(self.subject, path)
            return {"holds": condition(text, self.subject.system, run.world)(run.state)}

        return await _answered(judged, request)

    async def predict(self, request: Request) -> Response:
        """What can be predicted there; with an answer, what is to be said of it."""
        query = request.query_params
        of, path = query.get("of", ""), query.get("path", "")

        def found() -> dict[str, Any]:
            run = paths.read(self.subject, path)
            if "answer" in query:
                return predicting.judged(self.subject, run, of, query["answer"])
            return predicting.asked(self.subject, run, of)

        return await _answered(found)

    async def search(self, request: Request) -> Response:
        """A search as it goes: lines of JSON, first its progress, at last its answer. To go away is to cancel it."""
        query = request.query_params
        if sum(not search.over.is_set() for search in self.searches) >= MOST_SEARCHES:
            return _error(f"{MOST_SEARCHES} searches are going on already: stop one of them", 429)
        try:
            asked = await _in_thread(
                lambda: wanted(
                    self.subject, query.get("kind", ""), query.get("path", ""), here=query.get("from") == "here",
                    named=query.get("property", ""), text=query.get("text", ""),
                )
            )  # fmt: skip
        except Exception as error:
            return _refused(error)
        return StreamingResponse(self._lines(request, asked), media_type="application/x-ndjson")

    async def _lines(self, request: Request, asked: Any) -> AsyncIterator[str]:
        search = Searching(self.subject, asked, self.limits)
        self.searches.add(search)
        try:
            pause = 0.02
            while not search.over.is_set():
                if await request.is_disconnected():
                    return
                yield json.dumps({"progress": search.progress}) + "\n"
                await asyncio.sleep(pause)
                pause = min(0.25, pause * 1.5)
            yield json.dumps({"answer": search.answer}) + "\n"
        finally:
            search.cancel()
            self.searches.discard(search)


async def _answered(work: Callable[[], Any], request: Request | None = None) -> Response:
    """What the work comes to. Of what is being typed (`typing=1`) an error is an answer like any other: it is not finished yet."""
    try:
        return JSONResponse(await _in_thread(work))
    except Exception as error:
        refused = _refused(error)
        if request is not None and "typing" in request.query_params and refused.status_code == 400:
            refused.status_code = 200
        return refused


def _refused(error: Exception) -> Response:
    """An error in a sentence, with the status that belongs to it."""
    if isinstance(error, ConditionError):
        return _error(str(error), 400, at=error.at)
    if isinstance(error, UsageError):
        return _error(str(error), 400)
    if isinstance(error, ModelError):
        return _error(
            f"the model's code is at fault: {error.what}", 422, where=error.where, traceback=list(error.traceback)
        )
    if isinstance(error, (ModelcheckError, MemoryError, RecursionError)):
        return _error(str(error) or type(error).__name__, 422)
    if isinstance(error, TimeoutError):
        return _error(f"a step of the model did not end within {PATIENCE:g} seconds", 422)
    raise error


def _error(sentence: str, status: int, **more: Any) -> Response:
    return JSONResponse({"error": sentence, **more}, status)


async def _in_thread(work: Callable[[], Answer]) -> Answer:
    """Does the work in a daemon thread: where the model's code never returns, the server still does, and ends when it is told."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Answer] = loop.create_future()

    def tell(setter: Callable[[Any], None], value: Any) -> None:
        if not done.done():
            setter(value)

    def working() -> None:
        try:
            setter, value = done.set_result, work()
        except StopIteration as error:  # which a future refuses
            setter, value = done.set_exception, RuntimeError(str(error))  # type: ignore[assignment]
        except BaseException as error:
            setter, value = done.set_exception, error  # type: ignore[assignment]
        if not loop.is_closed():
            loop.call_soon_threadsafe(tell, setter, value)

    threading.Thread(target=working, daemon=True).start()
    return await asyncio.wait_for(done, PATIENCE)


# --- serving ---------------------------------------------------------------------------------------------------------


class _Server(uvicorn.Server):
    """Ends at the first Ctrl-C, whoever is still connected."""

    def handle_exit(self, sig: int, frame: Any) -> None:
        self.should_exit = self.force_exit = True


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens there; port 0 is any that is free. Raises UsageError where it cannot."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    opened = socket.socket(family, socket.SOCK_STREAM)
    try:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.bind((host, port))
        opened.listen(64)
    except (OSError, OverflowError) as error:
        opened.close()
        why = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"cannot listen on {host} port {port}: {why}; leave out --port for one that is free") from None
    return opened


def hosts_of(host: str, port: int) -> frozenset[str]:
    """The names under which a browser on this machine, or at the given address, asks for the page."""
    names = {"127.0.0.1", "localhost", "[::1]", f"[{host}]" if ":" in host else host.lower()}
    if host in ("0.0.0.0", "::"):  # whoever asks for that is told what it means
        names |= {socket.gethostname().lower(), *_own_addresses()}
    ports = [f":{port}", ""] if port == 80 else [f":{port}"]
    return frozenset(name + suffix for name in names for suffix in ports)


def _own_addresses() -> set[str]:
    import psutil

    found = (address for addresses in psutil.net_if_addrs().values() for address in addresses)
    return {address.address for address in found if address.family == socket.AF_INET}


def server_of(app: ASGIApp) -> uvicorn.Server:
    """The server, not running yet. It says nothing, and keeps nobody waiting at its end."""
    config = uvicorn.Config(
        app, log_level="critical", access_log=False, lifespan="off", timeout_graceful_shutdown=1, server_header=False,
        h11_max_incomplete_event_size=2 * LONGEST_ADDRESS, ws="none", http="h11", loop="asyncio",
    )  # fmt: skip
    return _Server(config)


def serve(app: ASGIApp, opened: socket.socket) -> None:
    """Serves until Ctrl-C."""
    server_of(app).run(sockets=[opened])
