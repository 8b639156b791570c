"""What a chat box of 1,400 bytes holds of real packs: python bench/chat_box.py [CONTENT_FOLDER]"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

CONTENT = Path(__file__).parent.parent.parent / "shared" / "reference" / "data" / "sap-devs-content"
WANTED = {
    "the preamble": "prefer sap-devs commands",
    "CAP's constraints": "Never bypass CAP's built-in authentication",
    "CAP's core": "Always run cds lint before committing",
}


def modicum(home: str, *arguments: str) -> str:
    environment = {**os.environ, "HOME": home, "MODICUM_HOME": f"{home}/data"}
    command = [sys.executable, "-m", "modicum.cli.main", *arguments]
    return subprocess.run(
        command, cwd=home, env=environment, capture_output=True, text=True, check=True
    ).stdout


def main() -> None:
    content = sys.argv[1] if len(sys.argv) > 1 else str(CONTENT)
    with tempfile.TemporaryDirectory() as home:
        modicum(home, "source", "add", content)
        said = modicum(
            home, "inject", "--tool", "chatgpt", "--profile", "cap-developer", "--dry-run", "--json"
        )
    text = next(page["text"] for page in json.loads(said)["pages"] if page["path"] is None)
    print(f"{len(text.encode()):,} of 1,400 bytes")
    for name, words in WANTED.items():
        print(f"  {'holds' if words in text else 'LACKS'} {name}")


if __name__ == "__main__":
    main()
