"""The Space in Chromium: searches, Stop, edits, hostile programs, a reload, the corpus; no console errors."""

from __future__ import annotations

import re
import secrets
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("gradio", reason="gradio is not installed (pip install 'lhs-hf[space]')")
sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed (pip install playwright)")

from hostile import CANARY_FILE, HOSTILE  # noqa: E402
from space_server import NoBrowser, launch_chromium, served  # noqa: E402

pytestmark = pytest.mark.integration

# A search of five takes 40 s where two processors have nothing else to do.
WAIT_MS = 300_000
SECRET = f"canary-{secrets.token_hex(12)}"
TASK = "Knapsack"
FUNCTION = "select_next_item"
TEMPLATE_OBJECTIVE = "234.25"
# One of each way a program can fail: secrets in its message, files, sockets, processes, memory, forged frames.
ATTACKS = (
    "environ_whole",
    "open_canary",
    "proc_self_environ",
    "tcp_socket",
    "fork_bomb",
    "numpy_terabyte",
    "channel_flood",
    "segfault",
    "tiny_frames",
    "error_page_markup",
    "answer_nan",
)
# What the server says last on a stream of answers reaches the page half a second late, as on a busy machine.
LATE_CLOSE = """
const fetched = window.fetch;
window.fetch = async (...call) => {
  const answer = await fetched(...call);
  if (!(call[0].url ?? String(call[0])).includes('queue/data')) return answer;
  const decoder = new TextDecoder(), encoder = new TextEncoder();
  const late = new TransformStream({async transform(chunk, out) {
    for (const part of decoder.decode(chunk, {stream: true}).split(/(?=data: )/)) {
      if (part.includes('close_stream')) await new Promise(done => setTimeout(done, 500));
      out.enqueue(encoder.encode(part));
    }
  }});
  return new Response(answer.body.pipeThrough(late), {headers: answer.headers});
};
"""


@pytest.fixture(scope="module")
def canary(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with the secret that is in the server's environment, too."""
    file = tmp_path_factory.mktemp("secret") / "canary.txt"
    file.write_text(SECRET)
    return file


@pytest.fixture(scope="module")
def url(canary: Path) -> Iterator[str]:
    with served(["--edit-seconds", "1.5"], {"HF_TOKEN": SECRET, "LHS_CANARY": SECRET}) as (address, _):
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with sync_api.sync_playwright() as playwright:
        try:
            found = launch_chromium(playwright)
        except NoBrowser as problem:
            pytest.skip(str(problem))
        yield found
        found.close()


@contextmanager
def visitor(browser: Any, url: str, script: str = "") -> Iterator[Any]:
    """A page of a visitor of its own, with a script that runs before the page's.

    An error on its console, or a secret in an answer, fails the test.
    """
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(WAIT_MS)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.add_init_script(script)
    page.goto(url)
    page.wait_for_selector("#lhs-run")
    yield page
    # A reload cuts the stream of the page that is left, which Gradio's own client reports.
    left = [text for text in errors if "AbortError" not in text and "Connection errored out" not in text]
    shown = page.content()
    context.close()
    assert left == []
    assert SECRET not in shown


@pytest.fixture(scope="module")
def page(browser: Any, url: str) -> Iterator[Any]:
    """One visitor's page for all tests that do not reload it."""
    with visitor(browser, url) as found:
        yield found


def choose(page: Any, name: str, value: str) -> None:
    page.locator(f"#{name} input").click()
    page.get_by_role("option", name=re.compile(value)).first.click()


def run(page: Any, task: str, budget: int) -> None:
    choose(page, "lhs-task", task)
    page.wait_for_selector(f"#lhs-status-box h2:has-text('{task}')")
    page.get_by_label("latent points alone").check()
    field = page.locator("#lhs-budget input[type=number]")
    field.fill(str(budget))
    field.press("Enter")
    page.click("#lhs-run")


def evaluate(page: Any, program: str) -> str:
    """Put a program into the editor and evaluate it: the verdict, with its error kind."""
    page.get_by_role("tab", name="Edit", exact=True).click()
    page.locator("#lhs-edit .cm-content").click()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(program)
    # The event that keeps the page listening has no data.
    with page.expect_response(lambda answer: "queue/join" in answer.url and answer.request.post_data_json["data"]):
        page.click("#lhs-evaluate")
    # Gradio marks an output that is being made.
    page.wait_for_selector("#lhs-verdict:not(:has(.pending)):not(:has(.generating)) .lhs-badge")
    return page.locator("#lhs-verdict").inner_text()


def test_a_search_runs_to_its_end_and_everything_fills(page: Any) -> None:
    run(page, TASK, 5)
    page.wait_for_selector("[data-state=finished]")
    assert page.locator("#lhs-status-box .lhs-stage").inner_text() == "Finished."
    page.wait_for_selector("#lhs-curve .lhs-incumbent")
    assert "after 5 of 5 calls" in page.locator("#lhs-curve svg").get_attribute("aria-label")
    page.wait_for_selector("#lhs-map .lhs-step")
    # Each of the five has an aim, each that is valid its program beside it.
    page.wait_for_function("document.querySelectorAll('#lhs-map .lhs-aim, #lhs-map .lhs-failed').length === 5")
    assert page.locator("#lhs-map .lhs-child").count() >= page.locator("#lhs-map .lhs-aim").count()
    said = page.locator("#lhs-status-box .lhs-verdict").inner_text()
    assert re.match(r"(New, |Known: |Nothing better)", said), said
    assert page.locator("#lhs-comparison tbody tr").count() >= 4
    picture = page.wait_for_selector("#lhs-solution img.lhs-light-wide")
    assert page.evaluate("image => image.decode().then(() => image.naturalWidth)", picture) >= 1000
    assert "Found:" in picture.get_attribute("alt")


def test_a_row_a_mark_and_an_ancestor_open_a_candidate(page: Any) -> None:
    page.get_by_role("tab", name="Candidates").click()
    newest = page.locator("#lhs-candidates [role=gridcell][data-col='0']").first
    page.wait_for_selector("#lhs-candidates [role=gridcell][data-col='0']:has-text('5')")
    number = newest.inner_text().strip()
    assert int(number) >= 5
    newest.click()
    page.wait_for_selector(f"#lhs-opened h3:has-text('Candidate {number}')")
    page.wait_for_selector(f"#lhs-opened-code pre:has-text('def {FUNCTION}')")
    ancestor = page.locator("#lhs-opened [data-row]").first
    earlier = ancestor.get_attribute("data-row")
    assert int(earlier) < int(number)
    ancestor.click()
    page.wait_for_selector(f"#lhs-opened h3:has-text('Candidate {earlier}')")
    page.get_by_role("tab", name="Program", exact=True).click()
    page.locator("#lhs-map svg").focus()
    page.keyboard.press("End")
    page.wait_for_function("document.querySelector('#lhs-live p').textContent.startsWith('candidate ')")
    said = page.locator("#lhs-live p").inner_text()
    page.keyboard.press("Enter")
    page.wait_for_selector(f"#lhs-opened h3:has-text('Candidate {said.split()[1].rstrip(',')}')")


def test_program_run_folder_and_adapter_are_downloaded(page: Any, tmp_path: Path) -> None:
    page.get_by_role("tab", name="Program", exact=True).click()
    held = {}
    for name in ("program", "card", "run", "adapter"):
        with page.expect_download() as waiting:
            page.click(f"#lhs-get-{name}")
        held[name] = tmp_path / waiting.value.suggested_filename
        waiting.value.save_as(held[name])
    assert f"def {FUNCTION}" in held["program"].read_text()
    card = held["card"].read_text()
    assert f'class="lhs-c-nf">{FUNCTION}<' in card
    assert "lhs-verdict" in card
    assert {"run.sqlite", "report.md", "solutions.png"} <= set(zipfile.ZipFile(held["run"]).namelist())
    assert "adapter_model.safetensors" in zipfile.ZipFile(held["adapter"]).namelist()


def test_an_edited_program_is_scored_and_a_broken_one_named(page: Any) -> None:
    page.get_by_role("tab", name="Edit", exact=True).click()
    page.get_by_role("button", name="Take the best program").click()
    page.wait_for_selector(f"#lhs-edit .cm-content:has-text('def {FUNCTION}')")
    page.click("#lhs-evaluate")
    page.wait_for_selector("#lhs-verdict .lhs-badge.lhs-good")
    found = re.search(r"objective ([\d.]+)", page.locator("#lhs-verdict").inner_text())
    assert found is not None
    assert float(found[1]) >= float(TEMPLATE_OBJECTIVE)
    assert evaluate(page, f"def {FUNCTION}(:").startswith("syntax")
    # Either timer may be the first on a busy machine.
    endless = evaluate(page, f"def {FUNCTION}(a, b):\n while True: pass")
    assert endless.startswith(("cpu_timeout", "wall_timeout"))


def test_hostile_edits_are_named_and_find_no_secret(page: Any, canary: Path) -> None:
    by_name = {program.name: program for program in HOSTILE}
    for name in ATTACKS:
        program = by_name[name]
        shown = evaluate(page, program.source.replace(CANARY_FILE, str(canary)))
        assert shown.split()[0] in program.kinds, name
        assert SECRET not in page.content(), name
        assert page.locator("#lhs-verdict script, #lhs-verdict img").count() == 0, name
    assert evaluate(page, f"def {FUNCTION}(a, b):\n    return b[0]\n").startswith("ok")
    assert canary.read_text() == SECRET
    assert list(canary.parent.iterdir()) == [canary]


def test_two_visitors_see_their_own_runs_stop_theirs_and_find_them_after_a_reload(browser: Any, url: str) -> None:
    with visitor(browser, url) as first, visitor(browser, url) as second:
        run(first, TASK, 200)
        run(second, "Set cover", 5)
        first.wait_for_selector("[data-state=running]")
        first.reload()
        first.wait_for_selector("[data-state=running]")
        assert first.locator("#lhs-budget input[type=number]").input_value() == "200"
        first.click("#lhs-stop:not([disabled])")
        first.wait_for_selector("[data-state=finished]")
        assert "Stopped after" in first.locator("#lhs-status-box").inner_text()
        second.wait_for_selector("[data-state=finished]")
        for page, own, other in ((first, FUNCTION, "select_next_subset"), (second, "select_next_subset", FUNCTION)):
            page.wait_for_selector(f"#lhs-program pre:has-text('def {own}')")
            assert other not in page.locator("#lhs-program").inner_text()
        assert "of 200 calls" in first.locator("#lhs-curve svg").get_attribute("aria-label")
        assert "of 5 calls" in second.locator("#lhs-curve svg").get_attribute("aria-label")


def test_a_search_appears_though_the_stream_of_answers_closes_as_it_is_asked_for(browser: Any, url: str) -> None:
    with visitor(browser, url, LATE_CLOSE) as page:
        run(page, TASK, 5)
        page.wait_for_selector("[data-state=finished]")
        assert "after 5 of 5 calls" in page.locator("#lhs-curve svg").get_attribute("aria-label")


def test_the_corpus_is_filtered_and_opens_by_click_and_by_keyboard(page: Any) -> None:
    page.get_by_role("tab", name="Corpus").click()
    page.click("#lhs-between")
    page.wait_for_selector("#lhs-way .lhs-bad:has-text('Choose two different programs')")
    assert page.locator(".toast-body.error, .wrap.error").count() == 0
    choose(page, "lhs-corpus-task", TASK)
    page.wait_for_selector("#lhs-corpus-map svg[aria-label*='knapsack_construct']")
    everything = page.locator("#lhs-corpus-map [data-row]").count()
    page.locator("#lhs-corpus-map svg").focus()
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    page.wait_for_selector(f"#lhs-corpus-program pre:has-text('def {FUNCTION}')")
    best = page.locator("#lhs-facts").inner_text()
    page.click("#lhs-set-a")
    page.wait_for_selector("#lhs-corpus-map .lhs-letter:has-text('A')")
    page.locator("#lhs-corpus-map [data-row]").first.click(force=True)
    page.wait_for_function("text => document.querySelector('#lhs-facts').innerText !== text", arg=best)
    page.click("#lhs-set-b")
    page.wait_for_selector("#lhs-corpus-map .lhs-letter:has-text('B')")
    page.click("#lhs-between")
    page.wait_for_selector("#lhs-way details")
    assert page.locator("#lhs-way details").count() == 5
    assert "The ends are not A and B themselves" in page.locator("#lhs-way").inner_text()
    field = page.locator("#lhs-corpus-least input[type=number]")
    field.fill("90")
    field.press("Enter")
    page.wait_for_function(
        "count => document.querySelectorAll('#lhs-corpus-map [data-row]').length < count / 5", arg=everything
    )


@pytest.mark.parametrize("tab", ["Search", "Corpus"])
@pytest.mark.parametrize("width", [1600, 360])
def test_nothing_is_wider_than_the_window(page: Any, width: int, tab: str) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.evaluate("scrollTo(0, 0)")
    page.get_by_role("tab", name=tab).first.click()
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_an_address_fills_the_form_and_a_wrong_value_is_named(browser: Any, url: str) -> None:
    with visitor(browser, f"{url}/?task=knapsack_construct&seed=7&budget=15") as page:
        page.wait_for_function("document.querySelector('#lhs-seed input').value === '7'")
        assert page.locator("#lhs-task input").input_value().startswith(TASK)
        assert page.locator("#lhs-budget input[type=number]").input_value() == "15"
    with visitor(browser, f"{url}/?task=/etc/passwd&seed=x") as page:
        page.wait_for_selector(".toast-body:has-text('unknown task')")
        assert page.locator("#lhs-seed input").input_value() == "0"


def test_a_link_opens_a_finished_search_and_fills_the_form_where_it_is_gone(browser: Any, url: str) -> None:
    with visitor(browser, url) as page:
        run(page, TASK, 5)
        page.wait_for_selector("[data-state=finished]")
        page.click("#lhs-link")
        page.wait_for_function("document.querySelector('#lhs-live p').textContent.startsWith('Copied: ')")
        link = page.locator("#lhs-live p").inner_text().removeprefix("Copied: ")
    with visitor(browser, link) as page:
        page.wait_for_selector("[data-state=finished]")
        assert page.locator("#lhs-budget input[type=number]").input_value() == "5"
        page.wait_for_selector(f"#lhs-program pre:has-text('def {FUNCTION}')")
    with visitor(browser, re.sub(r"run=\w+", "run=0", link)) as page:
        page.wait_for_selector(".toast-body:has-text('not kept here any more')")
        page.wait_for_selector(f"#lhs-status-box h2:has-text('{TASK}')")
        assert page.get_by_label("latent points alone").is_checked()
        assert page.locator("[data-state]").count() == 0


@pytest.mark.slow
def test_two_searches_are_compared(browser: Any, url: str) -> None:
    with visitor(browser, url) as page:
        run(page, TASK, 5)
        page.wait_for_selector("[data-state=finished]")
        page.locator("#lhs-seed input").fill("1")
        page.click("#lhs-run:not([disabled])")
        page.wait_for_selector("[data-state=running]")
        page.wait_for_selector("[data-state=finished]")
        page.get_by_role("tab", name="Compare", exact=True).click()
        page.wait_for_selector("#lhs-versus .lhs-search-b", state="attached")
        said = page.locator("#lhs-versus").inner_text()
        assert said.index("seed 0") < said.index("seed 1")
        assert "holdout" in said
        assert page.locator("#lhs-versus .lhs-diff, #lhs-versus .lhs-note").count() == 1
        choose(page, "lhs-versus-a", "Vehicle routing")
        page.wait_for_selector("#lhs-versus .lhs-bad:has-text('choose two of the same problem')")


def test_another_task_clears_what_the_former_search_left(browser: Any, url: str) -> None:
    with visitor(browser, url) as page:
        page.wait_for_selector("[data-state=example] .lhs-verdict:has-text('New, and better than the best known')")
        choose(page, "lhs-task", TASK)
        page.wait_for_selector(f"#lhs-status-box h2:has-text('{TASK}')")
        page.wait_for_selector("#lhs-map svg[aria-label*='knapsack_construct']")
        page.wait_for_selector(f"#lhs-program pre:has-text('def {FUNCTION}')")
        assert page.locator("[data-state], .lhs-verdict, #lhs-comparison table, #lhs-map .lhs-child").count() == 0


def test_a_task_of_ones_own_has_its_file_and_its_commands(browser: Any, url: str) -> None:
    with visitor(browser, url) as page:
        page.get_by_role("tab", name="Your own problem").click()
        page.wait_for_selector("#lhs-own-file pre:has-text('class MyJobs(SimpleTask)')")
        assert "lhs-hf search my_jobs.py" in page.locator("#lhs-own").inner_text()


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
def test_no_state_has_a_grave_violation_or_moves(browser: Any, url: str, theme: str, size: tuple[int, int]) -> None:
    pytest.importorskip("axe_playwright_python", reason="axe is not installed (pip install 'lhs-hf[browser]')")
    from audit_page import SHIFTS, grave, shift

    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, color_scheme=theme)
    context.set_default_timeout(WAIT_MS)
    page = context.new_page()
    page.add_init_script(SHIFTS)
    page.goto(f"{url}/?__theme={theme}")
    page.wait_for_selector("#lhs-map [data-row]")
    assert grave(page) == []
    run(page, TASK, 5)
    page.wait_for_selector("[data-state=running]")
    # The progress is in view, on a phone too.
    assert page.locator("#lhs-status-box").evaluate("card => card.getBoundingClientRect().top < innerHeight / 2")
    assert grave(page) == []
    page.wait_for_selector("[data-state=finished]")
    page.wait_for_selector("#lhs-solution img", state="attached")
    assert grave(page) == []
    for tab in ("Candidates", "Edit"):
        page.get_by_role("tab", name=tab, exact=True).click()
        page.wait_for_selector("#lhs-candidates [role=gridcell]" if tab == "Candidates" else "#lhs-edit .cm-content")
        assert grave(page) == []
    assert shift(page) <= 0.1, page.evaluate("window.shifts")
    context.close()
