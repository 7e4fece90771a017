"""Tokens of a line of an ARFF file: quoted or not, with backslash escapes in quotes."""

from __future__ import annotations

from classica.errors import TableError

_ESCAPED = {"n": "\n", "r": "\r", "t": "\t"}
_SPACE = " \t"
#: The maximum number of categories.
_MOST_LEVELS = 2**20


class Words:
    """A tokenizer of one line.

    Parameters
    ----------
    text : str
        The line.
    source : str
        The file, for errors.
    line : int
        The line number, for errors.
    """

    def __init__(self, text: str, source: str, line: int) -> None:
        self._text, self._source, self._line = text, source, line
        self._position = 0
        self._next_positions: dict[str, int] = {}
        self._skip_space()

    def error(self, kind: str, sentence: str) -> TableError:
        """Return the error for this line."""
        return TableError.at(self._source, kind, sentence, line=self._line)

    def at(self, letter: str) -> bool:
        """Return whether this character comes next."""
        return self._text[self._position : self._position + 1] == letter

    def at_end(self) -> bool:
        """Return whether only a comment follows, if anything."""
        return self._position >= len(self._text) or self.at("%")

    def rest(self) -> str:
        """Return the rest of the line."""
        return self._text[self._position :]

    def keyword(self) -> str:
        """Return the first word in lower case; empty for a line that is empty or a comment."""
        if self.at_end():
            return ""
        return self._plain(_SPACE + "{%").lower()

    def name(self) -> str:
        """Return a token, quoted or up to a space or brace."""
        if self.at("'") or self.at('"'):
            return self._quoted()
        word = self._plain(_SPACE + "{}%,")
        if not word:
            raise self.error("invalid header", f"a name must come here, got {self.rest()[:40]!r}")
        return word

    def levels(self) -> list[str]:
        """Return the categories between braces."""
        body = self._text[self._position + 1 :]
        end = body.find("}")
        if end < 0 or body.count(",") > _MOST_LEVELS:
            rule = f"end with a brace and be at most {_MOST_LEVELS:,}"
            raise self.error("invalid header", f"categories must {rule}, got no brace or more of them")
        plain = not any(letter in body for letter in "'\"\\%")
        levels = self._plain_levels(body, end) if plain else self._quoted_levels()
        if "" in levels:
            raise self.error("invalid header", "a category must have a name, got none")
        return levels

    def _plain_levels(self, body: str, end: int) -> list[str]:
        self._position = len(self._text)
        if body[end + 1 :].strip():
            raise self.error("invalid header", "categories must end their line, got more behind them")
        return [level.strip(_SPACE) for level in body[:end].split(",")]

    def _quoted_levels(self) -> list[str]:
        self._position += 1
        self._skip_space()
        levels = [self.value(",}")[0]]
        while self.take(","):
            levels.append(self.value(",}")[0])
        if not self.take("}") or not self.at_end():
            raise self.error("invalid header", f"categories must end with a brace, got {self.rest()[:40]!r}")
        return levels

    def take(self, letter: str) -> bool:
        """Consume a character if it comes next."""
        position = self.at(letter)
        if position:
            self._position += 1
            self._skip_space()
        return position

    def value(self, ends: str) -> tuple[str, bool]:
        """Return a cell up to one of some characters, and whether it was quoted."""
        if self.at("'") or self.at('"'):
            return self._quoted(), True
        return self._plain(ends, spaces=True), False

    def index(self) -> int | None:
        """Return the index before a value of a sparse row."""
        word = self._plain(_SPACE + ",}%")
        return int(word) if word.isascii() and word.isdigit() and len(word) < 16 else None

    def _next(self, letters: str, position: int) -> int:
        """Return the next position of some characters; cached, so that a line is searched once for each."""
        next_position = self._next_positions.get(letters, -1)
        if next_position < position:
            position = self._text.find(letters, position)
            next_position = self._next_positions[letters] = position if position >= 0 else len(self._text)
        return next_position

    def _skip_space(self) -> None:
        while self._position < len(self._text) and self._text[self._position] in _SPACE:
            self._position += 1

    def _plain(self, ends: str, *, spaces: bool = False) -> str:
        # 50% is a value; a comment after a value is preceded by a space.
        comments = [f"{space}%" for space in _SPACE] if spaces else []
        stop = min(self._next(end, self._position) for end in [*ends, *comments])
        word = self._text[self._position : stop]
        self._position = stop
        self._skip_space()
        return word.rstrip(_SPACE) if spaces else word

    def _quoted(self) -> str:
        quote = self._text[self._position]
        position, parts = self._position + 1, []
        while True:
            close, escape = self._next(quote, position), self._next("\\", position)
            if close >= len(self._text):
                raise self.error("unclosed quote", "a quote must be closed on its line, got none")
            if escape > close:
                break
            letter = self._text[escape + 1 : escape + 2]
            parts += [self._text[position:escape], _ESCAPED.get(letter, letter)]
            position = escape + 2
        parts.append(self._text[position:close])
        self._position = close + 1
        self._skip_space()
        return "".join(parts)
