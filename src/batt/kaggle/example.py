"""The example notebook, as text: `batt.kaggle.notebook` splits it into cells. It is not imported and uses no batt."""

# %% [markdown]
# # batt without network
#
# This notebook installs batt from a pack that `batt kaggle pack` made, runs a deck of solvers on the tasks of the
# competition, and writes `submission.json`. It needs two inputs: the dataset with the pack, and the competition. The
# internet may be off.

# %% [markdown]
# ## Find the inputs
#
# They are found wherever they are mounted below `INPUT`. To choose another file of challenges, set `CHALLENGES`.

# %%
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

INPUT = Path(os.environ.get("BATT_INPUT", "/kaggle/input"))
WORKING = Path(os.environ.get("BATT_WORKING", "/kaggle/working"))
DEADLINE = os.environ.get("BATT_DEADLINE", "11h")  # Kaggle stops a notebook after 12 hours.


def files_named(ending: str) -> list[Path]:
    """Return the files below INPUT whose names end with `ending`, those in the fewest folders first."""
    walked = os.walk(INPUT, followlinks=True)
    found = [Path(folder, name) for folder, _, names in walked for name in names if name.endswith(ending)]
    return sorted(found, key=lambda path: (len(path.parts), path))


def find_challenges() -> Path:
    """Return the tasks to answer: the test set if it is there, else the evaluation set, else any other."""
    found = files_named("_challenges.json")
    if not found:
        raise FileNotFoundError(f"no file …_challenges.json below {INPUT}: click 'Add Input' and add the competition")
    words = ("_test_", "_evaluation_", "_training_", "")
    return next(path for word in words for path in found if word in path.name)


def find_pack() -> Path:
    """Return the folder of the pack."""
    found = files_named("batt-pack.json")
    if not found:
        raise FileNotFoundError(f"no file batt-pack.json below {INPUT}: click 'Add Input' and add the dataset")
    return found[0].parent


CHALLENGES = Path(os.environ["BATT_CHALLENGES"]) if "BATT_CHALLENGES" in os.environ else find_challenges()
PACK = find_pack()
print("challenges:", CHALLENGES)
print("pack:", PACK)

# %% [markdown]
# ## Install batt
#
# batt gets an environment of its own, so that no package of this notebook changes. pip checks the hash of every
# wheel. With a GPU, CuPy is installed, too. The compiled kernels are copied to a folder that only this user can write
# to, as batt asks for.

# %%
PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"
HAS_GPU = any(Path("/dev").glob("nvidia[0-9]*"))
WANTED = [f"requirements-{PYTHON}-cuda.txt"] * HAS_GPU + [f"requirements-{PYTHON}.txt"]
REQUIREMENTS = next((PACK / name for name in WANTED if (PACK / name).is_file()), None)
if REQUIREMENTS is None:
    raise FileNotFoundError(f"no wheels for Python {PYTHON} in the pack: batt kaggle pack --python {PYTHON} packs them")

SCRATCH = Path(tempfile.mkdtemp(prefix="batt-"))
ENVIRONMENT, KERNELS = SCRATCH / "environment", SCRATCH / "kernels"
subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(ENVIRONMENT)], check=True)
BATT_PYTHON = ENVIRONMENT / "bin" / "python"
PIP = [sys.executable, "-m", "pip", "--python", str(BATT_PYTHON), "install", "--quiet", "--no-index"]
subprocess.run([*PIP, "--find-links", str(PACK), "--require-hashes", "-r", str(REQUIREMENTS)], check=True)

KERNELS.mkdir(mode=0o700)
for cubin in PACK.glob("*.cubin"):
    shutil.copyfile(cubin, KERNELS / cubin.name)
    (KERNELS / cubin.name).chmod(0o600)


def batt(*words: object) -> None:
    """Run a command of batt, and show what it prints."""
    command = [str(BATT_PYTHON), "-I", "-m", "batt", *map(str, words)]
    # Output here is no terminal, whatever the notebook says.
    environment = {name: value for name, value in os.environ.items() if name != "FORCE_COLOR"}
    environment["BATT_CACHE_DIR"] = str(KERNELS)
    with subprocess.Popen(
        command, cwd=WORKING, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        for line in process.stdout or ():
            print(line, end="")
    if process.returncode:
        raise RuntimeError(f"batt {words[0]} ended with exit code {process.returncode}")


batt("--version")

# %% [markdown]
# ## Run
#
# All GPUs are used if there are some, else all cores. (The speed on several GPUs is not measured.) `submission.json` is
# valid from the first second on, and is replaced when an attempt changes. If this cell runs again, it goes on with the
# stored run.

# %%
RUN, SUBMISSION, DECK = WORKING / "batt-run", WORKING / "submission.json", PACK / "deck.jsonl"
DECKS = ["--deck", DECK] if DECK.is_file() else []
FILES = ["--out", RUN, "--submission", SUBMISSION, "--keep", "hits"]
BEGIN = ["--resume", RUN] if (RUN / "run.batt").is_file() else [*DECKS, "--tasks", CHALLENGES, *FILES]
batt("run", *BEGIN, "--deadline", DEADLINE, *["--use-gpu"] * HAS_GPU)

# %%
batt("submit", "--check", SUBMISSION, "--tasks", CHALLENGES)

# %% [markdown]
# ## What was solved
#
# The first three tasks of which some solver gets all demonstrations right. If a test output is unknown, it is the
# solver's answer.

# %%
from IPython.display import SVG, display  # noqa: E402

HITS = json.loads((RUN / "summary.json").read_text("utf-8"))["hits"]
FIRST = list({hit["task"]: hit for hit in reversed(HITS)}.values())[::-1]
print(f"{len(FIRST)} tasks are fitted by a solver")
for at, hit in enumerate(FIRST[:3]):
    PICTURE = WORKING / f"solved-{at}.svg"
    batt("show", hit["solver"], hit["task"], *DECKS, "--tasks", CHALLENGES, "-o", PICTURE)
    display(SVG(filename=str(PICTURE)))
