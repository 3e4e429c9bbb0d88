"""What the server answers, and whom it does not."""

from __future__ import annotations

import json
from typing import Any

import pytest
from starlette.testclient import TestClient

from modelcheck import check
from modelcheck.explore.limits import Limits
from modelcheck.web import server
from modelcheck.web.subject import subject_of

from ..conftest import Write
from ..report.kept_runs import TURNS

HOSTS = server.hosts_of("127.0.0.1", 8000)
HERE = "http://127.0.0.1:8000"


def client_of(model: str, limits: Limits | None = None, **options: Any) -> TestClient:
    app = server.application(subject_of(model, **options), HOSTS, *([limits] if limits else []))
    return TestClient(app, base_url=HERE)


@pytest.fixture(scope="module")
def client() -> TestClient:
    return client_of("chang_roberts", n=3)


def answer(client: TestClient, **query: Any) -> dict[str, Any]:
    """The last word of a search."""
    response = client.get("/api/search", params=query)
    assert response.status_code == 200, response.text
    found: dict[str, Any] = json.loads(response.text.strip().split("\n")[-1])["answer"]
    return found


def walked(client: TestClient, steps: int) -> dict[str, Any]:
    shown: dict[str, Any] = client.get("/api/run").json()
    for _ in range(steps):
        shown = client.get("/api/run", params={"path": shown["path"] + shown["enabled"][0]["take"]}).json()
    return shown


# --- whom it answers -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "host", ["example.org", "example.org:8000", "127.0.0.1:9999", "127.0.0.1", "", "localhost.evil:8000"]
)
def test_a_foreign_host_is_refused(host: str, client: TestClient) -> None:
    response = client.get("/api/run", headers={"host": host})
    assert response.status_code == 403
    assert "answers to" in response.json()["error"]


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost:8000", "LOCALHOST:8000", "[::1]:8000"])
def test_this_machine_under_its_names_is_not(host: str, client: TestClient) -> None:
    assert client.get("/api/run", headers={"host": host}).status_code == 200


@pytest.mark.parametrize("origin", ["http://example.org", "null", "https://127.0.0.1:8000", "http://127.0.0.1:9999"])
def test_a_foreign_origin_is_refused(origin: str, client: TestClient) -> None:
    assert client.get("/api/run", headers={"origin": origin}).status_code == 403


def test_a_picture_on_a_page_of_another_site_starts_no_search(client: TestClient) -> None:
    foreign = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"}
    assert client.get("/api/search", params={"kind": "violation"}, headers=foreign).status_code == 403
    assert client.get("/", headers=foreign).status_code == 200  # a link to the page works


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_there_is_nothing_to_write(method: str, client: TestClient) -> None:
    assert client.request(method, "/api/run").status_code == 405


def test_every_answer_forbids_what_the_page_does_not_need(client: TestClient) -> None:
    for path in ("/", "/api/run", "/static/explorer.js", "/api/run?path=x", "/diagram.css"):
        headers = client.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "path", ["/static/../server.py", "/static/%2e%2e/server.py", "/static//etc/passwd", "/etc/passwd", "/api"]
)
def test_it_serves_nothing_but_its_own_files(path: str, client: TestClient) -> None:
    assert client.get(path).status_code == 404


# --- bad requests ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("what", "query", "why"),
    [
        ("run", {"path": "nonsense"}, "not one of a run"),
        ("run", {"path": "1/chang_roberts+--n+3/ids=3,1/0/"}, "3 processes need 3 identifiers"),
        ("run", {"path": "1/bully+--n+3/ids=1,2,3/0/"}, "modelcheck explore bully --n 3"),
        ("run", {"path": "1/chang_roberts+--n+3/ids=1,2,3/0/77a"}, "cannot be taken"),
        ("world", {"world": "ids=1,2"}, "3 identifiers"),
        ("world", {"world": "ids=a,b,c"}, "positive numbers"),
        ("world", {"world": "colour=red"}, "no 'colour'"),
        ("condition", {"text": "p1.leader = 3"}, "write =="),
        ("search", {"kind": "condition", "text": "leder == 3"}, "nothing called leder"),
        ("search", {"kind": "condition"}, "there is no condition"),
        ("search", {"kind": "everything"}, "one can look for"),
        ("search", {"kind": "violation", "property": "agrement"}, "did you mean agreement"),
        ("search", {"kind": "terminal", "path": "x"}, "not one of a run"),
        ("code", {"path": "x"}, "not one of a run"),
    ],
)
def test_a_bad_request_is_answered_with_a_sentence(
    what: str, query: dict[str, str], why: str, client: TestClient
) -> None:
    response = client.get(f"/api/{what}", params=query)
    assert response.status_code == 400
    assert why in response.json()["error"]


def test_an_error_in_a_condition_has_its_place_and_while_typing_it_is_no_failure(client: TestClient) -> None:
    assert client.get("/api/condition", params={"text": "p1.leder"}).json()["at"] == 3
    typing = client.get("/api/condition", params={"text": "p1.leder", "typing": 1})
    assert typing.status_code == 200
    assert typing.json()["at"] == 3


def test_an_address_without_end_is_refused(client: TestClient) -> None:
    assert client.get("/api/run", params={"path": "x" * 40_000}).status_code == 414


# --- runs ------------------------------------------------------------------------------------------------------------


def test_what_a_step_is_said_to_do_is_what_it_does(client: TestClient) -> None:
    shown = client.get("/api/run").json()
    while shown["enabled"]:
        offered = shown["enabled"][-1]
        after = client.get("/api/run", params={"path": shown["path"] + offered["take"]}).json()
        assert after["told"][-1] == offered["parts"]
        for name, _, value in offered["parts"][0]["changed"]:
            card = next(card for card in after["processes"] if card["name"] == offered["process"])
            assert [name, value, True] in card["fields"]
        shown = after


def test_what_the_failure_detector_says_is_from_it_and_not_from_the_process_that_is_down() -> None:
    shown = walked(client_of("bully:LeaderUp", n=2, crashes=1), 0)
    client = client_of("bully:LeaderUp", n=2, crashes=1)
    (crash,) = [step for step in shown["enabled"] if step["process"] == "p2" and step["parts"][0]["kind"] == "crash"]
    after = client.get("/api/run", params={"path": shown["path"] + crash["take"]}).json()
    waiting = [(one["message"], one["from"]) for process in after["processes"] for one in process["waiting"]]
    assert waiting == [("Down()", "the failure detector on p2")]
    taken = [part for step in after["enabled"] for part in step["parts"] if part["received"] == "Down()"]
    assert {part["source"] for part in taken} == {"the failure detector on p2"}


def test_a_step_chooses_and_chance_draws() -> None:
    shown = walked(client_of("itai_rodeh", n=2), 0)
    draws = [part["decided"] for step in shown["enabled"] for part in step["parts"]]
    assert {(verb, *values) for ((verb, values),) in draws} == {("draws", "1 (1/2)"), ("draws", "2 (1/2)")}
    shown = walked(client_of("harmony_leader", n=2, ids="1,1"), 1)
    choosing = [part for step in shown["enabled"] for part in step["parts"] if part["step"] == "react"]
    assert {(verb, *values) for part in choosing for verb, values in part["decided"]} == {
        ("chooses", "Packet(1, 1, False)")
    }


def test_what_a_run_has_reached_for_good_holds(client: TestClient) -> None:
    """An ended run has terminated; before that nothing can be said of it."""
    ended = client.get("/api/run", params={"path": answer(client, kind="terminal")["path"]}).json()
    begun = walked(client, 1)
    found = [{one["name"]: one["here"] for one in shown["properties"]}["termination"] for shown in (begun, ended)]
    assert found == ["later", "holds"]


def test_what_is_asked_of_whole_runs_is_judged_where_one_has_ended_or_repeats() -> None:
    """The token is lost, and who has asked waits for ever; or it goes round for ever past whoever has asked."""

    def broken(name: str, **options: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        client = client_of(str(TURNS), n=2, initiators="1", **options)
        path = answer(client, kind="violation", property=name)["path"]
        begun, shown = (client.get("/api/run", params={"path": place}).json() for place in ("", path))
        assert {one["name"]: one["note"] for one in begun["properties"]}[name].startswith("is about whole runs; if")
        return shown, next(one for one in shown["properties"] if one["name"] == name)

    shown, lost = broken("asks_leads_to_works", losses=1)
    assert (lost["here"], lost["reason"]) == ("fails", shown["reason"])
    assert shown["reason"].endswith("works holds neither then nor later: the run ends.")
    assert broken("everyone_works", losses=1)[1]["here"] == "fails"
    shown, passed = broken("asks_leads_to_works", parameters={"patient": "false"})
    assert shown["loop"] is not None
    assert (passed["here"], passed["note"]) == ("later", "broken where these steps repeat for ever")


def test_two_browsers_do_not_disturb_each_other(client: TestClient) -> None:
    other = TestClient(client.app, base_url=HERE)
    mine, theirs = client.get("/api/run").json(), other.get("/api/run").json()
    for _ in range(4):
        mine = client.get("/api/run", params={"path": mine["path"] + mine["enabled"][0]["take"]}).json()
        theirs = other.get("/api/run", params={"path": theirs["path"] + theirs["enabled"][-1]["take"]}).json()
    assert mine["path"] != theirs["path"]
    assert client.get("/api/run", params={"path": theirs["path"]}).json() == theirs
    assert other.get("/api/run", params={"path": mine["path"]}).json() == mine


def test_a_step_that_would_break_a_property_says_so_and_does() -> None:
    client = client_of("chang_roberts", ids="1,1,2")
    violating = answer(client, kind="violation")["path"]
    shown = client.get("/api/run", params={"path": violating[:-2]}).json()
    breaking = [step for step in shown["enabled"] if step["breaks"]]
    assert breaking
    for step in breaking:
        after = client.get("/api/run", params={"path": shown["path"] + step["take"]}).json()
        failing = {prop["name"] for prop in after["properties"] if prop["here"] == "fails"}
        assert set(step["breaks"]) <= failing
        assert after["reason"]


def test_a_step_that_fails_ends_the_run_with_its_traceback(write: Write) -> None:
    client = client_of(
        write("""
        class Bad(Process):
            topology = one_way_ring
            specs = ()
            @initiate
            def go(self):
                assert 1 > 2, "arithmetic has changed"
        """),
        n=2,
    )
    shown = client.get("/api/run").json()
    assert all(step["fails"] for step in shown["enabled"])
    failed = client.get("/api/run", params={"path": shown["path"] + shown["enabled"][0]["take"]}).json()
    assert "arithmetic has changed" in failed["failure"]["sentence"]
    assert any("assert 1 > 2" in line for line in failed["failure"]["traceback"])
    assert failed["enabled"] == []
    assert next(prop for prop in failed["properties"] if prop["name"] == "assertions")["here"] == "fails"


def test_a_model_that_breaks_a_rule_is_a_lesson_on_the_page(write: Write) -> None:
    client = client_of(
        write("""
        class Cheat(Process):
            topology = one_way_ring
            specs = ()
            @initiate
            def go(self):
                self.n
        """),
        n=2,
    )
    trouble = client.get("/api/run").json()["trouble"]
    assert "without declaring it" in trouble["what"]
    assert "knows" in trouble["remedy"]


def test_the_code_of_a_step_marks_the_lines_that_it_ran_and_no_others() -> None:
    """Those of the variation, and those of the protocol that it calls."""
    client = client_of("chang_roberts:WokenStands", n=3)
    shown = walked(client, 2)
    (step,) = [s for s in shown["enabled"] if s["parts"][0]["step"] == "compare" and s["process"] == "p2"]
    snippets = client.get("/api/code", params={"path": shown["path"] + step["take"]}).json()
    ran = [line["text"].strip() for snippet in snippets for line in snippet["lines"] if line["ran"]]
    assert [snippet["name"] for snippet in snippets] == ["compare", "compare"]
    assert "elif message.id == self.id:" in ran
    assert "self.send(NEXT, Leader(self.id))" not in ran


def test_of_two_ways_to_choose_each_marks_its_own_lines(write: Write) -> None:
    client = client_of(
        write("""
        class Choosy(Process):
            topology = one_way_ring
            specs = ()
            side: str = ""
            @initiate
            def go(self):
                self.require(not self.side)
                if self.choose(("left", "right")) == "left":
                    self.side = "west"
                else:
                    self.side = "east"
        """),
        n=1,
    )
    shown = client.get("/api/run").json()
    for step in shown["enabled"]:
        (snippet,) = client.get("/api/code", params={"path": shown["path"] + step["take"]}).json()
        ran = [line["text"].strip() for line in snippet["lines"] if line["ran"] and "self.side =" in line["text"]]
        ((_, _, side),) = step["parts"][0]["changed"]
        assert ran == [f'self.side = "{side}"']


@pytest.mark.parametrize(
    ("model", "options"),
    [
        ("bully", {"n": 3, "crashes": 1, "recoveries": 1}),
        ("bully", {"n": 3, "crashes": 1, "detector": "unreliable:1"}),
        ("bully_partition", {"n": 3, "partitions": 1, "heals": 1}),
        ("chang_roberts", {"n": 3, "losses": 1, "duplications": 1}),
        ("chang_roberts", {"n": 3, "start": "simultaneous"}),
        ("chang_roberts", {"n": 3, "network": "bag"}),
        ("itai_rodeh_sync", {"n": 3, "schedule": "lockstep"}),
        ("harmony_leader", {"n": 2}),
        ("lamport_mutex_election", {"n": 2}),
        ("convergecast", {"n": 3}),
    ],
)
def test_all_kinds_of_systems_can_be_walked_through(model: str, options: dict[str, Any]) -> None:
    client = client_of(model, **options)
    shown = client.get("/api/run").json()
    for k in range(12):
        if not shown["enabled"]:
            break
        step = shown["enabled"][(k * 7) % len(shown["enabled"])]
        assert client.get("/api/code", params={"path": shown["path"] + step["take"]}).status_code == 200
        shown = client.get("/api/run", params={"path": shown["path"] + step["take"]}).json()
        assert shown["svg"].startswith("<svg")
        assert "<style" not in shown["svg"]


# --- searches --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "options"),
    [
        ("chang_roberts", {"ids": "1,1,2"}),
        ("chang_roberts", {"ids": "2,1,3", "losses": 1}),
        ("bully", {"ids": "1,2,3", "crashes": 1, "detector": "unreliable:1"}),
    ],
)
def test_the_violation_it_goes_to_is_as_near_as_the_checker_finds_one(model: str, options: dict[str, Any]) -> None:
    client = client_of(model, **options)
    violated = {p.name: p.trace.length for p in check(model, symmetry=False, **options).properties if p.trace}
    for name, length in violated.items():
        found = answer(client, kind="violation", property=name)
        assert (found["outcome"], found["steps"]) == ("found", length), found
        shown = client.get("/api/run", params={"path": found["path"]}).json()
        assert shown["length"] == length


def test_a_fair_run_that_never_ends_is_shown_with_its_loop(write: Write) -> None:
    client = client_of(
        write("""
        class Round(Message):
            pass
        class Endless(Process):
            topology = one_way_ring
            specs = ("termination",)
            begun: bool = False
            @initiate
            def go(self):
                self.require(not self.begun)
                self.begun = True
                self.send(NEXT, Round())
            @receive(Round)
            def on(self, message):
                self.send(NEXT, message)
        """),
        n=2,
    )
    found = answer(client, kind="violation")
    shown = client.get("/api/run", params={"path": found["path"]}).json()
    assert found["property"] == "termination"
    assert shown["loop"] is not None
    assert shown["enabled"] == []
    assert 'class="loop"' in shown["svg"]


def test_where_nothing_is_violated_it_says_that_all_was_looked_at(client: TestClient) -> None:
    found = answer(client, kind="violation")
    assert found["outcome"] == "none"
    assert "There is none in this world" in found["sentence"]


def test_the_nearest_end_and_the_nearest_state_of_a_kind(client: TestClient) -> None:
    end = answer(client, kind="terminal", **{"from": "here"})
    assert client.get("/api/run", params={"path": end["path"]}).json()["ended"]
    one = answer(client, kind="condition", text="p1.leader == 3")
    shown = client.get("/api/run", params={"path": one["path"]}).json()
    assert ["leader", "3", True] in shown["processes"][0]["fields"]
    assert one["steps"] <= end["steps"]


def test_a_search_from_here_goes_on_with_this_run(client: TestClient) -> None:
    here = walked(client, 3)["path"]
    found = answer(client, kind="condition", text="ended", path=here, **{"from": "here"})
    assert found["path"].startswith(here)


def test_a_state_that_cannot_be_reached_is_said_to_be_none_and_one_too_far_to_be_unknown() -> None:
    assert answer(client_of("chang_roberts", n=3), kind="condition", text="leaders >= 2")["outcome"] == "none"
    small = client_of("chang_roberts", Limits(max_states=50), n=4)
    found = answer(small, kind="condition", text="leaders >= 1")
    assert found["outcome"] == "limit"
    assert "the limit of 50 states" in found["sentence"]
    assert "every run of up to" in found["sentence"]


def test_no_more_than_so_many_searches_at_once(monkeypatch: pytest.MonkeyPatch, client: TestClient) -> None:
    monkeypatch.setattr(server, "MOST_SEARCHES", 0)
    response = client.get("/api/search", params={"kind": "violation"})
    assert response.status_code == 429
    assert "searches are going on" in response.json()["error"]


def test_a_step_that_never_returns_is_given_up_on(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "PATIENCE", 0.5)
    client = client_of(
        write("""
        class Slow(Process):
            topology = one_way_ring
            specs = ()
            @initiate
            def go(self):
                time.sleep(3)
        """),
        n=1,
    )
    response = client.get("/api/run")
    assert response.status_code == 422
    assert "did not end" in response.json()["error"]


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"of": "everything"}, "what is possible"),
        ({"of": "everything", "answer": "-"}, "there is no question"),
        ({"of": "step", "answer": "{}"}, "no step has been taken"),
    ],
)
def test_a_question_that_is_none_is_refused(query: dict[str, str], said: str, client: TestClient) -> None:
    response = client.get("/api/predict", params=query)
    assert response.status_code == 400
    assert said in response.json()["error"]


def test_an_answer_that_is_none_is_refused_and_in_lock_step_there_is_no_question(client: TestClient) -> None:
    for answer in ("", "[]", '{"variables": 1, "sent": ""}', "{"):
        asked = {"of": "step", "path": walked(client, 1)["path"], "answer": answer}
        assert "an answer is" in client.get("/api/predict", params=asked).json()["error"]
    rounds = client_of("chang_roberts", n=3, schedule="lockstep")
    assert "all take their steps at once" in rounds.get("/api/predict", params={"of": "possible"}).json()["error"]


def test_a_run_stands_beside_the_same_schedule_in_the_mended_protocol() -> None:
    """Without its guard p3 wakes up again after it has sent its identifier (Chang and Roberts 1979, as Garg prints it); with it, it cannot."""
    client = client_of("chang_roberts:StartUnguarded", n=3)
    offered = [name for name, _ in client.get("/api/model").json()["beside"]]
    assert offered[0] == "chang_roberts"
    assert "elects=min" in offered
    assert "chang_roberts:StartUnguarded" not in offered
    path = answer(client, kind="violation", property="one_leader_wave")["path"]
    shown = client.get("/beside", params={"path": path, "with": "chang_roberts"})
    assert shown.headers["content-type"].startswith("text/html")
    assert "at step 5 p3 (id 3) cannot take wake_up; one_leader_wave does not fail here" in shown.text
    assert '<a href="#run-A-5">The first difference</a>: step 5 of A has nothing beside it.' in shown.text
    same = client.get("/beside", params={"path": walked(client, 2)["path"], "with": "chang_roberts"})
    assert "followed to its end" in same.text
    assert client.get("/beside", params={"path": path, "with": "stages"}).status_code == 400


@pytest.mark.parametrize(
    ("model", "options"),
    [("harmony_leader:SendsInTwo", {"n": 2}), ("bully_partition:SplitBrain", {"n": 2, "partitions": 1}), ("itai_rodeh", {"n": 2})],
)  # fmt: skip
def test_whatever_can_stand_beside_a_run_does(model: str, options: dict[str, Any]) -> None:
    client = client_of(model, **options)
    offered = client.get("/api/model").json()["beside"]
    path = answer(client, kind="violation")["path"] if ":" in model else walked(client, 4)["path"]
    for name, _ in offered:
        shown = client.get("/beside", params={"path": path, "with": name})
        assert (shown.status_code, shown.text.count('class="run whole"')) == (200, 2), shown.text[:200]
    assert len(offered) > 2
