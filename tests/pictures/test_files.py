"""Pictures as files, and their colours: on screens, in the dark, on paper."""

from __future__ import annotations

import re
import struct
import sys
from pathlib import Path

import pytest

from modelcheck import UsageError
from modelcheck.pictures.diagram import diagram
from modelcheck.pictures.files import check_picture, write_picture
from modelcheck.pictures.style import DARK, LIGHT, resolved, stylesheet
from tests.pictures import runs
from tests.pictures.golden import FOLDER, NAMES


@pytest.fixture(scope="module")
def svg() -> str:
    return diagram(runs.violation("equal identifiers"), heading="chang_roberts violates one_leader_wave")


def test_an_svg_is_written_as_it_is(svg: str, tmp_path: Path) -> None:
    write_picture(svg, tmp_path / "run.svg")
    assert (tmp_path / "run.svg").read_text(encoding="utf-8") == svg


def test_a_png_is_twice_as_large_as_the_picture(svg: str, tmp_path: Path) -> None:
    write_picture(svg, tmp_path / "run.PNG")
    data = (tmp_path / "run.PNG").read_bytes()
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    wide, high = struct.unpack(">II", data[16:24])
    found = re.search(r'width="(\d+)" height="(\d+)"', svg)
    assert found is not None
    assert (wide / int(found[1]), high / int(found[2])) == pytest.approx((2, 2), rel=0.02)


def test_a_pdf_is_one_page(svg: str, tmp_path: Path) -> None:
    write_picture(svg, tmp_path / "run.pdf")
    data = (tmp_path / "run.pdf").read_bytes()
    assert data.startswith(b"%PDF-")
    assert data.count(b"/Type /Page\n") + data.count(b"/Type/Page/") == 1


@pytest.mark.parametrize("name", ["run.gif", "run", "run.svgz"])
def test_another_suffix_is_refused_with_those_there_are(name: str) -> None:
    with pytest.raises(UsageError, match=r"one of \.svg, \.png, \.pdf"):
        check_picture(Path(name))


@pytest.mark.parametrize("kind", ["png", "pdf"])
def test_where_the_library_is_missing_it_says_what_to_install(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(UsageError, match=rf"{kind.upper()} needs Typst: pip install 'modelcheck\[pictures\]'"):
        check_picture(Path(f"run.{kind}"))
    check_picture(Path("run.svg"))


def test_a_folder_that_is_missing_is_named(svg: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file or directory"):
        write_picture(svg, tmp_path / "missing" / "run.svg")


# --- colours -------------------------------------------------------------------------------------------------------


def test_every_colour_has_a_light_and_a_dark_value() -> None:
    used = set(re.findall(r"var\(--(\w+)\)", stylesheet()))
    assert used == set(LIGHT) == set(DARK)


def test_the_dark_is_for_dark_screens_and_not_for_paper() -> None:
    css = stylesheet()
    dark, paper = css.index("prefers-color-scheme:dark"), css.index("@media print")
    assert DARK["paper"] in css[dark:paper]
    assert LIGHT["paper"] in css[paper:]


def test_for_other_programs_all_colours_are_written_out(svg: str) -> None:
    plain = resolved(svg)
    assert "var(" not in plain
    assert "@media" not in plain
    assert LIGHT["message"] in plain


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_words_stand_out_from_what_is_behind_them(colours: dict[str, str]) -> None:
    """By at least 4.5 to 1, as the Web Content Accessibility Guidelines 2.2 (1.4.3) ask; grey of the causal view apart."""
    for words in ("ink", "soft", "message", "detector", "change", "wrong"):
        for ground in ("paper", "band", "block0", "block1", "block2", "block3"):
            assert _contrast(colours[words], colours[ground]) >= 4.5, (words, ground)
    assert _contrast(colours["wrong"], colours["wrongband"]) >= 4.5


def _contrast(one: str, other: str) -> float:
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    shares = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


# --- as they were looked at ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_pictures_look_as_they_were_approved(name: str) -> None:
    """After a change that is meant to be seen: `python -m tests.pictures.golden`, and look at what it writes."""
    approved = (FOLDER / f"{name.replace(' ', '_')}.svg").read_text(encoding="utf-8")
    assert diagram(runs.violation(name), heading=name) == approved
