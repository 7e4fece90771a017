"""The words of a line of an ARFF file: quoted or not, with backslashes in quotes."""

from __future__ import annotations

from classica.errors import TableError

_ESCAPED = {"n": "\n", "r": "\r", "t": "\t"}
_SPACE = " \t"


class Words:
    """A line, read from left to right.

    Parameters
    ----------
    text : str
        The line.
    source : str
        The file, for errors.
    line : int
        Its number, for errors.
    """

    def __init__(self, text: str, source: str, line: int) -> None:
        self._text, self._source, self._line = text, source, line
        self._place = 0
        self._skip_space()

    def error(self, kind: str, sentence: str) -> TableError:
        """Return the error for this line."""
        return TableError.at(self._source, kind, sentence, line=self._line)

    def at(self, letter: str) -> bool:
        """Return whether this letter comes next."""
        return self._text[self._place : self._place + 1] == letter

    def at_end(self) -> bool:
        """Return whether nothing comes but perhaps a comment."""
        return self._place >= len(self._text) or self.at("%")

    def rest(self) -> str:
        """Return what comes."""
        return self._text[self._place :]

    def keyword(self) -> str:
        """Return the first word in lower case; empty for a line that is empty or a comment."""
        if self.at_end():
            return ""
        return self._plain(_SPACE + "{%").lower()

    def name(self) -> str:
        """Return a word, in quotes or up to a space or brace."""
        if self.at("'") or self.at('"'):
            return self._quoted()
        word = self._plain(_SPACE + "{}%,")
        if not word:
            raise self.error("invalid header", f"a name must come here, got {self.rest()[:40]!r}")
        return word

    def levels(self) -> list[str]:
        """Return the categories between braces."""
        body = self._text[self._place + 1 :]
        plain = body.find("}")
        if plain >= 0 and not any(letter in body for letter in "'\"\\%"):
            self._place = len(self._text)
            if body[plain + 1 :].strip():
                raise self.error("invalid header", "categories must end their line, got more behind them")
            levels = [level.strip() for level in body[:plain].split(",")]
            if "" in levels:
                raise self.error("invalid header", "a category must have a name, got none between two commas")
            return levels
        self._place += 1
        self._skip_space()
        levels = []
        while True:
            levels.append(self.value(",}")[0] or "")
            if not levels[-1]:
                raise self.error("invalid header", "a category must have a name, got none")
            if self.take("}"):
                return levels
            if not self.take(","):
                raise self.error(
                    "invalid header", "categories must end with a brace, got the end of the line"
                )

    def take(self, letter: str) -> bool:
        """Go over a letter if it comes next."""
        found = self.at(letter)
        if found:
            self._place += 1
            self._skip_space()
        return found

    def value(self, ends: str) -> tuple[str, bool]:
        """Return a cell up to one of some letters, and whether it was quoted."""
        if self.at("'") or self.at('"'):
            return self._quoted(), True
        return self._plain(ends, spaces=True), False

    def index(self) -> int | None:
        """Return the number in front of a value of a sparse row."""
        word = self._plain(_SPACE + ",}%")
        return int(word) if word.isascii() and word.isdigit() and len(word) < 16 else None

    def _skip_space(self) -> None:
        while self._place < len(self._text) and self._text[self._place] in _SPACE:
            self._place += 1

    def _plain(self, ends: str, *, spaces: bool = False) -> str:
        found = [place for end in ends if (place := self._text.find(end, self._place)) >= 0]
        stop = min(found, default=len(self._text))
        if spaces:  # 50% is a value; a comment has a space before it
            comments = [self._text.find(f"{space}%", self._place, stop) for space in _SPACE]
            stop = min((place for place in comments if place >= 0), default=stop)
        word = self._text[self._place : stop]
        self._place = stop
        self._skip_space()
        return word.rstrip(_SPACE) if spaces else word

    def _quoted(self) -> str:
        quote = self._text[self._place]
        place, parts = self._place + 1, []
        while True:
            close, escape = self._text.find(quote, place), self._text.find("\\", place)
            if close < 0:
                raise self.error("unclosed quote", "a quote must be closed on its line, got none")
            if not 0 <= escape < close:
                break
            letter = self._text[escape + 1 : escape + 2]
            parts += [self._text[place:escape], _ESCAPED.get(letter, letter)]
            place = escape + 2
        parts.append(self._text[place:close])
        self._place = close + 1
        self._skip_space()
        return "".join(parts)
