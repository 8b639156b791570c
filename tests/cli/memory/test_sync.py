"""modicum sync"""

from modicum.memory.sync.chunks import DAMAGED, machine_of


def elsewhere(world) -> None:
    """Another machine with the same project."""
    world.patch.setenv("MODICUM_HOME", str(world.home / "elsewhere"))


def test_notes_go_to_another_machine_and_back(two_notes) -> None:
    assert two_notes.modicum("sync", "--status").out.startswith(
        "Nothing would come into project.\n2 notes, 1 session, 1 relation would go out of project.\n"
    )
    first = two_notes.modicum("sync")
    (chunk,) = two_notes.path(".modicum/memory").iterdir()
    here = machine_of(chunk.name)
    unconfirmed = f"{here} is not confirmed: what it says a person said is sync:person here (modicum sync --trust {here}).\n"
    elsewhere(two_notes)
    status = two_notes.modicum("sync", "--status", "--json").json
    second = two_notes.modicum("sync")
    again = two_notes.modicum("sync", "--json")

    assert (first.code, first.out) == (
        0,
        "Nothing came into project.\n2 notes, 1 session, 1 relation went out of project.\n",
    )
    assert status == {
        "project": "project",
        "came": {"chunks": 1, "notes": 2, "sessions": 1, "prompts": 0, "relations": 1},
        "went": {"chunks": 0, "notes": 0, "sessions": 0, "prompts": 0, "relations": 0},
        "troubles": [],
        "machine": None,
        "unconfirmed": [here],
    }
    assert (second.code, second.out) == (
        0,
        f"2 notes, 1 session, 1 relation came into project.\nNothing went out of project.\n{unconfirmed}",
    )
    assert not any([*again.json["came"].values(), *again.json["went"].values()])
    assert "Lock errors" in two_notes.modicum("search", "begin immediate").out


def test_a_person_confirms_a_machine_and_an_agent_does_not(two_notes) -> None:
    two_notes.modicum("sync")
    (chunk,) = two_notes.path(".modicum/memory").iterdir()
    here = machine_of(chunk.name)
    elsewhere(two_notes)
    two_notes.modicum("sync")
    with two_notes.patch.context() as agent:
        agent.setenv("CLAUDECODE", "1")
        refused = two_notes.modicum("sync", "--trust", here)

    assert refused.code == 4
    assert "only a person confirms a machine (run it yourself in a terminal" in refused.err
    assert "not confirmed" not in two_notes.modicum("sync", "--trust", here).out
    assert "not confirmed" in two_notes.modicum("sync", "--distrust", here).out


def test_a_damaged_chunk_is_named_and_the_exit_code_says_so(two_notes) -> None:
    two_notes.modicum("sync")
    (chunk,) = two_notes.path(".modicum/memory").iterdir()
    assert two_notes.modicum("sync", "--check").out == "2 notes, 1 session, 1 relation in 1 chunk.\n"
    chunk.write_bytes(b"half")
    elsewhere(two_notes)
    said, checked = two_notes.modicum("sync"), two_notes.modicum("sync", "--check", "--json")

    assert said.code == checked.code == 1
    assert said.err == f"modicum: {chunk.name}: {DAMAGED}\n"
    assert checked.json["troubles"][0]["chunk"] == chunk.name


def test_a_folder_that_leads_elsewhere_is_refused_in_one_line(two_notes) -> None:
    two_notes.path(".modicum").mkdir(exist_ok=True)
    two_notes.path(".modicum/memory").symlink_to(two_notes.home)
    said = two_notes.modicum("sync")

    assert said.code == 4
    assert "is a link" in said.err
    assert said.err.count("\n") == 1
