"""Parquet files that somebody else made.

A file of some kilobytes may ask for gigabytes: a long text stands once in its dictionary and any number of times in its
column, a page is packed a thousandfold, a footer says what is not so. A process of its own, whose memory and time are
bounded by the kernel, reads such files row group by row group and sends what it read, bounded too.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any

from ..errors import CallError
from .text import one_line

if TYPE_CHECKING:
    import pyarrow as pa

FILE_BYTES = 2**28
CONTENT_BYTES = 2**28
ROWS = 100_000
MEMORY_BYTES = 2**30
_CPU_S, _WALL_S = 60, 300
_BATCH = 64
_REFUSED = 3

_START = (
    "import sys, json; sys.path[:] = json.loads(sys.argv[1]); "
    "from lhs_hf.opening.tables import serve; serve(sys.argv[2:])"
)


def read_batches(paths: Sequence[Path], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """The rows of Parquet files that have this schema, in order, in batches.

    Raises `CallError` for a file that is none or has other columns, and for files that are larger than `FILE_BYTES`
    each, or hold more than `ROWS` rows or `CONTENT_BYTES` bytes together.
    """
    import pyarrow as pa

    for path in paths:
        if not path.is_file():
            raise CallError(f"{path} is no file; expected a Parquet file")
    # Isolated (-I), so that no module of the working directory is imported; this process' own path is given instead.
    wanted = schema.serialize().to_pybytes().hex()
    command = [sys.executable, "-I", "-c", _START, json.dumps(sys.path), wanted, *map(str, paths)]
    with TemporaryFile() as said:
        # The words are this interpreter and code of this module; paths are arguments, never part of the code.
        reader = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=said)  # noqa: S603
        assert reader.stdout is not None
        end = threading.Timer(_WALL_S, reader.kill)
        end.start()
        try:
            with reader.stdout:
                yield from pa.ipc.open_stream(reader.stdout)
        except (pa.ArrowException, OSError) as error:
            broken: str | None = one_line(error, 120)
        else:
            broken = None
        finally:
            # Its output is closed: a reader that still has something to say ends by itself.
            status = reader.wait()
            end.cancel()
        said.seek(0)
        lines = said.read(2**16).decode("utf-8", "replace").strip().splitlines()
    if status == _REFUSED and lines:
        raise CallError(one_line(lines[-1], 400))
    if status or broken:
        raise CallError(
            f"{_named(paths)} can not be read: it needs more than {MEMORY_BYTES} bytes of memory or {_CPU_S} s, or is "
            f"damaged (status {status}: {one_line(lines[-1], 120) if lines else broken})"
        )


def _named(paths: Sequence[Path]) -> str:
    return str(paths[0]) if len(paths) == 1 else f"one of {paths[0]} … {paths[-1]}"


def serve(arguments: Sequence[str]) -> None:
    """In the process of its own: send the rows of files to standard output as an Arrow stream.

    Args:
        arguments: the serialized schema in hexadecimal digits, then the paths.

    Ends with status 3 and one line on standard error for what it refuses.
    """
    import resource

    resource.setrlimit(resource.RLIMIT_CPU, (_CPU_S, _CPU_S))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    import pyarrow as pa

    pa.set_memory_pool(pa.system_memory_pool())
    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)
    # Counts what may be written to, not what libraries map to read.
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_BYTES, MEMORY_BYTES))
    schema = pa.ipc.read_schema(pa.py_buffer(bytes.fromhex(arguments[0])))
    try:
        with pa.ipc.new_stream(sys.stdout.buffer, schema) as stream:
            _send([Path(path) for path in arguments[1:]], schema, stream)
    except CallError as error:
        print(error, file=sys.stderr)
        sys.exit(_REFUSED)


def _send(paths: Sequence[Path], schema: pa.Schema, stream: Any) -> None:
    import pyarrow as pa
    import pyarrow.parquet as parquet

    rows, room = 0, CONTENT_BYTES
    for path in paths:
        if path.stat().st_size > FILE_BYTES:
            raise CallError(f"{path} is larger than {FILE_BYTES} bytes")
        try:
            with parquet.ParquetFile(path, memory_map=False) as file:
                _check_columns(path, file.schema_arrow, schema)
                if file.metadata.num_rows > ROWS:
                    raise CallError(f"{path} holds {file.metadata.num_rows} rows, at most {ROWS} are expected")
                for batch in file.iter_batches(_BATCH, columns=schema.names, use_threads=False):
                    batch.validate(full=True)
                    rows, room = rows + batch.num_rows, room - batch.nbytes
                    if rows > ROWS or room < 0:
                        raise CallError(f"{path} holds more than {ROWS} rows or {CONTENT_BYTES} bytes once unpacked")
                    stream.write_batch(batch.select(schema.names).cast(schema))
        except MemoryError:
            raise CallError(f"{path} needs more than {MEMORY_BYTES} bytes of memory to read") from None
        except (pa.ArrowException, OSError, ValueError) as error:
            if isinstance(error, CallError):
                raise
            raise CallError(f"{path} is no whole Parquet file: {one_line(error)}") from None


def _check_columns(path: Path, found: pa.Schema, schema: pa.Schema) -> None:
    for field in schema:
        if found.names.count(field.name) != 1:
            raise CallError(f"{path} has {found.names.count(field.name)} columns {field.name!r}, expected one")
        kind = found.field(field.name).type
        if _class(kind) != _class(field.type):
            raise CallError(f"{path}: column {field.name!r} holds {one_line(kind, 60)}, expected {field.type}")


def _class(kind: pa.DataType) -> str:
    """What a column holds, whatever its width: others may store the same numbers and texts in wider types."""
    from pyarrow import types

    if types.is_list(kind) or types.is_large_list(kind):
        return f"lists of {_class(kind.value_type)}"
    if types.is_string(kind) or types.is_large_string(kind):
        return "texts"
    return "integers" if types.is_integer(kind) else "numbers" if types.is_floating(kind) else str(kind)
