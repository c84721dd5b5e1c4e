"""Write model_cards/lhs-tiny.md from what its training and the README's searches recorded.

    python scripts/model_card.py

Every figure comes from lhs_hf/pretrained/lhs-tiny/training.json, results/ten_tasks.json or, where it exists,
results/decoder.json; none is typed by hand.
"""

from __future__ import annotations

import json
from pathlib import Path

from lhs_hf.measurement.decoder_table import decoder_section

ROOT = Path(__file__).resolve().parents[1]
MODEL = ROOT / "lhs_hf" / "pretrained" / "lhs-tiny"
CARD = ROOT / "model_cards" / "lhs-tiny.md"

TEMPLATE = """---
license: apache-2.0
library_name: lhs_hf
pipeline_tag: text-generation
tags:
- latent-heuristic-search
- program-synthesis
- combinatorial-optimization
---

# lhs-tiny

Encoder, decoder, flow, mapper and ten surrogates in each of two spaces for Latent Heuristic Search, small enough for
two CPU cores. Trained from scratch on an earlier state of the corpus of `lhs_hf` (2,400 programs, commit a73002a); no
pretrained weights went in.

```python
from transformers import pipeline
import lhs_hf

result = pipeline("latent-heuristic-search")("tsp_construct", budget=100, seed=0)
```

## How it was made

`{command}` at commit `{commit}`, seed {seed}, {threads} threads, torch {torch}. Seconds a stage: {stages}.

Families of programs are split before augmentation; figures below are on validation families unless they say test.

| part | figure |
|---|---:|
| autoencoder: NLL a token (nats) | {autoencoder:.3f} |
| autoencoder: NLL a token, text of a parent with the child's behaviour | {exchange:.3f} |
| mapper: mean NLL a token (nats), decoder frozen | {mapper:.3f} |
| flow: bits a dimension, test families (noise {noise}) | {bits:.3f} |
| full-covariance Gaussian: bits a dimension, same latents | {gaussian:.3f} |

## Surrogates

Spearman's rank correlation on validation families, all programs / better half:

| task | prior space u | latent space z |
|---|---:|---:|
{surrogates}

## Searches with it

Budget {budget}, seed 0, `--init reference`: share of decoder calls whose program was valid and scored.

| task | valid | reference | found | best in corpus |
|---|---:|---:|---:|---:|
{searches}

{decoder}## Limits and risks

Validation families are few (three or four a task), so the correlations above are rough. The decoder knows the
constructs of its corpus and no others. It writes code that nobody has read: run it in the evaluator's process limits,
not in your session, and read a program before you use it.
"""


def render() -> str:
    """The text of the card."""
    record = json.loads((MODEL / "training.json").read_text())
    decoder = decoder_section(ROOT / "results" / "decoder.json", MODEL)
    ten = json.loads((ROOT / "results" / "ten_tasks.json").read_text())
    surrogates = []
    for task, prior in record["surrogates"]["prior"].items():
        cells = [
            f"{entry['eval_spearman']:.2f} / {entry['eval_spearman_better_half']:.2f}"
            for entry in (prior, record["surrogates"]["latent"][task])
        ]
        surrogates.append(f"| `{task}` | {cells[0]} | {cells[1]} |")
    searches = [
        f"| `{row['task']}` | {row['valid']}/{row['decoder_calls']} | {row['reference_objective']:.6g} | "
        f"{row['objective']:.6g} | {row['best_in_corpus']:.6g} |"
        for row in ten["tasks"]
    ]
    parts = record["parts"]
    return TEMPLATE.format(
        command=record["command"],
        commit=record["commit"],
        seed=record["seed"],
        threads=record["machine"]["threads"],
        torch=record["torch"],
        stages=", ".join(f"{name} {entry['seconds']:.0f}" for name, entry in record["stages"].items()),
        autoencoder=parts["autoencoder"]["eval_loss"],
        exchange=parts["autoencoder"]["eval_exchange"],
        mapper=parts["mapper"]["eval_loss"],
        noise=record["flow"]["noise"],
        bits=record["flow"]["test_bits_per_dimension"],
        gaussian=record["flow"]["test_gaussian_bits_per_dimension"],
        surrogates="\n".join(surrogates),
        budget=ten["budget"],
        searches="\n".join(searches),
        decoder=f"## What its decoder does\n\n{decoder}\n\n" if decoder else "",
    )


def main() -> None:
    CARD.parent.mkdir(exist_ok=True)
    CARD.write_text(render())


if __name__ == "__main__":
    main()
