"""A page taken apart by Python's own parser."""

from __future__ import annotations

from html.parser import HTMLParser

#: Elements that have no end tag in HTML, and shapes that close themselves in SVG.
VOID = {"meta", "link", "br", "hr", "img", "input"}


class PageReader(HTMLParser):
    """Tags with their attributes, names, links and texts of a page; tags that do not match are an error."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(page)
        self.close()
        assert not self.open, f"never closed: {self.open}"

    def handle_starttag(self, tag, attrs):
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"an attribute twice: <{tag} {names}>"
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag, f"</{tag}> in the wrong place, line {self.getpos()}"

    def handle_data(self, data):
        self.texts.append(data)

    @property
    def text(self) -> str:
        """All texts, with single spaces."""
        return " ".join(" ".join(self.texts).split())

    def values(self, attribute: str) -> list[str]:
        """Return every value of an attribute."""
        return [attributes[attribute] or "" for _, attributes in self.tags if attribute in attributes]
