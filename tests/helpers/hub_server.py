"""A Hub on this machine, in memory: what `huggingface_hub` and `datasets` ask for, and faults to order.

    with HubServer() as hub:
        subprocess.run([...], env={**os.environ, **hub.environment(cache)})

Clients read `HF_ENDPOINT` when they are imported, so they run in processes of their own.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from hub_cards import card_errors

OWNER_TOKEN = "hf_" + "a" * 34
STRANGER_TOKEN = "hf_" + "b" * 34
WRONG_TOKEN = "hf_" + "c" * 34
DATE = "2025-01-01T00:00:00.000Z"
LFS_SUFFIXES = {".safetensors", ".parquet", ".png", ".bin", ".sqlite"}
_REPOSITORY = r"(?P<id>[\w.-]+/[\w.-]+)"
_API = rf"/api/(?P<kind>models|datasets|spaces)/{_REPOSITORY}"


@dataclass
class Commit:
    """One state of a repository: text of each file, and who came before."""

    files: dict[str, bytes]
    title: str
    parent: str | None = None


@dataclass
class Repository:
    """Branches and tags name commits; a commit holds whole files."""

    private: bool = False
    gated: bool = False
    commits: dict[str, Commit] = field(default_factory=dict)
    branches: dict[str, str] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)

    def commit(self, files: dict[str, bytes], title: str, branch: str = "main") -> str:
        """Add a commit at the end of a branch and return its identity."""
        parent = self.branches.get(branch)
        identity = hashlib.sha1(f"{parent}{title}{len(self.commits)}".encode()).hexdigest()
        self.commits[identity] = Commit(files, title, parent)
        self.branches[branch] = identity
        return identity

    def find(self, revision: str) -> str | None:
        """The commit of a branch, tag or commit name."""
        named = self.branches.get(revision) or self.tags.get(revision)
        return named or (revision if revision in self.commits else None)

    def files(self, revision: str = "main") -> dict[str, bytes]:
        """The files of a revision, by path."""
        return self.commits[self.find(revision) or ""].files


class Refused(Exception):
    """An answer that is an error: status, message, and the code that clients tell errors apart by."""

    def __init__(self, status: int, message: str, code: str = "") -> None:
        super().__init__(message)
        self.status, self.code = status, code


class HubServer:
    """The server. Orders for faults are attributes:

    `cut_uploads_after`: bytes of a large file after which its connection is cut; `cut_downloads`: SHA-256 of files
    whose download breaks off in the middle; `requests`: every request so far, as "METHOD path".
    """

    def __init__(self) -> None:
        self.users = {OWNER_TOKEN: "lhs-hf", STRANGER_TOKEN: "stranger"}
        self.repositories: dict[tuple[str, str], Repository] = {}
        self.objects: dict[str, bytes] = {}
        self.cut_uploads_after: int | None = None
        self.cut_downloads: set[str] = set()
        self.requests: list[str] = []
        self.lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self.endpoint = f"http://127.0.0.1:{self._server.server_port}"
        # Another host, as far as a client can tell: it reads a file's metadata off a redirect to elsewhere.
        self.storage = f"http://localhost:{self._server.server_port}"

    def __enter__(self) -> HubServer:
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def environment(self, home: Path, token: str | None = OWNER_TOKEN, offline: bool = False) -> dict[str, str]:
        """Variables for a client with a home (cache, saved login) of its own."""
        values = {
            "HF_ENDPOINT": self.endpoint,
            "HF_HOME": str(home),
            "HF_HUB_CACHE": str(home / "hub"),
            "HF_DATASETS_CACHE": str(home / "datasets"),
            "HF_HUB_OFFLINE": str(int(offline)),
            "HF_HUB_DISABLE_XET": "1",
            "HF_HUB_DISABLE_TELEMETRY": "1",
            # Where there are only pickles, transformers would ask a service outside for a conversion.
            "DISABLE_SAFETENSORS_CONVERSION": "1",
            "HF_HUB_DISABLE_PROGRESS_BARS": "1",
            # A busy machine may answer late; no test waits for a timeout.
            "HF_HUB_ETAG_TIMEOUT": "120",
            "HF_HUB_DOWNLOAD_TIMEOUT": "120",
            "HF_TOKEN": token or "",
            "no_proxy": "127.0.0.1,localhost",
            "NO_PROXY": "127.0.0.1,localhost",
        }
        return values

    def add(self, name: str, files: dict[str, bytes] | Path, kind: str = "models", **options: Any) -> Repository:
        """A repository with one commit, from a folder or from its files."""
        if isinstance(files, Path):
            paths = [path for path in files.rglob("*") if path.is_file()]
            files = {path.relative_to(files).as_posix(): path.read_bytes() for path in paths}
        repository = Repository(**options)
        repository.commit(files, "initial commit")
        self.repositories[kind, name] = repository
        return repository


class _Request(BaseHTTPRequestHandler):
    hub: HubServer
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        pass

    # -- who asks, and what for

    def _user(self) -> str | None:
        header = self.headers.get("Authorization")
        if not header:
            return None
        user = self.hub.users.get(header.removeprefix("Bearer ").strip())
        if user is None:
            raise Refused(401, "Invalid credentials in Authorization header")
        return user

    def _repository(self, kind: str, name: str, write: bool = False) -> Repository:
        user = self._user()
        repository = self.hub.repositories.get((kind, name))
        owner = name.split("/")[0]
        if repository is None or (repository.private and user != owner):
            if user is None:
                raise Refused(401, "Invalid username or password.")
            raise Refused(404, "Repository not found", "RepoNotFound")
        if write and user != owner:
            raise Refused(403, f"You don't have the required permissions to write to {name}")
        return repository

    def _commit(self, repository: Repository, revision: str) -> str:
        identity = repository.find(unquote(revision))
        if identity is None:
            raise Refused(404, f"Invalid rev id: {revision}", "RevisionNotFound")
        return identity

    # -- answers

    def _body(self) -> bytes:
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def _send(self, status: int, body: bytes = b"", **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        if "Content_Length" not in headers:
            self.send_header("Content-Length", str(len(body)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def _json(self, value: Any, status: int = 200) -> None:
        self._send(status, json.dumps(value).encode(), Content_Type="application/json")

    def _answer(self) -> None:
        path = urlsplit(self.path).path
        self.hub.requests.append(f"{self.command} {unquote(path)}")
        method = "GET" if self.command == "HEAD" else self.command
        try:
            for verb, pattern, answer in _ROUTES:
                found = re.fullmatch(pattern, path)
                if verb == method and found:
                    answer(self, **{name: unquote(value or "") for name, value in found.groupdict().items()})
                    return
            raise Refused(404, f"this Hub has no {self.command} {path}")
        except Refused as refused:
            # What is unread of the body would be taken for the next request.
            self.close_connection = True
            headers = {"X_Error_Code": refused.code} if refused.code else {}
            body = json.dumps({"error": str(refused)}).encode()
            self._send(refused.status, body, X_Error_Message=str(refused), **headers)

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = _answer

    # -- accounts and repositories

    def whoami(self) -> None:
        user = self._user()
        if user is None:
            raise Refused(401, "Invalid username or password.")
        self._json({"type": "user", "name": user, "auth": {"accessToken": {"role": "write"}}, "orgs": []})

    def validate_card(self) -> None:
        asked = json.loads(self._body())
        errors = card_errors(asked["content"], asked["repoType"])
        self._json({"errors": [{"message": error} for error in errors], "warnings": []}, 400 if errors else 200)

    def create(self) -> None:
        asked = json.loads(self._body())
        user = self._user()
        owner = asked.get("organization") or user
        if user is None:
            raise Refused(401, "Invalid username or password.")
        if owner != user:
            raise Refused(403, f"You don't have the rights to create a repository under {owner}")
        key = (asked.get("type", "model") + "s", f"{owner}/{asked['name']}")
        url = f"{self.hub.endpoint}/{_prefix(key[0])}{key[1]}"
        if key in self.hub.repositories:
            self._json({"error": "You already created this repo", "url": url}, 409)
            return
        # Older clients send a flag, newer ones a word.
        private = bool(asked.get("private")) or asked.get("visibility") == "private"
        self.hub.add(key[1], {".gitattributes": b""}, key[0], private=private)
        self._json({"url": url, "name": key[1], "id": key[1]})

    def delete(self) -> None:
        asked = json.loads(self._body())
        name = f"{asked.get('organization') or self._user()}/{asked['name']}"
        kind = asked.get("type", "model") + "s"
        self._repository(kind, name, write=True)
        del self.hub.repositories[kind, name]
        self._json({})

    def info(self, kind: str, id: str, revision: str = "main") -> None:
        repository = self._repository(kind, id)
        identity = self._commit(repository, revision or "main")
        siblings = [{"rfilename": path} for path in sorted(repository.commits[identity].files)]
        self._json(
            {"id": id, "modelId": id, "sha": identity, "private": repository.private, "gated": repository.gated}
            | {"siblings": siblings, "tags": [], "lastModified": DATE, "createdAt": DATE, "disabled": False}
        )

    def refs(self, kind: str, id: str) -> None:
        repository = self._repository(kind, id)
        named = {"branches": ("heads", repository.branches), "tags": ("tags", repository.tags)}
        answer: dict[str, Any] = {"converts": []}
        for name, (folder, refs) in named.items():
            answer[name] = [
                {"name": ref, "ref": f"refs/{folder}/{ref}", "targetCommit": identity} for ref, identity in refs.items()
            ]
        self._json(answer)

    def history(self, kind: str, id: str, revision: str) -> None:
        repository = self._repository(kind, id)
        identity: str | None = self._commit(repository, revision)
        entries = []
        while identity is not None:
            commit = repository.commits[identity]
            entries.append({"id": identity, "title": commit.title, "message": "", "authors": [], "date": DATE})
            identity = commit.parent
        self._json(entries)

    def add_ref(self, kind: str, id: str, ref: str, name: str) -> None:
        repository = self._repository(kind, id, write=True)
        asked = json.loads(self._body() or b"{}")
        refs = repository.branches if ref == "branch" else repository.tags
        # A tag's URL names what is tagged, a branch's URL the branch.
        new, start = (name, asked.get("startingPoint", "main")) if ref == "branch" else (asked["tag"], name)
        if new in refs:
            raise Refused(409, f"Reference already exists: {new}")
        refs[new] = self._commit(repository, start)
        self._json({})

    def drop_ref(self, kind: str, id: str, ref: str, name: str) -> None:
        repository = self._repository(kind, id, write=True)
        refs = repository.branches if ref == "branch" else repository.tags
        if refs.pop(name, None) is None:
            raise Refused(404, f"Invalid rev id: {name}", "RevisionNotFound")
        self._json({})

    # -- reading files

    def tree(self, kind: str, id: str, revision: str, path: str = "") -> None:
        repository = self._repository(kind, id)
        identity = self._commit(repository, revision)
        files = repository.commits[identity].files
        folder = path.strip("/") + "/" if path.strip("/") else ""
        if folder and not any(name.startswith(folder) for name in files):
            raise Refused(404, f"{path} does not exist on {revision}", "EntryNotFound")
        recursive = "recursive=true" in self.path.lower()
        entries: dict[str, dict] = {}
        for name, data in sorted(files.items()):
            if not name.startswith(folder):
                continue
            parts = name[len(folder) :].split("/")
            for depth in range(1, len(parts) if recursive else min(2, len(parts))):
                above = folder + "/".join(parts[:depth])
                entries.setdefault(above, {"type": "directory", "path": above, "oid": _git_hash(above.encode())})
            if recursive or len(parts) == 1:
                entries[name] = _entry(name, data)
        self._json(list(entries.values()))

    def paths(self, kind: str, id: str, revision: str) -> None:
        repository = self._repository(kind, id)
        files = repository.commits[self._commit(repository, revision)].files
        body = self._body()
        if self.headers.get("Content-Type", "").startswith("application/json"):
            wanted = json.loads(body)["paths"]
        else:
            wanted = [
                unquote(value.split("=")[1].replace("+", " "))
                for value in body.decode().split("&")
                if "paths=" in value
            ]
        entries = []
        for path in [wanted] if isinstance(wanted, str) else wanted:
            if path in files:
                entries.append(_entry(path, files[path]))
            elif any(name.startswith(path.rstrip("/") + "/") for name in files):
                entries.append({"type": "directory", "path": path, "oid": _git_hash(path.encode())})
        self._json(entries)

    def resolve(self, prefix: str, id: str, revision: str, path: str) -> None:
        kind = prefix.strip("/") or "models"
        repository = self._repository(kind, id)
        identity = self._commit(repository, revision)
        if repository.gated and self._user() != id.split("/")[0]:
            status = 401 if self._user() is None else 403
            raise Refused(status, f"Access to model {id} is restricted: ask for it on its page", "GatedRepo")
        data = repository.commits[identity].files.get(path)
        if data is None:
            self._send(
                404,
                b"Entry not found",
                X_Error_Code="EntryNotFound",
                X_Error_Message="Entry not found",
                X_Repo_Commit=identity,
            )
            return
        headers = {"X_Repo_Commit": identity, "Accept_Ranges": "bytes"}
        if not _is_large(path):
            self._content(data, False, ETag=f'"{_git_hash(data)}"', **headers)
            return
        oid = hashlib.sha256(data).hexdigest()
        self.hub.objects[oid] = data
        headers |= {"X_Linked_Etag": f'"{oid}"', "X_Linked_Size": str(len(data))}
        self._send(302, Location=f"{self.hub.storage}/stored/{oid}/{path}", **headers)

    def stored(self, oid: str, path: str) -> None:
        self._content(self.hub.objects[oid], oid in self.hub.cut_downloads, ETag=f'"{oid}"')

    def _content(self, data: bytes, cut: bool, **headers: str) -> None:
        asked = re.match(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        status = 200
        if asked:
            first, last = int(asked[1]), int(asked[2]) if asked[2] else len(data) - 1
            if first >= len(data):
                raise Refused(416, "Range not satisfiable")
            headers["Content_Range"] = f"bytes {first}-{min(last, len(data) - 1)}/{len(data)}"
            data, status = data[first : last + 1], 206
        if cut and self.command == "GET":
            self._send(status, data[: len(data) // 2], Content_Length=str(len(data)), **headers)
            self.close_connection = True
            return
        self._send(status, data, Content_Length=str(len(data)), **headers)

    # -- writing files

    def preupload(self, kind: str, id: str, revision: str) -> None:
        repository = self._repository(kind, id, write=True)
        self._commit(repository, revision)
        modes = []
        for entry in json.loads(self._body())["files"]:
            mode = "lfs" if _is_large(entry["path"]) else "regular"
            modes.append({"path": entry["path"], "uploadMode": mode, "shouldIgnore": False, "oid": None})
        self._json({"files": modes})

    def batch(self, prefix: str, id: str) -> None:
        self._repository(prefix.strip("/") or "models", id, write=True)
        answers = []
        for wanted in json.loads(self._body())["objects"]:
            if wanted["oid"] not in self.hub.objects:
                href = f"{self.hub.storage}/upload/{wanted['oid']}"
                wanted = {**wanted, "actions": {"upload": {"href": href, "header": {}}}}
            answers.append(wanted)
        self._json({"transfer": "basic", "objects": answers})

    def upload(self, oid: str) -> None:
        limit = self.hub.cut_uploads_after
        if limit is not None:
            self.rfile.read(min(limit, int(self.headers.get("Content-Length") or 0)))
            self.close_connection = True
            self.connection.close()
            return
        data = self._body()
        if hashlib.sha256(data).hexdigest() != oid:
            raise Refused(400, "the content is not what its name says")
        self.hub.objects[oid] = data
        self._send(200, ETag=f'"{oid}"')

    def write(self, kind: str, id: str, revision: str) -> None:
        repository = self._repository(kind, id, write=True)
        with self.hub.lock:
            self._commit(repository, revision)
            if revision not in repository.branches:
                raise Refused(400, f"{revision} is not a branch")
            files = dict(repository.files(revision))
            title = ""
            for line in self._body().splitlines():
                entry = json.loads(line)
                value = entry["value"]
                if entry["key"] == "header":
                    title = value["summary"]
                elif entry["key"] == "file":
                    files[value["path"]] = base64.b64decode(value["content"])
                elif entry["key"] == "lfsFile":
                    files[value["path"]] = self.hub.objects[value["oid"]]
                elif entry["key"] == "deletedFile":
                    del files[value["path"]]
                elif entry["key"] == "deletedFolder":
                    files = {path: data for path, data in files.items() if not path.startswith(value["path"])}
            identity = repository.commit(files, title, revision)
        url = f"{self.hub.endpoint}/{_prefix(kind)}{id}/commit/{identity}"
        self._json({"success": True, "commitOid": identity, "commitUrl": url, "hookOutput": ""})


def _handler(hub: HubServer) -> type[_Request]:
    return type("Request", (_Request,), {"hub": hub})


def _prefix(kind: str) -> str:
    return "" if kind == "models" else f"{kind}/"


def _is_large(path: str) -> bool:
    return Path(path).suffix in LFS_SUFFIXES


def _git_hash(data: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()


def _entry(path: str, data: bytes) -> dict[str, Any]:
    entry: dict[str, Any] = {"type": "file", "path": path, "size": len(data), "oid": _git_hash(data)}
    if _is_large(path):
        entry["lfs"] = {"oid": hashlib.sha256(data).hexdigest(), "size": len(data), "pointerSize": 130}
    return entry


_Answer = Callable[..., None]
_ROUTES: list[tuple[str, str, _Answer]] = [
    ("GET", "/api/whoami-v2", _Request.whoami),
    ("POST", "/api/validate-yaml", _Request.validate_card),
    ("POST", "/api/repos/create", _Request.create),
    ("DELETE", "/api/repos/delete", _Request.delete),
    ("GET", _API, _Request.info),
    ("GET", rf"{_API}/revision/(?P<revision>[^/]+)", _Request.info),
    ("GET", rf"{_API}/refs", _Request.refs),
    ("GET", rf"{_API}/commits/(?P<revision>[^/]+)", _Request.history),
    ("GET", rf"{_API}/tree/(?P<revision>[^/]+)(?P<path>/.*)?", _Request.tree),
    ("POST", rf"{_API}/paths-info/(?P<revision>[^/]+)", _Request.paths),
    ("POST", rf"{_API}/preupload/(?P<revision>[^/]+)", _Request.preupload),
    ("POST", rf"{_API}/commit/(?P<revision>[^/]+)", _Request.write),
    ("POST", rf"{_API}/(?P<ref>branch|tag)/(?P<name>[^/]+)", _Request.add_ref),
    ("DELETE", rf"{_API}/(?P<ref>branch|tag)/(?P<name>[^/]+)", _Request.drop_ref),
    ("POST", rf"/(?P<prefix>datasets/|spaces/)?{_REPOSITORY}\.git/info/lfs/objects/batch", _Request.batch),
    ("PUT", r"/upload/(?P<oid>[0-9a-f]{64})", _Request.upload),
    ("GET", r"/stored/(?P<oid>[0-9a-f]{64})/(?P<path>.+)", _Request.stored),
    (
        "GET",
        rf"/(?P<prefix>datasets/|spaces/)?{_REPOSITORY}/resolve/(?P<revision>[^/]+)/(?P<path>.+)",
        _Request.resolve,
    ),
]
