"""modicum memory sessions"""


def test_all_of_a_list_is_mentioned_before_any_of_it_is_told_at_length(notes) -> None:
    for number in range(3):
        notes.modicum("memory", "sessions", "start", f"day-{number}")
        notes.modicum("memory", "sessions", "end", f"day-{number}", "--summary", "much was done " * 5)

    page = notes.modicum("memory", "sessions", "list", "--max-tokens", "125", "--json").json

    fates = [item["fate"] for item in page["items"]]
    assert (len(fates), page["omitted"]) == (4, 0)
    assert fates[0] == "shown"
    assert "shortened" in fates
