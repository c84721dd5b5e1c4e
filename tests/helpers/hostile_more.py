"""More programs that attack the sandbox, by class: see `hostile`, whose ways of writing one are used here."""

from __future__ import annotations

import platform
import textwrap
from functools import partial

import hostile
from hostile import HOSTILE, Hostile

CLASSES = ("escape", "memory", "time", "protocol", "descriptors", "processes", "calls", "solutions", "stepping")

_call, _top, _beside, _frames = hostile._call, hostile._top, hostile._beside, hostile._frames
_TIME = hostile._TIME
_ARM = platform.machine() in ("aarch64", "arm64")
_LIBC = "import ctypes, os\nlibc = ctypes.CDLL(None, use_errno=True)\nlibc.mmap.restype = ctypes.c_void_p\n"


def _in_c(name: str, group: str, body: str, kinds: str = "", **settings: object) -> None:
    """An attack in the body of the task's function, with the C library at hand as `libc`."""
    _call(name, group, _LIBC + textwrap.dedent(body).strip("\n"), kinds, **settings)


# --------------------------------------------------------------------------------------------------------------- escape

_in_c(
    "page_zero",
    "escape",
    # Root may map it, and an error of the kernel may then be turned into one's own code.
    """
    page = libc.mmap(None, ctypes.c_size_t(4096), 3, 0x32, -1, ctypes.c_long(0))
    if page != ctypes.c_void_p(-1).value:
        return None
    raise ValueError
    """,
    "exception",
)
_in_c(
    "code_made_writable",
    "escape",
    """
    page = ctypes.cast(libc.getpid, ctypes.c_void_p).value // 4096 * 4096
    for rights in (7, 6, 3, 5):
        libc.mprotect(ctypes.c_void_p(page), ctypes.c_size_t(4096), rights)
        if rights == 3:
            ctypes.memset(page, 0xc3, 4096)
    libc.getpid()
    raise ValueError
    """,
    "crash forbidden_syscall",
)
_in_c(
    "code_moved_and_written",
    "escape",
    """
    libc.mremap.restype = ctypes.c_void_p
    page = ctypes.cast(libc.getpid, ctypes.c_void_p).value // 4096 * 4096
    moved = libc.mremap(ctypes.c_void_p(page), ctypes.c_size_t(0), ctypes.c_size_t(4096), 1)
    if libc.mprotect(ctypes.c_void_p(moved), ctypes.c_size_t(4096), 7) == 0:
        return None
    ctypes.memset(page, 0xc3, 4096)
    """,
    "crash",
)
_in_c(
    "advice_that_poisons_pages",
    "escape",
    """
    page = libc.mmap(None, ctypes.c_size_t(4096), 3, 0x22, -1, ctypes.c_long(0))
    for advice in (100, 101, 12, 9, 25):
        ctypes.set_errno(0)
        if libc.madvise(ctypes.c_void_p(page), ctypes.c_size_t(4096), advice) == 0 or ctypes.get_errno() != 1:
            return None
    raise ValueError
    """,
    "exception",
)
_in_c(
    "capabilities_asked_back",
    "escape",
    """
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    wanted = (ctypes.c_uint32 * 6)(*[0xffffffff] * 6)
    if libc.capset(header, wanted) == 0 or libc.setuid(0) == 0 or libc.personality(0x0400000) != -1:
        return None
    raise ValueError
    """,
    "exception",
)
_top(
    "frames_of_the_interpreter_rewritten",
    "escape",
    """
    import ctypes, sys
    def watch(frame, event, argument):
        for name in ('solution', 'status', 'kind', 'instances'):
            if name in frame.f_locals:
                frame.f_locals[name] = 10**9
                ctypes.pythonapi.PyFrame_LocalsToFast(ctypes.py_object(frame), 0)
    sys.setprofile(watch)
    """,
    # What reaches the parent is no solution, or breaks the process that sends it.
    "infeasible exception exited protocol output_limit",
    honest=True,
    stepping_kinds="ok exception exited protocol crash infeasible",
)
_top(
    "held_out_instances_in_the_heap",
    "escape",
    """
    import gc
    found = [thing for thing in gc.get_objects() if type(thing).__name__ in ('Split', 'KnapsackInstance')]
    if any(getattr(thing, 'name', '').startswith(('holdout', 'test')) for thing in found) or len(found) > 36:
        raise ValueError(found)
    """,
    honest=True,
)
_call(
    "raw_heap_searched",
    "escape",
    hostile._PICK
    + """
import ctypes
libc = ctypes.CDLL(None)
libc.sbrk.restype = ctypes.c_void_p
end = libc.sbrk(ctypes.c_long(0))
if end in (None, ctypes.c_void_p(-1).value):
    raise ValueError('no heap')
pick(ctypes.string_at(end - 2**18, 2**18))
raise ValueError(found)
""",
    "exception crash",
)
_call("finalised_interpreter", "escape", "import ctypes\nctypes.pythonapi.Py_FinalizeEx()\nreturn None", "crash exited")
_call(
    "numpy_beyond_its_array",
    "escape",
    """
    import numpy as np
    wide = np.lib.stride_tricks.as_strided(np.zeros(1), (2**40,), (4096,))
    return wide.sum()
    """,
    "crash",
)

# --------------------------------------------------------------------------------------------------------------- memory

for _name, _body, _kinds in (
    ("width_of_a_format", "return '{:>1000000000000}'.format('')", "memory_limit"),
    ("width_of_a_percent", "return '%1000000000d' % 1", "memory_limit exception"),
    ("integer_shifted_far", "return 1 << 10**13", "memory_limit"),
    ("factorial", "import math\nreturn math.factorial(10**8)", f"memory_limit {_TIME}"),
    (
        "decimal_precision",
        "import decimal\ndecimal.getcontext().prec = decimal.MAX_PREC\nreturn decimal.Decimal(1) / 3",
        "memory_limit",
    ),
    ("hash_that_needs_memory", "import hashlib\nreturn hashlib.scrypt(b'', salt=b'', n=2**20, r=64, p=9)", "exception"),
    ("list_of_itself", "hoard = [0]\nwhile True:\n    hoard *= 2", f"memory_limit {_TIME}"),
    ("text_replaced", "return ('a' * 10**5).replace('a', 'b' * 10**6)", "memory_limit"),
    (
        "object_array_grown",
        "import numpy as np\nreturn np.array([object()] * 10, dtype=object).repeat(10**9)",
        "memory_limit",
    ),
    (
        "exceptions_hoarded",
        "hoard = []\nwhile True:\n    try:\n        raise ValueError(bytearray(1 << 23))\n"
        "    except ValueError as error:\n        hoard.append(error)",
        f"memory_limit {_TIME}",
    ),
):
    _call(_name, "memory", _body, _kinds)
_in_c(
    "pages_shared_and_populated",
    "memory",
    # Shared, private, growing down, kept in memory, huge: whatever the kernel grants counts against the one limit.
    """
    held = 0
    for flags in (0x21, 0x8021, 0x8022, 0x122, 0x2022, 0x40022):
        while True:
            size = 2**23
            start = libc.mmap(None, ctypes.c_size_t(size), 3, flags, -1, ctypes.c_long(0))
            if start == ctypes.c_void_p(-1).value:
                break
            held += size
            if held > 140 * 2**20:
                return None
    raise MemoryError
    """,
    f"memory_limit {_TIME}",
)
_in_c(
    "break_moved",
    "memory",
    "libc.sbrk.restype = ctypes.c_void_p\n"
    "if libc.sbrk(ctypes.c_long(2**30)) == ctypes.c_void_p(-1).value:\n    raise MemoryError\nreturn None",
    "memory_limit",
)
_in_c(
    "everything_unmapped",
    "memory",
    "for start in range(2**16, 2**47 - 2**20, 2**40):\n    libc.munmap(ctypes.c_void_p(start), ctypes.c_size_t(2**40))",
    "crash",
)
_beside(
    "many_mappings",
    "memory",
    """
    import ctypes
    libc = ctypes.CDLL(None)
    libc.mmap.restype = ctypes.c_void_p
    at = libc.mmap(None, ctypes.c_size_t(2**26), 3, 0x22, -1, ctypes.c_long(0))
    for page in range(0, 2**26, 8192):
        libc.mprotect(ctypes.c_void_p(at + page), ctypes.c_size_t(4096), 1)
    select_next_item = honest
    def select_next_item(remaining_capacity, remaining_items):
        return honest(remaining_capacity, remaining_items)
    """,
    f"{_TIME} memory_limit",
    honest=True,
)

# ----------------------------------------------------------------------------------------------------------------- time

_in_c(
    "sleep_until_the_end_of_time",
    "time",
    f"""
    until = (ctypes.c_long * 2)(2**40, 0)
    while True:
        libc.syscall({115 if _ARM else 230}, 1, 1, until, None)
    """,
    "wall_timeout",
)
_in_c(
    "futex_nobody_wakes",
    "time",
    f"""
    word = ctypes.c_int(0)
    while True:
        libc.syscall({98 if _ARM else 202}, ctypes.byref(word), 128, 0, None)
    """,
    "wall_timeout",
)
_in_c(
    "time_spent_in_the_kernel",
    "time",
    """
    while True:
        start = libc.mmap(None, ctypes.c_size_t(2**25), 3, 0x8022, -1, ctypes.c_long(0))
        libc.munmap(ctypes.c_void_p(start), ctypes.c_size_t(2**25))
    """,
    _TIME,
)
_in_c(
    "processor_time_signal_ignored_in_c",
    "time",
    """
    for number in range(1, 64):
        libc.signal(number, ctypes.c_void_p(1))
    blocked = (ctypes.c_ulong * 16)(*[2**64 - 1] * 16)
    libc.sigprocmask(0, blocked, None)
    libc.setitimer(2, bytes(32), None)
    libc.alarm(0)
    while True:
        pass
    """,
    _TIME,
)
for _name, _body in (
    (
        "works_between_clock_ticks",
        "import time\nwhile True:\n    end = time.perf_counter() + 0.001\n    while time.perf_counter() < end:\n"
        "        pass\n    time.sleep(0.0005)",
    ),
    ("hash_repeated_in_c", "import hashlib\nreturn hashlib.pbkdf2_hmac('sha256', b'', b'', 2**31 - 1)"),
    ("keys_that_collide", "return len({(2**61 - 1) * number for number in range(10**6)})"),
    (
        "audit_hook_loops",
        "import sys\ndef hook(*_):\n    while True:\n        pass\nsys.addaudithook(hook)\nsys._getframe()",
    ),
    (
        "context_that_never_exits",
        "class C:\n    def __enter__(self):\n        return self\n    def __exit__(self, *_):\n        while True:\n"
        "            pass\nwith C():\n    raise SystemExit",
    ),
    (
        "finalizer_and_memory_error",
        "class D:\n    def __del__(self):\n        D()\n        while True:\n            pass\n"
        "try:\n    raise MemoryError(D())\nexcept MemoryError:\n    pass\nwhile True:\n    D()",
    ),
):
    _call(_name, "time", _body, _TIME)

# ------------------------------------------------------------------------------------------------------------- protocol

_beside(
    "honest_solutions_byte_by_byte",
    "protocol",
    hostile._FRAME
    + hostile._KNOWN
    + """
task = sys.modules['lhs_hf.tasks.knapsack'].TASK
whole = b''.join(frame(b'S', task.rollout(honest, instance).tobytes()) for instance in known()) + frame(b'D')
for start in range(0, len(whole), 7):
    send(whole[start:start + 7])
os._exit(0)
def select_next_item(remaining_capacity, remaining_items):
    return None
""",
    honest=True,
    stepping_kinds="protocol",
)
_top(
    "frames_sent_at_the_end",
    "protocol",
    hostile._FRAME
    + """
import atexit, gc, threading, weakref
late = lambda *_: send(frame(b'S', numbers(0, -1)) * 100)
class Late:
    __del__ = late
keep, cycle = Late(), Late()
cycle.itself = cycle
del cycle
atexit.register(late)
threading._register_atexit(late)
weakref.finalize(keep, late)
sys.excepthook = sys.unraisablehook = late
""",
    honest=True,
    stepping_kinds="ok",
)
_frames("failure_then_solutions", "protocol", "send(frame(b'E', b'{}') + frame(b'S', numbers(0, -1)) * 32)", "protocol")
_frames(
    "end_with_a_load",
    "protocol",
    "send(struct.pack('<cI', b'D', 8193) + bytes(8193))",
    "protocol output_limit",
    stepping_kinds="protocol output_limit",
)
_frames(
    "gathered_write",
    "protocol",
    "os.writev(3, [frame(b'S', numbers(0, -1))[:7], frame(b'S', numbers(0, -1))[7:], frame(b'D')])",
    "protocol",
)
_frames(
    "solutions_of_no_length",
    "protocol",
    "while True:\n    send(frame(b'S') * 100)",
    "infeasible",
    stepping_kinds="protocol",
)
_top(
    "other_numbers_than_announced",
    "protocol",
    "import sys\nsys.modules['lhs_hf.tasks.knapsack'].TASK.__class__.solution_dtype = 'float32'",
    "protocol infeasible",
    stepping_kinds="ok infeasible exception",
)
_top(
    "longer_than_any_solution",
    "protocol",
    """
    import numpy as np, sys
    sys.modules['lhs_hf.tasks.knapsack'].TASK.rollout = lambda program, instance: np.zeros(10**6, dtype=np.int64)
    """,
    "output_limit",
    # In a session the whole conversation stays in the fenced process.
    stepping_kinds="ok",
)
_frames(
    "error_text_of_every_kind",
    "protocol",
    """send(frame(b'E', b'{"kind": "infeasible", "message": "' + bytes(range(32, 34)) * 3000 + b'"}'))""",
    "protocol infeasible",
)

# ---------------------------------------------------------------------------------------------------------- descriptors

_call("channel_replaced", "descriptors", "import os\nos.close(3)\nos.dup(0)\nreturn None", "exited")
_call("channel_as_a_file", "descriptors", "open(3, 'wb', 0).write(b'S')\nreturn None", "exited protocol output_limit")
_call(
    "channel_as_a_socket",
    "descriptors",
    "import socket\nsocket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, fileno=3).close()\nreturn None",
    "exited",
)
_call("channel_made_deaf", "descriptors", "import os\nos.set_blocking(3, False)\nreturn None", "forbidden")
_call(
    "channel_shut_down",
    "descriptors",
    "import socket\nchannel = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, fileno=3)\n"
    "try:\n    channel.shutdown(2)\nfinally:\n    channel.detach()",
    "forbidden",
)
_beside(
    "standard_files_closed",
    "descriptors",
    """
    import os
    os.closerange(0, 3)
    def select_next_item(remaining_capacity, remaining_items):
        print('into nowhere')
        return honest(remaining_capacity, remaining_items)
    """,
    honest=True,
)
_in_c(
    "descriptors_above_the_limit",
    "descriptors",
    "opened = [libc.dup2(3, number) for number in (4, 100, 5000, 2**20)]\n"
    "opened += [libc.dup(3), libc.eventfd(0, 0), libc.epoll_create1(0), libc.inotify_init()]\n"
    "if any(number >= 0 for number in opened):\n    return None\nraise ValueError(opened)",
    "exception",
)

# ------------------------------------------------------------------------------------------------------------ processes

for _name, _body, _kinds in (
    ("fork_in_c", "raise ValueError(libc.fork())", "exception"),
    ("command_in_c", "raise ValueError(libc.system(b'cat @CANARY_FILE@ >&3'))", "exception"),
    (
        "thread_in_c",
        "word = ctypes.c_ulong()\n"
        "raise ValueError(libc.pthread_create(ctypes.byref(word), None, libc.pause, None) or os._exit(0))",
        "exception",
    ),
    (
        "neighbours_signalled",
        "own = os.getpid()\n"
        "got = [libc.kill(own + near, 9) for near in range(-40, 40)] + [libc.tgkill(own, own, 9), libc.raise_(9)]\n"
        "raise ValueError(got)",
        "exception",
    ),
    ("neighbours_waited_for", "os.waitpid(-1, 0)", "forbidden"),
    ("group_left", "os.setpgid(0, 0)", "forbidden"),
    ("session_led", "os.setsid()", "forbidden"),
    (
        "processors_of_the_parent",
        "os.sched_setaffinity(os.getppid(), {0})",
        "forbidden",
    ),
):
    _in_c(_name, "processes", _body.replace("libc.raise_", "getattr(libc, 'raise')"), _kinds)
_call(
    "processes_spawned",
    "processes",
    "import multiprocessing\nmultiprocessing.get_context('spawn').Process(target=int).start()",
    "forbidden import exception",
)

# --------------------------------------------------------------------------------------------- system calls, directly

# (name, number on x86-64, number on aarch64, arguments)
for _name, _x86, _arm, _arguments in (
    ("setresuid", 117, 147, "0, 0, 0"),
    ("prlimit", 302, 261, "0, 9, (ctypes.c_ulong * 2)(2**63, 2**63), 0"),
    ("timer_create", 222, 107, "0, 0, bytes(8)"),
    ("process_madvise", 440, 440, "3, bytes(16), 1, 21, 0"),
    ("process_mrelease", 448, 448, "3, 0"),
    ("memfd_secret", 447, 447, "0"),
    ("pkey_mprotect", 329, 288, "0, 4096, 7, -1"),
    ("shmat", 30, 196, "0, 0, 0o100000"),
    ("move_pages", 279, 239, "0, 0, 0, 0, 0, 0"),
    ("set_mempolicy", 238, 237, "0, 0, 0"),
    ("ioctl", 16, 29, "3, 0x541b, bytes(8)"),
    ("fcntl", 72, 25, "3, 0, 3"),
    ("setsockopt", 54, 208, "3, 1, 26, bytes(16), 16"),
    ("sendmsg", 46, 211, "3, bytes(56), 0"),
    ("vmsplice", 316, 75, "3, 0, 0, 0"),
    ("fanotify_init", 300, 262, "0, 0"),
    ("inotify_init1", 294, 26, "0"),
    ("kcmp", 312, 272, "os.getpid(), os.getppid(), 0, 3, 3"),
    ("reboot", 169, 142, "0, 0, 0, 0"),
    ("init_module", 175, 105, "0, 0, b''"),
    ("sethostname", 170, 161, "b'x', 1"),
    ("clock_settime", 227, 112, "0, bytes(16)"),
    ("chroot", 161, 51, "b'/'"),
    ("quotactl", 179, 60, "0, 0, 0, 0"),
):
    _in_c(
        f"direct_{_name}",
        "calls",
        f"""
        if libc.syscall({_arm if _ARM else _x86}, {_arguments}) >= 0:
            os._exit(0)
        if ctypes.get_errno() != 1:
            raise PermissionError(13, 'refused by something else: %d' % ctypes.get_errno())
        raise ValueError
        """,
        "exception",
    )

# ------------------------------------------------------------------------------------------------ answers and solutions

_city = partial(_call, group="solutions", task="tsp_construct")
for _name, _body, _kinds in (
    ("answer_masked", "import numpy as np\nreturn np.ma.masked", "infeasible"),
    ("answer_in_an_array", "import numpy as np\nreturn np.array([1])", "infeasible"),
    ("answer_of_another_type", "import numpy as np\nreturn np.datetime64(1, 's')", "infeasible"),
    ("answer_numpy_bool", "import numpy as np\nreturn np.True_", "infeasible"),
    ("answer_float_of_an_id", "return float(unvisited_nodes[0])", "infeasible"),
    (
        "class_of_an_answer_lies",
        "import os\nclass C:\n    __class__ = property(lambda self: os._exit(7))\nreturn C()",
        "exited",
    ),
    (
        "index_of_an_answer_loops",
        "class C:\n    def __index__(self):\n        while True:\n            pass\nreturn C()",
        "wall_timeout cpu_timeout",
    ),
    (
        "index_of_an_answer_is_huge",
        "class C:\n    def __index__(self):\n        return 1 << 10**7\nreturn C()",
        "infeasible exception",
    ),
    (
        "index_of_an_answer_raises_itself",
        "class C(BaseException):\n    def __index__(self):\n        raise self\nreturn C()",
        "exception",
    ),
):
    _city(name=_name, body=_body, kinds=_kinds)
_call(
    "answer_unpickles_itself",
    "solutions",
    """
    import os
    class C:
        def __reduce__(self):
            return os._exit, (9,)
        def __deepcopy__(self, _):
            os._exit(9)
    return C()
    """,
    "infeasible",
)
_call(
    "priorities_that_are_objects",
    "solutions",
    "import numpy as np\nreturn np.array([object()] * len(bins), dtype=object)",
    "infeasible exception",
    task="online_bin_packing",
)
_call(
    "priorities_of_another_shape",
    "solutions",
    "import numpy as np\nreturn np.lib.stride_tricks.as_strided(np.zeros(1), (2**40,), (0,))",
    "infeasible exception memory_limit",
    task="online_bin_packing",
)

# ------------------------------------------------------------------------------------------------------------- stepping

_top("frontier_called", "stepping", "__frontier__()", "exception", stepping_kinds="ok")
_frames(
    "verdict_then_silence",
    "stepping",
    """send(frame(b'V', b'{"reached": 2, "finished": 2}'))\nos.close(3)\ntime.sleep(1000)""",
    "protocol",
    stepping_kinds="ok protocol",
)
_call(
    "channel_closed_and_asleep",
    "stepping",
    "import os, time\nos.close(3)\ntime.sleep(1000)",
    "protocol",
)
_top(
    "verdicts_of_nobody",
    "stepping",
    """
    import sys
    child = sys.modules['lhs_hf.evaluation.sandbox.step_child']
    child._run = lambda *_: {'reached': float('nan'), 'finished': 10**400}
    child._run_whole = lambda *_: {'kind': 'ok', 'message': '', 'reached': 10**9}
    """,
    honest=True,
)
_top(
    "sessions_seed_patched",
    "stepping",
    "import numpy as np, random\nrandom.seed = np.random.seed = lambda *_: 1 // 0",
    honest=True,
    stepping_kinds="ok exception",
)

MORE: tuple[Hostile, ...] = tuple(hostile._programs[len(HOSTILE) :])
