"""A tree or a list of rules as the source of a Python function."""

from __future__ import annotations

import keyword
from collections.abc import Iterable, Sequence

from classica.errors import ParameterError, must
from classica.trees.growing.tree_names import Names
from classica.trees.ruling.rule import Rule
from classica.trees.showing.named_tree import NamedTree
from classica.trees.showing.python_table import table_python
from classica.trees.showing.python_words import PythonWords, function_head

#: Deeper trees become a table: Python allows a hundred levels of indentation, readers fewer.
DEEPEST_NESTING = 20


def tree_python(named: NamedTree, name: str) -> str:
    """Return a function of nested questions; of a deep tree, or one that divides rows, a table and a loop."""
    require_name(name)
    tree = named.tree
    if named.divides_rows or int(tree.depth[-1]) > DEEPEST_NESTING:
        return table_python(named, name)
    words = PythonWords(named.names, name)
    asked = set(tree.feature[tree.feature >= 0].tolist())
    if tree.surrogates is not None:
        asked |= set(tree.surrogates.feature.tolist())
    return _function(words, name, asked, _nested(named, words))


def rules_python(names: Names, rules: Sequence[Rule], default: Rule, name: str) -> str:
    """Return a function that asks for one rule after the other."""
    require_name(name)
    words = PythonWords(names, name)
    lines = []
    for rule in rules:
        test = words.both(words.condition(condition) for condition in rule.conditions)
        if test is not False:
            lines += [f"    if {test}:", f"        return {words.literal(rule.answer)}"]
    lines.append(f"    return {words.literal(default.answer)}")
    asked = {condition.column for rule in rules for condition in rule.conditions}
    return _function(words, name, asked, lines)


def require_name(name: str) -> None:
    """Refuse what a function cannot be called."""
    if not (isinstance(name, str) and name.isidentifier() and not keyword.iskeyword(name)):
        raise ParameterError(must("name", "a name that a Python function can have", name))


def _function(words: PythonWords, name: str, asked: Iterable[int], body: Sequence[str]) -> str:
    columns = sorted(asked)
    if not columns:
        return "\n".join([f"def {name}(row):", *body, ""])
    return "\n".join([function_head(name), *words.reading(columns), *body, ""])


def _nested(named: NamedTree, words: PythonWords) -> list[str]:
    """Return the questions: every branch ends in a return, so what follows it is for the other rows."""
    lines = []
    work: list[str | tuple[int, str]] = [(0, "    ")]
    while work:
        item = work.pop()
        if isinstance(item, str):
            lines.append(item)
        else:
            work += reversed(_steps(named, words, *item))
    return lines


def _steps(named: NamedTree, words: PythonWords, node: int, indent: str) -> list[str | tuple[int, str]]:
    """Return the lines of a node, with a child and its indentation where the child's lines belong."""
    children = list(named.tree.children(node))
    asks_numbers = bool(children) and not len(named.tree.levels_of(node))
    others = children[:-1] if asks_numbers else children
    steps: list[str | tuple[int, str]] = []
    for branch, child in enumerate(others):
        test = words.branch(named, node, branch)
        if test is not False:
            steps += [f"{indent}if {test}:", (child, indent + "    ")]
    if asks_numbers:
        return [*steps, (children[-1], indent)]
    return [*steps, f"{indent}return {words.literal(named.answers[node])}"]
