"""Look up known vulnerabilities of everything that is installed beside this package, with pip-audit.

    python scripts/audit.py

Ends with 1 if there is one that `ACCEPTED` does not argue away. A package index without advisories (a mirror, no
network) can not be asked: then it says how many packages were not looked up, and ends with 0.
"""

from __future__ import annotations

import json
import subprocess
import sys

# Advisory id -> why it does not matter here. Nothing is accepted without a reason.
ACCEPTED: dict[str, str] = {
    "CVE-2023-48022": "Ray runs the code of whoever reaches its ports, by design (disputed): docs/cluster.md says to "
    "keep them inside, the dashboard is off, and programs that are scored reach no network."
}


def main() -> int:
    """Run pip-audit over this environment and say what it knows."""
    command = [sys.executable, "-m", "pip_audit", "--local", "--skip-editable", "--progress-spinner=off", "-f", "json"]
    try:
        result = subprocess.run(command, capture_output=True, text=True, timeout=600)
        packages = json.loads(result.stdout)["dependencies"]
    except (ValueError, subprocess.TimeoutExpired):
        print("pip-audit: the advisory service did not answer; nothing was looked up")
        return 0
    known = [package for package in packages if "vulns" in package]
    open_ones = [
        f"{package['name']} {package['version']}: {each['id']}, mended in {', '.join(each['fix_versions']) or 'none'}"
        for package in known
        for each in package["vulns"]
        if not {each["id"], *each.get("aliases", ())} & ACCEPTED.keys()
    ]
    print(f"pip-audit: {len(known)} packages looked up, {len(packages) - len(known)} unknown to the advisory service")
    if open_ones or known:
        print("\n".join(open_ones) or "pip-audit: no open vulnerability among those looked up")
    return 1 if open_ones else 0


if __name__ == "__main__":
    sys.exit(main())
