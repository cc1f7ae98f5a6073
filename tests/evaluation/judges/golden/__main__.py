"""`python -m tests.evaluation.judges.golden` writes the golden files anew, from the prompts as they are now."""

import sys

from tests.evaluation.judges.golden.prompts import FOLDER, rendered

pages = rendered()
for stale in FOLDER.glob("*.txt"):
    if stale.name not in pages:
        stale.unlink()
for name, text in pages.items():
    (FOLDER / name).write_text(text, encoding="utf-8")
sys.stdout.write(f"{len(pages)} files written to {FOLDER}\n")
