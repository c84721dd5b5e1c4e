"""The Space in Chromium: a search to its end, Stop, an edit, a reload, the corpus; no console errors."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("gradio", reason="gradio is not installed (pip install 'lhs-hf[space]')")
sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
if CHROMIUM is None:
    pytest.skip("no Chromium is installed", allow_module_level=True)

pytestmark = pytest.mark.slow
WAIT_MS = 60_000


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "lhs_hf", "space", "--port", str(port)]
    environment = {**os.environ, "GRADIO_ANALYTICS_ENABLED": "False"}
    server = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        end = time.monotonic() + 60
        while time.monotonic() < end and server.poll() is None:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.3)
        else:
            pytest.fail("lhs-hf space did not start within a minute")
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(10)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with sync_api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture
def page(browser: Any, url: str) -> Iterator[Any]:
    """A page of a visitor of its own; an error on its console fails the test."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(WAIT_MS)
    found = context.new_page()
    errors: list[str] = []
    found.on("pageerror", lambda error: errors.append(str(error)))
    found.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    found.goto(url)
    found.wait_for_selector("#lhs-run")
    yield found
    # A reload cuts the stream of the page that is left, which Gradio's own client reports.
    left = [text for text in errors if "AbortError" not in text and "Connection errored out" not in text]
    context.close()
    assert left == []


def run(page: Any, task: str, budget: int) -> None:
    page.locator("#lhs-task input").click()
    page.get_by_role("option", name=re.compile(task)).first.click()
    page.wait_for_selector(f"#lhs-status-box h2:has-text('{task}')")
    field = page.locator("#lhs-budget input[type=number]")
    field.fill(str(budget))
    field.press("Enter")
    page.click("#lhs-run")


def test_a_search_runs_to_its_end_and_everything_fills(page: Any) -> None:
    run(page, "Knapsack", 10)
    page.wait_for_selector("[data-state=finished]")
    page.wait_for_selector("#lhs-curve .lhs-incumbent")
    assert "after 10 of 10 calls" in page.locator("#lhs-curve svg").get_attribute("aria-label")
    assert page.locator("#lhs-map .lhs-child, #lhs-map .lhs-failed").count() == 10
    assert page.locator("#lhs-map .lhs-step").count() >= 10
    assert page.locator("#lhs-comparison tbody tr").count() >= 4
    page.get_by_role("tab", name="Candidates").click()
    assert page.locator("#lhs-candidates tbody tr").count() == 10
    page.get_by_role("tab", name="Change against parent").click()
    assert "candidate" in page.locator("#lhs-difference").inner_text()

    page.reload()
    page.wait_for_selector("[data-state=finished]")
    assert page.locator("#lhs-budget input[type=number]").input_value() == "10"


def test_stop_keeps_what_was_found_and_a_reload_finds_the_run_again(page: Any, browser: Any, url: str) -> None:
    run(page, "Traveling salesman", 200)
    page.wait_for_selector("#lhs-curve .lhs-incumbent")
    page.reload()
    page.wait_for_selector("[data-state=running]")
    other = browser.new_context()
    stranger = other.new_page()
    stranger.goto(url)
    stranger.wait_for_selector("#lhs-run")
    page.wait_for_selector("#lhs-stop:not([disabled])")
    page.click("#lhs-stop")
    page.wait_for_selector("[data-state=finished]")
    assert "Stopped after" in page.locator("#lhs-status-box").inner_text()
    assert "def select_next_node" in page.locator("#lhs-program").inner_text()
    assert stranger.locator("[data-state]").count() == 0
    other.close()


def test_an_edited_program_is_scored_and_a_broken_one_named(page: Any) -> None:
    page.get_by_role("tab", name="Edit and evaluate").click()
    editor = page.locator("#lhs-edit .cm-content")
    page.click("#lhs-evaluate")
    page.wait_for_selector("#lhs-verdict .lhs-badge.lhs-good")
    assert "6.82" in page.locator("#lhs-verdict").inner_text()
    for program, kind in (
        ("def select_next_node(:", "syntax"),
        ("def select_next_node(a, b, c, d):\n while True: pass", "wall_timeout"),
    ):
        editor.click()
        page.keyboard.press("Control+A")
        page.keyboard.insert_text(program)
        page.click("#lhs-evaluate")
        page.wait_for_selector(f"#lhs-verdict .lhs-badge:has-text('{kind}')")


def test_the_corpus_opens_by_click_and_by_keyboard(page: Any) -> None:
    page.get_by_role("tab", name="Corpus").click()
    page.wait_for_selector("#lhs-corpus-map [data-row]")
    page.locator("#lhs-corpus-map svg").focus()
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    page.wait_for_selector("#lhs-corpus-program .cm-content:has-text('def select_next_node')")
    best = page.locator("#lhs-facts").inner_text()
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    page.wait_for_function("text => document.querySelector('#lhs-facts').innerText !== text", arg=best)


@pytest.mark.parametrize("width", [360, 1600])
def test_nothing_is_wider_than_the_window(page: Any, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
