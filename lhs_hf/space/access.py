"""Who may ask: the names this server goes by, the pages that may send to it, and whose request it is."""

from __future__ import annotations

import ipaddress
import os
import socket
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from urllib.parse import urlsplit

ALLOWED_HOSTS_VARIABLE = "LHS_HF_ALLOWED_HOSTS"
TRUSTED_PROXIES_VARIABLE = "FORWARDED_ALLOW_IPS"
EVERYBODY = "*"
_LOCAL_NAMES = ("localhost",)
_ANYWHERE = ("0.0.0.0", "::", "")  # noqa: S104
_MOST_TOKENS = 4096


@dataclass
class Access:
    """Names of this server, and addresses of proxies whose `X-Forwarded-For` is believed.

    `hosts` may stand in `Host`, and pages of these names may send to this server. `any_address`: a numeric address may
    stand in `Host`, too; only names can be made to point elsewhere (DNS rebinding). "*" in `hosts` or `proxies` allows
    all.
    """

    hosts: frozenset[str] = frozenset()
    any_address: bool = False
    proxies: frozenset[str] = frozenset()
    _tokens: OrderedDict[bytes, str] = field(default_factory=OrderedDict, repr=False)

    @classmethod
    def of(
        cls,
        server_name: str | None = None,
        hosts: Iterable[str] = (),
        proxies: Iterable[str] = (),
        environment: Mapping[str, str] | None = None,
    ) -> Access:
        """What follows from the address that is listened on, from what was allowed by name, and from where this runs.

        On a Space of the Hub its own address is allowed (`SPACE_HOST`) and its proxy believed. The environment
        variables LHS_HF_ALLOWED_HOSTS and FORWARDED_ALLOW_IPS hold further hosts and proxies, with commas.
        """
        environment = os.environ if environment is None else environment
        on_space = "SPACE_ID" in environment
        bound = server_name or environment.get("GRADIO_SERVER_NAME") or ("0.0.0.0" if on_space else "127.0.0.1")  # noqa: S104
        bound = bound.strip("[]").lower()
        names = {*hosts, *_listed(environment.get(ALLOWED_HOSTS_VARIABLE)), *_listed(environment.get("SPACE_HOST"))}
        trusted = {*proxies, *_listed(environment.get(TRUSTED_PROXIES_VARIABLE)), *([EVERYBODY] if on_space else [])}
        anywhere = bound in _ANYWHERE
        names |= {socket.gethostname()} if anywhere else {bound}
        return cls(frozenset(name.lower() for name in names), anywhere, frozenset(trusted))

    def knows_host(self, header: str) -> bool:
        """Whether a `Host` header names this server."""
        name = _host(f"//{header}")
        if name is None:
            return False
        if EVERYBODY in self.hosts or name in self.hosts or name in _LOCAL_NAMES:
            return True
        address = _address(name)
        return address is not None and (address.is_loopback or self.any_address)

    def knows_origin(self, origin: str, host: str) -> bool:
        """Whether a page of this `Origin` may send to the server it calls `host`: its own, or one allowed by name."""
        try:
            parts = urlsplit(origin)
        except ValueError:
            return False
        if parts.scheme not in ("http", "https"):
            return False
        return parts.netloc.lower() == host.lower() or EVERYBODY in self.hosts or self._allowed_by_name(origin)

    def visitor(self, peer: str, forwarded: str | None, token: str | None) -> str:
        """Whose request it is: an address, with a proxy that is believed the one it names; an IPv6 network of 2^64.

        A token belongs to the address it was first seen with, and its limits go with it: no address gets more by
        sending tokens, and no token by coming from several addresses.
        """
        address = peer
        if forwarded and (EVERYBODY in self.proxies or peer in self.proxies):
            address = _outermost(forwarded) or peer
        known = _address(address)
        if isinstance(known, ipaddress.IPv6Address) and known.ipv4_mapped is None:
            address = str(ipaddress.ip_network((known, 64), strict=False))
        if token is None:
            return address
        # What is kept can not be used in the token's place.
        key = sha256(token.encode("utf-8", "replace")).digest()
        first = self._tokens.setdefault(key, address)
        self._tokens.move_to_end(key)
        if len(self._tokens) > _MOST_TOKENS:
            self._tokens.popitem(last=False)
        return first

    def _allowed_by_name(self, origin: str) -> bool:
        # A page on another port of this machine is not this page.
        name = _host(origin)
        return name is not None and name in self.hosts and name not in _LOCAL_NAMES and _address(name) is None


def _listed(text: str | None) -> list[str]:
    return [part.strip() for part in (text or "").split(",") if part.strip()]


def _host(url: str) -> str | None:
    try:
        parts = urlsplit(url)
        _ = parts.port  # raises for what is no port
    except ValueError:
        return None
    if parts.username is not None or parts.path or not parts.hostname:
        return None
    return parts.hostname.rstrip(".")


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None


def _outermost(forwarded: str) -> str | None:
    """The last public address of an `X-Forwarded-For`, else the last of any kind.

    Each proxy appends whom it got the request from: what stands further left, the client may have written itself;
    private addresses at the end are proxies behind the first one.
    """
    addresses = [address for part in forwarded.split(",") if (address := _address(part.strip().strip("[]")))]
    public = [address for address in addresses if address.is_global]
    return str((public or addresses)[-1]) if addresses else None
