# /// script
# requires-python = ">=3.11"
# dependencies = ["lhs-hf[train]"]
# ///
"""How well surrogates rank unseen families if the encoder reads the text alone: results/text_only.json.

    lhs-hf train all --preset text-only --output WORK          (shorter: --steps 600 --variants 500)
    python scripts/benchmarks/measure_text_only.py --work WORK

Runs measure_latents.py on the test families with the model in WORK/export and keeps its surrogates' section, in
the prior and in the latent space, with ridge on TF-IDF and nearest neighbours on the same programs, beside how the
model was trained.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from lhs_hf.reporting.identity import weights_fingerprint
from lhs_hf.search.settings import SPACES

ROOT = Path(__file__).resolve().parents[2]


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, default=Path("training-runs/text-only"))
    parser.add_argument("--split", choices=("validation", "test"), default="test")
    parser.add_argument("--output", type=Path, default=ROOT / "results" / "text_only.json")
    options = parser.parse_args()
    model = options.work / "export"
    section, latent = (_measure(model, options.split, space, options.work) for space in SPACES)
    for found, other in zip((*section["tasks"].values(), section["mean"]), (*latent["tasks"].values(), latent["mean"])):
        found["surrogate_latent"] = other["surrogate"]
    training = _json(model / "training.json")
    recipe = training["recipe"]
    content = {
        "settings": {
            "weights": weights_fingerprint(ROOT / "lhs_hf" / "pretrained" / "lhs-tiny"),
            "weights_text_only": weights_fingerprint(model),
            "split": options.split,
        },
        "training": {
            "encoder": recipe["encoder"],
            "steps": recipe["autoencoder"]["steps"],
            "variants": recipe["variants"],
            **{name: training[name] for name in ("commit", "seed", "machine")},
        },
        "surrogate": section,
    }
    options.output.write_text(json.dumps(content, indent=1) + "\n")
    print(options.output, json.dumps(section["mean"]))


def _measure(model: Path, split: str, space: str, work: Path) -> dict[str, Any]:
    measured = work / f"surrogate-{split}-{space}.json"
    command = ["--model", str(model), "--sections", "surrogate", "--split", split, "--space", space]
    command += ["--database", str(work / f"{split}-{space}.sqlite"), "--output", str(measured)]
    subprocess.run([sys.executable, str(Path(__file__).with_name("measure_latents.py")), *command], check=True)
    return _json(measured)["surrogate"]


def _json(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
