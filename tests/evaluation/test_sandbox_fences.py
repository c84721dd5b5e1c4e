"""The fences themselves: memory without /proc, capabilities, advice on memory, and a self-test that finds them out."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from lhs_hf.evaluation import Evaluator, Limits
from lhs_hf.evaluation.sandbox.isolation import level

TASK = "knapsack_construct"
HEAD = "def select_next_item(remaining_capacity, remaining_items):\n"

_EVALUATE = """
import json, os, sys
from lhs_hf.evaluation import Evaluator, Limits

limits = Limits(wall_s=20.0, memory_mb=128)
with Evaluator("knapsack_construct", limits=limits, allow_development_isolation=True) as evaluator:
    results = [evaluator.evaluate(source) for source in json.load(sys.stdin)]
    print(json.dumps({"proc": os.path.exists("/proc/self"), "isolation": evaluator.isolation,
                      "statuses": [result.status for result in results]}))
"""


def _python(code: str, *before: str, text: str = "") -> str:
    done = subprocess.run(
        [*before, sys.executable, "-c", code], input=text, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module", autouse=True)
def _kernel_fences() -> None:
    if sys.platform != "linux":
        pytest.skip("the fences are those of Linux")
    with Evaluator(TASK, allow_development_isolation=True) as evaluator:
        if evaluator.isolation == "development":
            pytest.skip("this machine has no seccomp")


def _hoard(mib: int) -> str:
    """A program that has so much memory for itself, touched, and then answers legally."""
    return HEAD + f"    hoard = bytearray(b'x') * ({mib} * 2**20)\n    return None\n"


def test_the_memory_limit_holds_without_proc() -> None:
    hide = ("unshare", "-m", "sh", "-c", 'mount -t tmpfs none /proc && exec "$@"', "sh")
    if subprocess.run([*hide, "true"], capture_output=True, check=False).returncode:
        pytest.skip("this machine lets nobody hide /proc (unshare -m and mount are refused)")
    found = json.loads(_python(_EVALUATE, *hide, text=json.dumps([_hoard(600), _hoard(40)])))
    assert not found["proc"]
    assert found["statuses"][1] == "ok"
    assert found["statuses"][0] == "memory_limit" or found["isolation"] == "development"


def test_the_space_in_use_is_known_to_a_page() -> None:
    code = """
import resource
from lhs_hf.evaluation.sandbox.memory import address_space_bytes
before = resource.getrlimit(resource.RLIMIT_AS)
found = address_space_bytes()
told = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
assert before == resource.getrlimit(resource.RLIMIT_AS)
print(abs(found - told) // resource.getpagesize())
"""
    assert int(_python(code)) <= 256, "the interpreter maps at most a MiB in between"


@pytest.mark.parametrize("space", ["None", "2**44"])
def test_a_machine_without_a_memory_limit_has_no_isolation_to_speak_of(space: str) -> None:
    """Where the space in use is not known, or the limit set refuses nothing, the self-test finds it out."""
    code = f"""
from lhs_hf.evaluation.sandbox import selftest
print(selftest.working_fences()[1])
selftest.address_space_bytes = lambda: {space}
fences, memory = selftest.working_fences()
print(fences.seccomp, memory)
"""
    assert _python(code).split() == ["True", "True", "False"]
    assert level(True, True, memory=False) == level(True, False, memory=False) == "development"


@pytest.mark.parametrize("every", [3, 1])
def test_a_try_that_somebody_kills_says_nothing_of_the_fences(every: int) -> None:
    """As a machine short of memory does; where each of them is killed no fence is known to hold."""
    code = f"""
import os, signal
from lhs_hf.evaluation.sandbox import selftest
fences, memory = selftest.working_fences()
print(fences.seccomp, fences.landlock)
fork, forks = os.fork, 0
def killed():
    global forks
    pid, chosen = fork(), not forks % {every}
    if chosen and not pid:
        signal.pause()  # so that it has said nothing when it is killed, on any machine
    if chosen:
        os.kill(pid, signal.SIGKILL)
    forks += 1
    return pid
os.fork = killed
fences, memory = selftest.working_fences()
print(fences.seccomp, fences.landlock)
"""
    *before, seccomp, landlock = _python(code).split()
    assert [seccomp, landlock] == (before if every > 1 else ["False", "False"])


def _status(pid: int) -> dict[str, str]:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


def _children(pid: int) -> list[int]:
    return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def test_children_have_no_capabilities() -> None:
    """Those of a root parent included; what an exec could bring back is gone where it may be given up."""
    if not Path(f"/proc/self/task/{os.getpid()}/children").exists():
        pytest.skip("this kernel does not list children")
    with Evaluator(TASK) as evaluator:
        assert evaluator.evaluate(evaluator.task.template).ok
        [zygote] = evaluator.process_ids
        children = _children(zygote)
        assert children, "a spare child waits"
        for pid in (zygote, *children):
            status = _status(pid)
            for kind in ("CapInh", "CapPrm", "CapEff", "CapAmb"):
                assert int(status[kind], 16) == 0, (pid, kind)
            assert int(status["CapBnd"], 16) == 0 or int(_status(os.getpid())["CapEff"], 16) == 0
            assert status["NoNewPrivs"] == "1"


def test_capabilities_that_are_left_are_found_out() -> None:
    if int(_status(os.getpid())["CapPrm"], 16) == 0:
        pytest.skip("this process has no capabilities to keep")
    code = """
from lhs_hf.evaluation.sandbox.fences import FenceError, Fences
keeps = Fences()
keeps._numbers = keeps._numbers | {"capset": keeps._numbers["getpid"]}
try:
    keeps.prepare()
except FenceError as error:
    print(error)
"""
    assert "capabilities are left" in _python(code)


def _advice(*numbers: int) -> str:
    """A program that gives advice on a page of its own; it raises what the kernel said."""
    return HEAD + (
        "    import ctypes\n"
        "    libc = ctypes.CDLL(None, use_errno=True)\n"
        "    libc.mmap.restype = ctypes.c_void_p\n"
        "    at = ctypes.c_void_p(libc.mmap(None, ctypes.c_size_t(4096), 3, 0x22, -1, ctypes.c_long(0)))\n"
        "    said = []\n"
        f"    for advice in {numbers!r}:\n"
        "        failed = libc.madvise(at, ctypes.c_size_t(4096), advice)\n"
        "        said.append(ctypes.get_errno() if failed else 0)\n"
        "    raise ValueError(said)\n"
    )


def test_only_the_advice_of_allocators_passes() -> None:
    # Remove, mergeable, wipe on fork, cold, pageout, populate, collapse, poison, offline, guard; and one above 32 bits.
    harmful = (9, 12, 18, 20, 21, 22, 23, 25, 100, 101, 102, -1, 2**32 + 100)
    with Evaluator(TASK, limits=Limits(memory_mb=128)) as evaluator:
        assert f"[{', '.join('1' for _ in harmful)}]" in evaluator.evaluate(_advice(*harmful)).message
        # A shared page can not be freed lazily, and a kernel may lack huge pages: anything but a refusal.
        said = evaluator.evaluate(_advice(0, 4, 8, 14, 15)).message
        assert said.startswith("instance 0: ValueError: [0, 0, ")
        assert "1" not in said.partition("[")[2].partition("]")[0].replace("22", "").split(", ")
