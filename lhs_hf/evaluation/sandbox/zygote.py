"""The process that forks one child per candidate.

Started by exec with a scrubbed environment, it imports numpy and the task, never sees candidate code, and only forks,
kills and reaps. Closing the control socket, however the parent ends, ends it and its child.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import signal
import socket
import sys
from contextlib import suppress
from typing import Any

CONTROL_BYTES = 4096


def _kill_and_reap(pid: int) -> dict[str, Any]:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    _, status, usage = os.wait4(pid, 0)
    return {"status": status, "cpu_s": usage.ru_utime + usage.ru_stime}


def _wait_briefly(pid: int) -> dict[str, Any] | None:
    """Exit status of a child that is about to end by itself; None if it has not within half a second."""
    signal.setitimer(signal.ITIMER_REAL, 0.5)
    try:
        _, status, usage = os.wait4(pid, 0)
        return {"status": status, "cpu_s": usage.ru_utime + usage.ru_stime}
    except InterruptedError:
        return None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def serve(control: socket.socket, task_name: str) -> None:
    """Answer fork and reap requests until the control socket closes."""
    from ...tasks import get_task
    from . import child

    task = get_task(task_name)
    live: int | None = None
    gc.collect()
    gc.freeze()
    control.sendall(b"+")
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, CONTROL_BYTES, 1)
        if not message:
            if live is not None:
                _kill_and_reap(live)
            return
        request = json.loads(message)
        if request["op"] == "fork":
            # Drawn once here, shared by every child; the future of an online task stays with the parent.
            if request["split"] is None:
                _ = task.probes
            elif not task.online:
                task.instances(request["split"])
            live = os.fork()
            if live == 0:
                control.close()
                signal.signal(signal.SIGINT, signal.SIG_DFL)
                child.run_candidate(task, socket.socket(fileno=descriptors[0]))
            for descriptor in descriptors:
                os.close(descriptor)
            control.sendall(json.dumps({"pid": live}).encode())
        elif request["op"] == "reap":
            # A child that has closed its socket is about to exit by itself; only a running one needs the signal.
            answer = _wait_briefly(live or 0) if request["wait"] else None
            answer = answer or _kill_and_reap(live or 0)
            live = None
            control.sendall(json.dumps(answer).encode())


def main() -> None:
    """Entry point: `python -m lhs_hf.evaluation.sandbox.zygote FD TASK`."""

    def interrupt(*_: Any) -> None:
        raise InterruptedError

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGALRM, interrupt)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with socket.socket(fileno=int(sys.argv[1])) as control:
        serve(control, sys.argv[2])


if __name__ == "__main__":
    main()
