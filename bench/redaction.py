"""How many made-up secrets are masked, and how many harmless look-alikes, beside the patterns before.

python bench/redaction.py [REVISION]: the patterns before are those of text/secrets.py at a revision (HEAD unless given).
"""

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from modicum.text.secrets import redact_secrets

CASES = Path(__file__).parent / "secret_cases"
Redact = Callable[[str], str]


def kinds() -> list[tuple[str, list[tuple[str, list[str]]]]]:
    """Each kind with its texts and the secrets in each of them."""
    found = []
    for line in (CASES / "kinds.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        secrets = ["".join(pieces) for pieces in case["secrets"]]
        texts = ["".join(pieces) for pieces in case["texts"]]
        found.append((case["kind"], [(text, [each for each in secrets if each in text]) for text in texts]))
    return found


def innocent() -> list[str]:
    return (CASES / "innocent.txt").read_text(encoding="utf-8").splitlines()


def at_revision(revision: str) -> Redact:
    """The function of an earlier module."""
    show = ["git", "show", f"{revision}:src/modicum/text/secrets.py"]
    code = subprocess.run(show, capture_output=True, text=True, check=True, cwd=CASES).stdout
    module: dict[str, object] = {"__name__": "before"}
    exec(compile(code, "before", "exec"), module)
    return module["redact_secrets"]  # type: ignore[return-value]


def missed(redact: Redact) -> dict[str, list[str]]:
    """By kind, the texts of which a secret is left."""
    found = {
        kind: [text for text, secrets in texts if any(secret in redact(text) for secret in secrets)]
        for kind, texts in kinds()
    }
    return {kind: texts for kind, texts in found.items() if texts}


def report(name: str, redact: Redact) -> None:
    all_kinds, left = kinds(), missed(redact)
    texts = sum(len(each) for _, each in all_kinds)
    masked = [line for line in innocent() if redact(line) != line]
    lines = len(innocent())
    missed_texts = sum(map(len, left.values()))
    print(f"{name}")
    print(
        f"  kinds found in every text  {len(all_kinds) - len(left)} of {len(all_kinds)} ({1 - len(left) / len(all_kinds):.1%})"
    )
    wholly = sum(len(each) == 3 for each in left.values())
    print(
        f"  kinds found in some text   {len(all_kinds) - wholly} of {len(all_kinds)} ({1 - wholly / len(all_kinds):.1%})"
    )
    print(f"  texts with nothing left    {texts - missed_texts} of {texts} ({1 - missed_texts / texts:.1%})")
    print(f"  look-alikes masked         {len(masked)} of {lines} ({len(masked) / lines:.1%})")


def speed() -> None:
    plain = "The queue moved to SQLite because the token bucket of the API key store was slow.\n" * 12_500
    started = time.process_time()
    redact_secrets(plain)
    print(f"1 MB of prose in {time.process_time() - started:.2f} s of the processor")


def main() -> None:
    report("before", at_revision(sys.argv[1] if len(sys.argv) > 1 else "HEAD"))
    report("now", redact_secrets)
    print("missed now:")
    for kind, texts in missed(redact_secrets).items():
        print(f"  {kind}: {len(texts)} of 3")
    print("look-alikes masked now:")
    for line in innocent():
        if (told := redact_secrets(line)) != line:
            print(f"  {told}")
    speed()


if __name__ == "__main__":
    main()
