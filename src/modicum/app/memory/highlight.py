"""Highlights the words of a question in a page, for doors that can show colours."""

from modicum.search.marking import MarkedPiece, asked_words, marked


def marked_words(text: str, question: str) -> tuple[MarkedPiece, ...]:
    """Returns a page in pieces, of which those that the question asks for are to be highlighted."""
    return marked(text, asked_words(question))
