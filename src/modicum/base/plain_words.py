"""Says at a glance that a text cannot hold a secret, so that hooks need not load the rules. Pure."""

SHORTEST_KEY = 15  # letters: no rule takes fewer without a word or a sign before them
_HEX = "0123456789abcdef-"
_SIGNS = (
    *(":", "=", "$", "pass", "pwd", "senha", "token", "secret", "credential", "key", "kennwort", "ssws"),
    *(
        "sqlplus",
        "sqlcl",
        "expdp",
        "impdp",
        "sqlldr",
        "rman target",
        "mysql",
        "mariadb",
    ),  # programs that take a password among their words
)


def is_plain(text: str) -> bool:
    """Returns True if a text has only plain words: short ones and hexadecimal ids, and nothing that announces a secret."""
    small = text.lower()
    if any(sign in small for sign in _SIGNS) or not (text.isascii() or text.isalpha()):
        return False
    return all(len(word) < SHORTEST_KEY or not word.strip(_HEX) for word in text.replace("/", " ").split())
