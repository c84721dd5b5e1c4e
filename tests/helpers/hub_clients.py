"""What the tests of the Hub run in processes of their own: a client reads its environment when it is imported."""

LOAD = """
import hashlib, json, sys
import torch
from transformers import AutoModel, AutoModelForCausalLM, AutoTokenizer, pipeline
from lhs_hf import LHSFlow, LHSMapper, LHSModel, LHSSurrogate, ProgramTokenizer
from lhs_hf.models.encoder import load_encoder

program = "def f(a, b):\\n    return a + b\\n"
z = torch.randn(5, 128, generator=torch.Generator().manual_seed(0))


def digest(*tensors):
    return hashlib.sha256(b"".join(t.detach().contiguous().numpy().tobytes() for t in tensors)).hexdigest()


@torch.inference_mode()
def parts(root, task, hub):
    out = {}
    out["flow"] = digest(LHSFlow.from_pretrained(root, **hub).eval()(z).u)
    out["mapper"] = digest(LHSMapper.from_pretrained(root, **hub).eval()(z))
    for folder in ("surrogates", "surrogates-latent"):
        surrogate = LHSSurrogate.from_pretrained(root, subfolder=f"{folder}/{task}", **hub)
        out[folder] = digest(surrogate.eval()(z).score)
    both = AutoModel.from_pretrained(root, **hub).eval()(z)
    out["composite"] = digest(both.u, both.soft_prompt)
    tokenizer = AutoTokenizer.from_pretrained(root, subfolder="decoder", **hub)
    assert type(tokenizer) is ProgramTokenizer
    ids = out["tokenizer"] = tokenizer(program)["input_ids"]
    decoder = AutoModelForCausalLM.from_pretrained(root, subfolder="decoder", **hub).eval()
    out["decoder"] = digest(decoder(torch.tensor([ids])).logits)
    cache = {"cache_folder" if name == "cache_dir" else name: value for name, value in hub.items()}
    encoder = load_encoder(root, subfolder="encoder", device="cpu", **cache)
    out["encoder"] = digest(torch.from_numpy(encoder.encode(program)))
    return out


answers = []
task, roots, compared, saved = json.loads(sys.argv[1])
for root, hub in roots:
    out = parts(root, task, hub)
    answers.append(out)
    if root == compared:
        continue  # its parts are equal or not; a search takes longer
    hub = dict(hub)
    others = {"cache_dir": hub.pop("cache_dir")} if "cache_dir" in hub else {}
    search = pipeline("latent-heuristic-search", model=root, model_kwargs=others, device="cpu", **hub)
    candidates = []
    # Cut short: each of these tokens depends on every weight, and a whole program takes longer.
    search(task, preset="latent", budget=1, guidance=False, workers=1, max_new_tokens=24, listener=candidates.append)
    out["pipeline"] = [[c.program, c.status, c.objective, c.predicted_before, c.predicted_after] for c in candidates]
if saved:
    search.save_pretrained(saved)
print(json.dumps(answers))
"""

# Runs commands of `lhs-hf`, each with variables of its own, and reports their status and what they printed.
COMMANDS = """
import contextlib, io, json, os, sys, time
from lhs_hf.cli import main

time.sleep = lambda seconds: None  # the client waits before it tries again; how long is not what is tested
answers = []
for variables, *command in json.loads(sys.argv[1]):
    os.environ.update(variables)
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main(command)
    lines = [line for line in err.getvalue().splitlines() if line.startswith("error: ")]
    answers.append([status, out.getvalue(), lines])
print(json.dumps(answers))
"""
