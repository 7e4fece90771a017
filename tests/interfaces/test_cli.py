"""The commands, run as a user runs them."""

import json
import re

import click
import pytest
from click.testing import CliRunner

from classica import catalog
from classica.interfaces.cli import COMMANDS, main


def run(*arguments):
    return CliRunner().invoke(main, arguments)


def test_help_lists_every_command():
    text = run("--help").output
    for name, line in COMMANDS.items():
        assert re.search(rf"^  {name} +{re.escape(line[:40])}", text, re.M)


def test_models_lists_every_card():
    done = run("models")
    assert done.exit_code == 0
    for card in catalog.cards():
        assert card.slug in done.output


def test_models_as_json_is_the_catalog():
    found = json.loads(run("models", "--json").output)
    assert [record["slug"] for record in found] == [card.slug for card in catalog.cards()]


@pytest.mark.parametrize("card", catalog.cards(), ids=lambda card: card.slug)
def test_one_model_in_full(card):
    done = run("models", card.slug)
    text = " ".join(done.output.split())
    assert done.exit_code == 0
    assert card.plain_rule[:30] in text
    assert " ".join(card.source.split())[:30] in text
    for parameter in card.parameters:
        assert f"{parameter.name} = {parameter.default!r}" in text
        assert parameter.rule in text
    assert json.loads(run("models", card.slug, "--json").output) == card.record()


def test_an_unknown_model_is_one_line_and_exit_code_1():
    done = run("models", "nearest-meen")
    assert done.exit_code == 1
    assert "nearest-mean" in done.output
    assert done.output.count("\n") == 1


def test_an_unknown_command_is_a_usage_error():
    assert run("nonsense").exit_code == 2


def test_config_as_json_and_text():
    found = json.loads(run("config", "--json").output)
    assert found["instruction level"] in ("base", "avx2")
    assert found["compiler"] in run("config").output


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_offers_json(name):
    context = click.Context(main)
    assert any("--json" in option.opts for option in main.get_command(context, name).params)
