"""Which paths and commands a rule names that the repository does not have, and which mentions claim nothing."""

import pytest

from modicum.text.rules.lint import material_of
from modicum.text.rules.repository.manifests import commands_in, together
from modicum.text.rules.repository.missing import RepositoryContent, missing
from modicum.text.rules.rules import RuleSource

PACKAGE = '{"scripts": {"lint": "eslint .", "test": "vitest"}, "devDependencies": {"cowsay": "1"}}'
MAKE = ".PHONY: build clean\nVERSION := 1\nbuild clean: src\n\techo\n"
FILES = frozenset(
    {"src", "src/app.ts", "docs", "docs/guide.md", "web", "web/pages", "web/pages/home.vue", "README.md"}
)


def content(**manifests: str) -> RepositoryContent:
    named = {name.replace("_", "."): text for name, text in manifests.items()}
    return RepositoryContent(
        FILES, together(filter(None, (commands_in(name, text) for name, text in named.items())))
    )


def lacking(text: str, source: str = "AGENTS.md", *, local: bool = True, **manifests: str) -> list[str]:
    material = material_of([RuleSource(source, text, local=local)])
    return [each.why for each in missing(material.mentions, content(**manifests))]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Read `docs/architecture.md` first.", "there is no docs/architecture.md here"),
        ("Look at src/server.ts for the loop.", "there is no src/server.ts here"),
        ("See [the guide](docs/other.md#top).", "there is no docs/other.md here"),
        ("Adjust the count in `deploy/k8s/values.yaml:12`.", "there is no deploy/k8s/values.yaml here"),
        ("Handlers are in `src\\handlers\\`.", "there is no src/handlers/ here"),
        ("The parser is `src/parser`.", "there is no src/parser here"),
        ("Run `python tools/check.py` after that.", "there is no tools/check.py here"),
        ("Start `./tools/server.sh now` by hand.", "there is no tools/server.sh here"),
        ("Read `ARCHITECTURE.md` first.", "there is no ARCHITECTURE.md here"),
    ],
)
def test_a_path_that_is_not_there_is_told(text: str, why: str) -> None:
    assert lacking(text) == [why]


@pytest.mark.parametrize(
    "text",
    [
        "Read `docs/guide.md` and `./src/app.ts` and `pages/home.vue`.",
        "Create `src/commands/new.ts` for it.",
        "Put tests into `tests/unit/`.",
        "If it does not exist, look for `src/plugins/index.ts`.",
        "Files are `src/<name>.ts`, `src/**/*.ts`, `$HOME/x.md`, `~/x/y.md`, `/var/x.sock` and `https://x.org/a.md`.",
        "Icons come from `@acme/icons`, the images are `ghcr.io/acme/x.tar`, `c.example.net/x.tar` and `C:\\x\\y.md`.",
        "Compare against `origin/main`.",
        "Topics look like `site/house/metric`.",
        "Bundles are in `dist/app.js`.",
        "Never commit `secrets/prod.json`.",
        "The old `lib/core.js` was split.",
        "Is there a `docs/missing.md`?",
        "Write it in `.toml`, in `config.ini` or `feat/`.",
        "Run `python` or `python -m tool` or `node -e 'unclosed`.",
        "Read `...` and `` ` `` and `./`.",
        "A `README.md` is in each package.",
    ],
)
def test_what_claims_nothing_about_a_path_is_not_told(text: str) -> None:
    assert lacking(text) == []


def test_a_path_may_start_at_the_folder_of_the_file() -> None:
    assert lacking("Read `pages/home.vue`.", "web/AGENTS.md") == []


def test_a_text_that_is_for_any_repository_claims_nothing() -> None:
    assert lacking("Read `docs/architecture.md`.", local=False) == []


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Run `npm run verify` first.", "there is no `npm run verify` here"),
        ("Run `pnpm verify` and `CI=1 yarn run check`.", "there is no `pnpm verify` here"),
        ("Run `npm start`.", "there is no `npm start` here"),
        ("```bash\n# all\n$ npm run lint && bun run fmt # fast\n```\n", "there is no `bun run fmt` here"),
    ],
)
def test_a_script_that_is_not_there_is_told(text: str, why: str) -> None:
    assert lacking(text, package_json=PACKAGE)[0] == why
    assert lacking(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Run `npm run lint`, `npm test`, `pnpm install`, `yarn vitest`, `pnpm cowsay` and `bun test`, `bun run x.ts`.",
        "Run `npm run` or `npm`, `npm run <name>`, `npx cowsay now`.",
        "Run `npm run x --prefix web`, `pnpm --filter web x`, `cd web && npm run x`.",
        "```python\nnpm run other\n```",
        "Run `|| npm run lint`.",
    ],
)
def test_a_script_that_may_be_there_is_not_told(text: str) -> None:
    assert lacking(text, package_json=PACKAGE) == []


def test_targets_recipes_and_tasks_are_known() -> None:
    said = "Run `make build deploy V=1`, `just fmt x`, `composer qa`, `composer install`, `poe lint` and `make -C x y`."
    wanted = [f"there is no `{each}` here" for each in ("make deploy", "just fmt", "composer qa", "poe lint")]
    manifests = {
        "Makefile": MAKE,
        "justfile": "alias t := test\ntest name='x':\n  echo\n",
        "composer_json": '{"scripts": {}}',
        "pyproject_toml": "[tool.poe.tasks]\ntest = 'x'\n",
    }

    assert lacking(said, **manifests) == wanted
    assert lacking("Run `make clean`, `just t`, `just test`.", **manifests) == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("package.json", "{"),
        ("package.json", "[]"),
        ("Makefile", "include other.mk\nbuild:\n"),
        ("Makefile", "%.o: %.c\n"),
        ("justfile", "import 'x'\n"),
        ("pyproject.toml", "[x"),
        ("pyproject.toml", "[project]\n"),
    ],
)
def test_a_manifest_that_takes_more_from_elsewhere_is_not_asked(name: str, text: str) -> None:
    assert commands_in(name, text) is None


def test_the_manifests_of_a_monorepo_count_together() -> None:
    both = together(
        filter(None, (commands_in(f"{at}/package.json", f'{{"scripts": {{"{at}": ""}}}}') for at in "ab"))
    )

    assert both["node"].names == {"a", "b"}
