"""A run folder that moves: to a dataset repository of the Hub, and from there into a folder where it goes on."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ..errors import CallError
from ..hub.publishing import Pushed, push_files, shared_files
from ..hub.reading import check_repository_id, clear_errors, split_revision
from ..locks import FolderLock, FolderTaken
from ..opening.databases import private_copy
from ..opening.text import one_line
from .run import check_new
from .stored import DATABASE_NAME, open_run

_DATABASE = ".sqlite"
_BESIDE = ("-wal", "-shm", "-journal")
RUN_FILES = (
    *(f"{folder}*{_DATABASE}" for folder in ("", "islands/*/")),
    *("best.py", "report.md", "front.jsonl", "*.png", "README.md"),
)
"""What a run consists of; nothing else in a repository is fetched."""

_CARD = """---
tags:
- lhs-hf
---

# A run of lhs-hf: {task}

{state}. To go on with it, or to report it:

```
lhs-hf pull {repository} my-run
lhs-hf search {task} --resume --output my-run
lhs-hf report my-run
```
"""


def push_run(folder: Path, repository: str, **options: Any) -> Pushed:
    """Upload a run folder as a dataset, in one commit: its databases as they are now, those of islands among them.

    `options` as in `hub.publishing.push_models`. Raises `CallError`, before anything is sent, for a folder that holds
    no run or one that a search is at work in.
    """
    check_repository_id(repository)
    run = open_run(folder)
    try:
        lock = FolderLock(folder)
    except FolderTaken:
        raise CallError(f"a search is at work in {folder}; push it when it has ended") from None
    try:
        with TemporaryDirectory(prefix="lhs-push-") as temporary:
            files = _at_rest(dict(shared_files(folder)), Path(temporary))
            card = Path(temporary) / "README.md"
            state = "Finished" if run.result is not None else "Not finished"
            card.write_text(
                _CARD.format(task=one_line(run.identity["task"], 80), state=state, repository=repository), "utf-8"
            )
            return push_files({**files, "README.md": card}, repository, kind="dataset", stale=(_DATABASE,), **options)
    finally:
        lock.release()


def _at_rest(files: Mapping[str, Path], temporary: Path) -> dict[str, Path]:
    """The files of a run, copies of its databases with their logs written into them in the place of these."""
    resting = {}
    for number, (name, path) in enumerate(files.items()):
        if name.endswith(tuple(f"{_DATABASE}{end}" for end in _BESIDE)):
            continue
        resting[name] = path
        if name.endswith(_DATABASE):
            resting[name] = temporary / f"{number}{_DATABASE}"
            # Through SQLite: a killed search leaves part of its rows in the log.
            with private_copy(path, live=True) as copy:
                shutil.copyfile(copy, resting[name])
    return resting


def pull_run(name: str, folder: Path, token: str | None = None) -> Path:
    """Fetch the run in a repository owner/name[@revision] into a new or an empty folder, which is returned.

    Raises `CallError` for a folder that is taken, a repository that can not be read, and for what is no run in it;
    the folder is then as it was.
    """
    from huggingface_hub import snapshot_download

    check_new(folder)
    repository, revision = split_revision(name)
    check_repository_id(repository)
    with TemporaryDirectory(prefix="lhs-pull-") as temporary:
        fetched = Path(temporary) / "run"
        with clear_errors(f"pull {name!r}", repository, revision=revision, token=token, kind="dataset"):
            snapshot_download(
                repository,
                repo_type="dataset",
                revision=revision,
                token=token,
                allow_patterns=list(RUN_FILES),
                local_dir=fetched,
            )
        shutil.rmtree(fetched / ".cache", ignore_errors=True)
        if not (fetched / DATABASE_NAME).is_file():
            raise CallError(f"{name} holds no run: expected a file {DATABASE_NAME} in it (lhs-hf push run)")
        for database in sorted(fetched.rglob(f"*/{DATABASE_NAME}")):
            open_run(database.parent)
        open_run(fetched)
        shutil.copytree(fetched, folder, dirs_exist_ok=True)
    return folder
