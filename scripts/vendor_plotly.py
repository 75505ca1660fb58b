"""Refreshes the vendored Plotly bundle: the version of plotly.js that the installed Python package names, from npm.

Comes in: `plotly.offline.get_plotlyjs_version()` and the npm tarball of that version (`npm pack`, from the registry
that npm is configured for; its address is not kept). Goes out: bundle, licence and receipt in
`templates/assets/vendor/`.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from plotly.offline import get_plotlyjs_version

PACKAGE = "plotly.js-basic-dist-min"
VENDOR = Path(__file__).resolve().parent.parent / "templates" / "assets" / "vendor"


def main() -> int:
    """Packs the one version, takes two members out of it, removes older bundles; 0 when all three files are written."""
    version = get_plotlyjs_version()
    with tempfile.TemporaryDirectory() as folder:
        command = ["npm", "pack", "--silent", f"{PACKAGE}@{version}"]
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        (tarball,) = Path(folder).glob("*.tgz")
        with tarfile.open(tarball) as archive:
            bundle = member(archive, "package/plotly-basic.min.js")
            licence = member(archive, "package/LICENSE")
            about = json.loads(member(archive, "package/package.json"))
    if (about["name"], about["version"]) != (PACKAGE, version):
        print(f"npm gave {about['name']} {about['version']}, wanted {PACKAGE} {version}", file=sys.stderr)
        return 1
    receipt = {
        "name": PACKAGE,
        "version": version,
        "sha256": hashlib.sha256(bundle).hexdigest(),
        "license": about["license"],
        "source": f"npm pack {PACKAGE}@{version}: package/plotly-basic.min.js, unchanged",
    }
    VENDOR.mkdir(parents=True, exist_ok=True)
    for old in VENDOR.glob("plotly-basic-*.min.js"):
        old.unlink()
    (VENDOR / f"plotly-basic-{version}.min.js").write_bytes(bundle)
    (VENDOR / "plotly-basic.LICENSE").write_bytes(licence)
    (VENDOR / "plotly-basic.json").write_text(json.dumps(receipt, indent=2) + "\n", encoding="utf-8")
    print(f"{PACKAGE} {version}, {len(bundle):,} bytes, SHA-256 {receipt['sha256']}")
    return 0


def member(archive: tarfile.TarFile, name: str) -> bytes:
    """The bytes of one plain file in the tarball."""
    file = archive.extractfile(name)
    if file is None:
        raise FileNotFoundError(name)
    return file.read()


if __name__ == "__main__":
    sys.exit(main())
