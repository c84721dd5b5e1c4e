"""System call numbers and the policy of the seccomp filter: what a candidate may call, and what ends it.

Everything that is in neither list fails with EPERM, which Python raises as `PermissionError`: opening and statting
files, threads and forks, signals and their handlers, `prctl`, new timers and limits.
"""

from __future__ import annotations

import platform
import sys
from dataclasses import dataclass


@dataclass(frozen=True)
class Architecture:
    """Numbers of one machine: the AUDIT_ARCH value, system calls by name, and where a foreign ABI starts (or None)."""

    audit: int
    numbers: dict[str, int]
    foreign_abi: int | None


# Computing, memory, clocks, and the one socket a candidate already has.
ALLOWED = (
    "read",
    "write",
    "readv",
    "writev",
    "close",
    "lseek",
    "fstat",
    "munmap",
    "mremap",
    "brk",
    "futex",
    "getrandom",
    "clock_gettime",
    "clock_getres",
    "clock_nanosleep",
    "nanosleep",
    "gettimeofday",
    "time",
    "getpid",
    "getppid",
    "gettid",
    "getuid",
    "geteuid",
    "getgid",
    "getegid",
    "getrusage",
    "times",
    "getcpu",
    "uname",
    "sysinfo",
    "sched_yield",
    "sched_getaffinity",
    "membarrier",
    "rseq",
    "restart_syscall",
    "rt_sigreturn",
    "exit",
    "exit_group",
)

# Allowed unless they would make memory executable.
NO_EXECUTABLE_MEMORY = ("mmap", "mprotect")

# What allocators tell the kernel about their own pages (`madvise`), by its number in the kernel's interface. Other
# advice takes pages from the machine (hardware poison, offlining), merges them with those of other processes, or
# populates and punches holes.
ALLOWED_ADVICE = {"normal": 0, "dontneed": 4, "free": 8, "hugepage": 14, "nohugepage": 15}

# Nothing an honest program stumbles into: the process ends with SIGSYS.
DEADLY = (
    "execve",
    "execveat",
    "ptrace",
    "process_vm_readv",
    "process_vm_writev",
    "socket",
    "socketpair",
    "connect",
    "bind",
    "io_uring_setup",
    "io_uring_enter",
    "io_uring_register",
    "unshare",
    "setns",
    "mount",
    "bpf",
    "perf_event_open",
    "userfaultfd",
    "pidfd_open",
    "pidfd_getfd",
    "pidfd_send_signal",
    "add_key",
    "request_key",
    "keyctl",
)

_COMMON = {
    "pidfd_send_signal": 424,
    "io_uring_setup": 425,
    "io_uring_enter": 426,
    "io_uring_register": 427,
    "pidfd_open": 434,
    "pidfd_getfd": 438,
    "landlock_create_ruleset": 444,
    "landlock_restrict_self": 446,
}

_X86_64 = {
    **{"read": 0, "write": 1, "close": 3, "fstat": 5, "lseek": 8, "mmap": 9, "mprotect": 10, "munmap": 11, "brk": 12},
    **{"rt_sigreturn": 15, "readv": 19, "writev": 20, "sched_yield": 24, "mremap": 25, "madvise": 28, "nanosleep": 35},
    **{"setitimer": 38, "getpid": 39, "socket": 41, "connect": 42, "bind": 49, "socketpair": 53, "execve": 59},
    **{"exit": 60, "uname": 63, "gettimeofday": 96, "getrusage": 98, "sysinfo": 99, "times": 100, "ptrace": 101},
    **{"getuid": 102, "getgid": 104, "geteuid": 107, "getegid": 108, "getppid": 110, "mount": 165, "gettid": 186},
    **{"time": 201, "futex": 202, "sched_getaffinity": 204, "restart_syscall": 219, "clock_gettime": 228},
    **{"clock_getres": 229, "clock_nanosleep": 230, "exit_group": 231, "add_key": 248, "request_key": 249},
    **{"keyctl": 250, "unshare": 272, "perf_event_open": 298, "setns": 308, "getcpu": 309, "process_vm_readv": 310},
    **{"process_vm_writev": 311, "seccomp": 317, "getrandom": 318, "bpf": 321, "execveat": 322, "userfaultfd": 323},
    **{"membarrier": 324, "rseq": 334, "capget": 125, "capset": 126},
}

_AARCH64 = {
    **{"mount": 40, "close": 57, "lseek": 62, "read": 63, "write": 64, "readv": 65, "writev": 66, "fstat": 80},
    **{"exit": 93, "exit_group": 94, "unshare": 97, "futex": 98, "nanosleep": 101, "setitimer": 103},
    **{"clock_gettime": 113, "clock_getres": 114, "clock_nanosleep": 115, "ptrace": 117, "sched_getaffinity": 123},
    **{"sched_yield": 124, "restart_syscall": 128, "rt_sigreturn": 139, "times": 153, "uname": 160, "getrusage": 165},
    **{"getcpu": 168, "gettimeofday": 169, "getpid": 172, "getppid": 173, "getuid": 174, "geteuid": 175},
    **{"getgid": 176, "getegid": 177, "gettid": 178, "sysinfo": 179, "socket": 198, "socketpair": 199, "bind": 200},
    **{"connect": 203, "brk": 214, "munmap": 215, "mremap": 216, "add_key": 217, "request_key": 218, "keyctl": 219},
    **{"execve": 221, "mmap": 222, "mprotect": 226, "madvise": 233, "perf_event_open": 241, "setns": 268},
    **{"process_vm_readv": 270, "process_vm_writev": 271, "seccomp": 277, "getrandom": 278, "bpf": 280},
    **{"execveat": 281, "userfaultfd": 282, "membarrier": 283, "rseq": 293},
    **{"capget": 90, "capset": 91},
}


def architecture() -> Architecture | None:
    """The running machine, None where no filter is written for it (the sandbox then has no seccomp)."""
    if not sys.platform.startswith("linux") or sys.maxsize <= 2**32:
        return None
    machine = platform.machine()
    if machine == "x86_64":
        return Architecture(0xC000003E, _X86_64 | _COMMON, 0x40000000)
    if machine in ("aarch64", "arm64"):
        return Architecture(0xC00000B7, _AARCH64 | _COMMON, None)
    return None
