"""A cell that a model cannot use is told as one finds it: table, column, row from 1, and line of the file."""

import pytest

from tests.interfaces.test_help_examples import run

NUMBERS = [round(0.1 * (-1) ** row * row, 1) for row in range(24)]
#: The second row has a cell of two lines, the third no label.
ROWS = [f"{number},{'yes' if row % 3 else 'no'},note" for row, number in enumerate(NUMBERS)]
ROWS[1] = ROWS[1].replace("note", '"two\nlines"')
ROWS[2] = ROWS[2].replace("yes", "")


def write(name, bad=None):
    """Write the table, with another number in the seventh row, which begins in line 9."""
    rows = [*ROWS]
    if bad is not None:
        rows[6] = f"{bad},{rows[6].split(',', 1)[1]}"
    with open(name, "w") as file:
        file.write("\n".join(["x,y,said", *rows]) + "\n")


@pytest.fixture(params=["lda", "logistic"])
def model(request, tmp_path, monkeypatch):
    """Train a model that takes numbers as they are, or one whose numbers are brought to a common scale."""
    monkeypatch.chdir(tmp_path)
    write("good.csv")
    done = run("train", "good.csv", "--target", "y", "--model", request.param, "--out", "m.classica")
    assert done.exit_code == 0, done.output
    return request.param


@pytest.mark.parametrize("command", ["predict", "evaluate"])
@pytest.mark.parametrize(
    ("bad", "rule"), [("inf", "finite, got inf"), ("1e300", "at most 1e+150 in magnitude, got 1e+300")]
)
def test_with_row_and_line_whatever_the_batches(model, command, bad, rule):
    write("bad.csv", bad)
    for size in ("1", "4", "1000"):
        done = run(command, "m.classica", "bad.csv", "--batch-rows", size)
        assert done.exit_code == 1
        assert done.stderr == f"Error: The column 'x' of bad.csv must be {rule} in row 7, line 9.\n"


def test_with_its_row_where_a_table_is_learned_or_explained(model):
    write("bad.csv", "-inf")
    told = "Error: The column 'x' of bad.csv must be finite, got -inf in row 7.\n"
    learn = ("train", "bad.csv", "--target", "y", "--model", model)
    for command in (learn, (*learn, "--folds", "3"), ("explain", "m.classica", "--rows", "bad.csv", "7")):
        assert run(*command).stderr == told
