"""The kernel's fences around a candidate: seccomp, Landlock, prctl, no capabilities. All through ctypes, Linux only."""

from __future__ import annotations

import ctypes
import errno
import os
import resource
import struct
from collections.abc import Iterable

from .syscalls import ALLOWED, ALLOWED_ADVICE, DEADLY, NO_EXECUTABLE_MEMORY, Architecture, architecture

_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_NO_NEW_PRIVS = 1, 4, 38
_PR_CAPBSET_DROP, _PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL = 24, 47, 4
_CAPABILITIES = 64
_CAPABILITY_VERSION_3 = 0x20080522
_SIGKILL = 9
_SECCOMP_SET_MODE_FILTER = 1
# Without it older kernels turn on speculation guards that slow the whole program down.
_SECCOMP_FILTER_FLAG_SPEC_ALLOW = 4
_ALLOW, _KILL_PROCESS, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_LOAD, _JUMP_EQUAL, _JUMP_AT_LEAST, _JUMP_ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _THIRD_ARGUMENT = 0, 4, 32
_PROT_EXEC = 4
_LANDLOCK_VERSION = 1


class FenceError(OSError):
    """The kernel refused a fence."""


def _limit(resources: Iterable[tuple[int, int]]) -> None:
    for kind, bound in resources:
        try:
            resource.setrlimit(kind, (bound, bound))
        except (OSError, ValueError):  # macOS has limits it does not let anybody set
            continue


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


class Fences:
    """Everything a child needs to shut itself in, prepared once before the first fork.

    `seccomp` and `landlock` say which of the two to use; a machine that lacks one has the attribute False.
    """

    def __init__(self, seccomp: bool = True, landlock: bool = True) -> None:
        machine = architecture()
        self._libc = ctypes.CDLL(None, use_errno=True) if machine else None
        self.seccomp = seccomp and machine is not None
        self._landlock_version = 0
        if machine is not None:
            self._numbers = machine.numbers
            self._filter = _assemble(_policy(machine))
            if landlock:
                self._landlock_version = max(0, self._try("landlock_create_ruleset", None, 0, _LANDLOCK_VERSION))
        self.landlock = self._landlock_version > 0

    def prepare(self, inherited: Iterable[tuple[int, int]] = ()) -> None:
        """Raise what children inherit, once, in the process that forks them.

        `inherited`: what `resource.setrlimit` is told. Afterwards this process opens no file. Raises `FenceError`.
        """
        _limit(inherited)
        if self._libc is None:
            return
        for option, value in ((_PR_SET_DUMPABLE, 0), (_PR_SET_NO_NEW_PRIVS, 1)):
            if self._libc.prctl(option, value, 0, 0, 0):
                raise FenceError(ctypes.get_errno(), f"prctl({option})")
        self._drop_capabilities()
        if self.landlock:
            self._restrict_files()

    def close_in(self, parent: int, own: Iterable[tuple[int, int]] = ()) -> None:
        """In a child, after `prepare` in its parent: the other fences. Raises `FenceError`.

        `parent` is the process it must not outlive, `own` what `resource.setrlimit` is told.
        """
        if self._libc is None:
            _limit(own)
            return
        self._libc.prctl(_PR_SET_PDEATHSIG, _SIGKILL, 0, 0, 0)
        if os.getppid() != parent:  # it ended before the death signal was asked for
            os._exit(1)
        _limit(own)
        if self.seccomp:
            program = _Program(len(self._filter) // 8, ctypes.addressof(self._filter))
            flags = _SECCOMP_FILTER_FLAG_SPEC_ALLOW
            self._call("seccomp", _SECCOMP_SET_MODE_FILTER, flags, ctypes.byref(program))

    def _drop_capabilities(self) -> None:
        """What makes root more than a user, given up for good. Raises `FenceError` if any of it is left."""
        assert self._libc is not None
        # Only a process that has capabilities may, and need, give up what an exec could bring back.
        self._libc.prctl(_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
        for number in range(_CAPABILITIES):
            self._libc.prctl(_PR_CAPBSET_DROP, number, 0, 0, 0)
        header = struct.pack("<Ii", _CAPABILITY_VERSION_3, 0)
        self._try("capset", header, bytes(24))
        # Whatever the kernel answered: what counts is what it says afterwards.
        left = ctypes.create_string_buffer(b"\xff" * 24, 24)
        self._call("capget", header, left)
        if any(left.raw):
            raise FenceError(errno.EPERM, f"capabilities are left: {left.raw.hex()}")

    def _restrict_files(self) -> None:
        version = self._landlock_version
        files = (1 << (13 if version == 1 else 14 if version == 2 else 15 if version < 5 else 16)) - 1
        attributes = struct.pack("<QQQ", files, 0b11, 0b11)[: 8 if version < 4 else 16 if version < 6 else 24]
        ruleset = self._call("landlock_create_ruleset", attributes, len(attributes), 0)
        try:
            self._call("landlock_restrict_self", ruleset, 0)
        finally:
            os.close(ruleset)

    def _try(self, name: str, *arguments: object) -> int:
        assert self._libc is not None
        words = [ctypes.c_long(value) if isinstance(value, int) else value for value in arguments]
        return int(self._libc.syscall(ctypes.c_long(self._numbers[name]), *words))

    def _call(self, name: str, *arguments: object) -> int:
        result = self._try(name, *arguments)
        if result < 0:
            raise FenceError(ctypes.get_errno(), f"{name}: {os.strerror(ctypes.get_errno())}")
        return result


def _policy(machine: Architecture) -> list[tuple[int, int, int, int]]:
    """The filter of a child: allow, end or refuse with EPERM, by system call number (and PROT_EXEC, and advice)."""
    numbers = machine.numbers
    verdicts = dict.fromkeys((numbers[name] for name in ALLOWED if name in numbers), "allow")
    verdicts.update((numbers[name], "kill") for name in DEADLY if name in numbers)
    verdicts.update((numbers[name], "executable?") for name in NO_EXECUTABLE_MEMORY)
    verdicts[numbers["madvise"]] = "advice?"
    end = 5 + (machine.foreign_abi is not None) + len(verdicts)
    places = {"refuse": end - 1, "executable?": end, "allow": end + 2, "kill": end + 3, "advice?": end + 5}
    code = [(_LOAD, 0, 0, _ARCHITECTURE)]

    def jump(test: int, value: int, to: str) -> None:
        code.append((test, places[to] - len(code) - 1, 0, value))

    code.append((_JUMP_EQUAL, 1, 0, machine.audit))
    code.append((_RETURN, 0, 0, _KILL_PROCESS))
    code.append((_LOAD, 0, 0, _NUMBER))
    if machine.foreign_abi is not None:
        jump(_JUMP_AT_LEAST, machine.foreign_abi, "kill")
    for number, verdict in sorted(verdicts.items()):
        jump(_JUMP_EQUAL, number, verdict)
    refuse = (_RETURN, 0, 0, _ERRNO | errno.EPERM)
    code += [refuse, (_LOAD, 0, 0, _THIRD_ARGUMENT), (_JUMP_ANY_BIT, 2, 0, _PROT_EXEC)]
    code += [(_RETURN, 0, 0, _ALLOW), (_RETURN, 0, 0, _KILL_PROCESS), refuse]
    # `madvise` reads its advice as a 32-bit number, as this does.
    code.append((_LOAD, 0, 0, _THIRD_ARGUMENT))
    for left, advice in zip(range(len(ALLOWED_ADVICE), 0, -1), ALLOWED_ADVICE.values()):
        code.append((_JUMP_EQUAL, left, 0, advice))
    code += [refuse, (_RETURN, 0, 0, _ALLOW)]
    return code


def _assemble(code: list[tuple[int, int, int, int]]) -> ctypes.Array[ctypes.c_char]:
    packed = b"".join(struct.pack("<HBBI", *instruction) for instruction in code)
    return (ctypes.c_char * len(packed)).from_buffer_copy(packed)
