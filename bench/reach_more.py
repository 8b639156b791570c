"""How agent programs that `modicum see --live` does not run are started for bench/reach.py, and what they send."""

import json
import shutil
import tempfile
from pathlib import Path

from modicum.targets.live.model import AgentRequest
from modicum.targets.live.programs import PROMPT, Launch, Program
from modicum.targets.live.request import taken_apart
from modicum.targets.live.run import ask_program
from modicum.targets.live.throwaway import ThrowawayCopy
from reach_layouts import PROJECT


def cline(url: str, root: str) -> Launch:
    chosen = {"provider": "openai-compatible", "apiKey": "stub", "model": "stub", "baseUrl": f"{url}/v1"}
    entry = {"settings": chosen, "updatedAt": "2026-11-16T00:00:00.000Z", "tokenSource": "manual"}
    known = {"version": 1, "lastUsedProvider": "openai-compatible", "providers": {"openai-compatible": entry}}
    return Launch(
        ("--json", "-P", "openai-compatible", "-m", "stub", PROMPT),
        {"CLINE_TELEMETRY_DISABLED": "1"},
        {".cline/data/settings/providers.json": known},
    )


def droid(url: str, root: str) -> Launch:
    model = {"displayName": "stub", "model": "stub", "baseUrl": f"{url}/v1", "apiKey": "stub"}
    more = {"provider": "generic-chat-completion-api", "maxOutputTokens": 1000}
    return Launch(
        ("exec", "-m", "custom:stub-0", PROMPT),
        {"FACTORY_API_KEY": "fk-stub", "FACTORY_AIRGAP_ENABLED": "1", "FACTORY_API_BASE_URL": url},
        {".factory/settings.json": {"customModels": [{**model, **more}]}},
    )


def kilo(url: str, root: str) -> Launch:
    options = {"baseURL": f"{url}/v1", "apiKey": "stub"}
    stub = {"npm": "@ai-sdk/openai-compatible", "options": options, "models": {"stub": {}}}
    settings = {"provider": {"stub": stub}, "model": "stub/stub", "autoupdate": False, "share": "disabled"}
    return Launch(
        ("run", "--model", "stub/stub", PROMPT),
        {"KILO_CONFIG_CONTENT": json.dumps(settings), "KILO_DISABLE_MODELS_FETCH": "1"},
    )


def continue_cli(url: str, root: str) -> Launch:
    model = {"name": "stub", "provider": "openai", "model": "stub", "apiBase": f"{url}/v1", "apiKey": "stub"}
    config = {"name": "stub", "version": "0.0.1", "schema": "v1", "models": [{**model, "roles": ["chat"]}]}
    return Launch(
        ("-p", PROMPT),
        {"CONTINUE_TELEMETRY_ENABLED": "0"},
        lines={".continue/config.yaml": json.dumps(config)},
    )


def pi(url: str, root: str) -> Launch:
    stub = {"baseUrl": f"{url}/v1", "apiKey": "stub", "api": "openai-completions", "models": [{"id": "stub"}]}
    return Launch(
        ("-p", "--provider", "stub", "--model", "stub", PROMPT),
        {"PI_OFFLINE": "1"},
        {".pi/agent/models.json": {"providers": {"stub": stub}}},
    )


def aider(url: str, root: str) -> Launch:
    quiet = (
        "--yes-always",
        "--no-show-model-warnings",
        "--no-check-update",
        "--no-analytics",
        "--no-gitignore",
    )
    return Launch(
        ("--model", "openai/stub", *quiet, "--no-auto-commits", "--no-pretty", "--message", PROMPT),
        {"OPENAI_API_BASE": f"{url}/v1", "OPENAI_API_KEY": "stub", "LITELLM_LOCAL_MODEL_COST_MAP": "True"},
    )


def kimi(url: str, root: str) -> Launch:
    config = (
        f'default_model = "stub"\n[providers.stub]\ntype = "openai"\nbase_url = "{url}/v1"\napi_key = "stub"\n'
        '[models.stub]\nprovider = "stub"\nmodel = "stub"\nmax_context_size = 200000\n'
    )
    return Launch(("-p", PROMPT), {}, lines={".kimi-code/config.toml": config})


def grok(url: str, root: str) -> Launch:
    config = (
        '[models]\ndefault = "stub"\n'
        f'[model.stub]\nmodel = "stub"\nbase_url = "{url}/v1"\napi_key = "stub"\ncontext_window = 200000\n'
    )
    quiet = {"GROK_FOLDER_TRUST": "0", "GROK_DISABLE_AUTOUPDATER": "1"}
    return Launch(("-m", "stub", "-p", PROMPT), quiet, lines={".grok/config.toml": config})


MORE = {
    "cline": Program("cline", "cline", cline),
    "factory": Program("droid", "droid", droid),
    "kilo": Program("kilo", "@kilocode/cli", kilo),
    "continue": Program("cn", "@continuedev/cli", continue_cli),
    "pi": Program("pi", "@mariozechner/pi-coding-agent", pi),
    "aider": Program("aider", "aider-chat", aider),
    "grok": Program("grok", "@xai-official/grok", grok),
    "kimi": Program("kimi", "@moonshot-ai/kimi-code", kimi),
}


def request_of(tool: str, path: str, world: Path, cwd: str, search: str, seconds: float) -> AgentRequest:
    """Runs a program in a copy of a built layout, and returns the first request that it sends."""
    with tempfile.TemporaryDirectory() as room:
        top = Path(room).resolve() / "copy"
        shutil.copytree(world, top, symlinks=True)
        project = top / PROJECT
        copy = ThrowawayCopy(top, project / cwd, top / "home", project, {})
        body = ask_program(MORE[tool], path, copy, {"PATH": search}, seconds)
        return taken_apart(body, without=str(top))
