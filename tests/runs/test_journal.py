"""The journal: what is whole comes back, what is torn is cut off, what is damaged is refused."""

import errno
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classica.errors import RunError
from classica.runs.journal import NAME, Journal, parse, read_journal, write_line

START = {"kind": "start", "plan": "0"}
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
RECORDS = st.lists(st.fixed_dictionaries({"value": PLAIN}), min_size=1, max_size=5)


def lines_of(records):
    return [write_line({"number": number, **record}) for number, record in enumerate(records)]


def written(folder, count):
    with Journal(folder, START) as journal:
        for number in range(count):
            journal.append({"value": f"é\n{number}"})
    return (folder / NAME).read_bytes()


@given(RECORDS)
def test_records_come_back_as_they_went_in(records):
    data = b"".join(lines_of(records))
    found, size = parse(data, NAME)
    assert [record["value"] for record in found] == [record["value"] for record in records]
    assert size == len(data)
    assert data.isascii()
    assert data.count(b"\n") == len(records)


@given(RECORDS, st.data())
def test_a_changed_byte_is_never_believed(records, data):
    lines = lines_of(records)
    whole = b"".join(lines)
    place = data.draw(st.integers(0, len(whole) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda value: value != whole[place]))
    hurt = whole[:place] + bytes([byte]) + whole[place + 1 :]
    line = whole[:place].count(b"\n")
    try:
        found, size = parse(hurt, NAME)
    except RunError as error:
        assert f": line {line + 1} is damaged" in str(error)  # noqa: PT017 (either way is right)
    else:
        # Only the last line may be taken for torn, and then nothing else is lost.
        assert line == len(lines) - 1
        assert [record["value"] for record in found] == [record["value"] for record in records[:-1]]
        assert size == len(whole) - len(lines[-1])


@pytest.mark.parametrize("change", ["drop", "repeat", "swap"])
def test_lines_that_are_missing_or_moved_are_refused(change):
    lines = lines_of([{"value": number} for number in range(4)])
    changed = {
        "drop": lines[:1] + lines[2:],
        "repeat": lines[:2] + lines[1:],
        "swap": [lines[0], lines[2], lines[1], lines[3]],
    }[change]
    with pytest.raises(RunError, match=f"line {3 if change == 'repeat' else 2} is damaged"):
        parse(b"".join(changed), NAME)


def test_a_last_line_torn_at_any_byte_is_cut_off_and_written_again(tmp_path):
    whole = written(tmp_path, 3)
    last = whole[:-1].rindex(b"\n") + 1
    for end in range(last, len(whole)):
        (tmp_path / NAME).write_bytes(whole[:end])
        assert len(read_journal(tmp_path)) == 3
        assert (tmp_path / NAME).read_bytes() == whole[:end], "reading must not write"
        with Journal(tmp_path, START) as journal:
            assert len(journal.records) == 3
            journal.append({"value": "é\n2"})
        assert (tmp_path / NAME).read_bytes() == whole
    print(f"{len(whole) - last} torn lines")


@pytest.mark.parametrize("tail", [b"\0" * 200, b"\xff" * 7, b'{"crc":"', b"{}\n"])
def test_what_a_power_cut_may_leave_at_the_end_is_cut_off(tmp_path, tail):
    whole = written(tmp_path, 2)
    (tmp_path / NAME).write_bytes(whole + tail)
    with Journal(tmp_path, START) as journal:
        assert len(journal.records) == 3
    assert (tmp_path / NAME).read_bytes() == whole


def test_a_journal_that_lost_everything_begins_anew(tmp_path):
    (tmp_path / NAME).write_bytes(b"\0" * 50)
    with Journal(tmp_path, START) as journal:
        assert journal.records == [{"number": 0, **START}]


@pytest.mark.parametrize("call", ["fsync", "pwrite"])
def test_a_full_disk_leaves_the_journal_as_it_was(tmp_path, monkeypatch, call):
    whole = written(tmp_path, 2)
    with Journal(tmp_path, START) as journal:
        with monkeypatch.context() as patch:
            patch.setattr(os, call, lambda *_: (_ for _ in ()).throw(OSError(errno.ENOSPC, "No space left")))
            with pytest.raises(RunError, match=r"^Cannot write the journal .*: No space left\.$"):
                journal.append({"value": 1})
        assert (tmp_path / NAME).read_bytes() == whole
        journal.append({"value": 1})
    assert len(read_journal(tmp_path)) == 4


def test_a_line_that_fits_only_in_part_is_taken_back(tmp_path, monkeypatch):
    whole = written(tmp_path, 2)
    real, calls = os.pwrite, []

    def half(handle, data, place):
        calls.append(place)
        if len(calls) > 1:
            raise OSError(errno.ENOSPC, "No space left")
        return real(handle, data[: len(data) // 2], place)

    with Journal(tmp_path, START) as journal, monkeypatch.context() as patch:
        patch.setattr(os, "pwrite", half)
        with pytest.raises(RunError):
            journal.append({"value": 1})
    assert len(calls) == 2
    assert (tmp_path / NAME).read_bytes() == whole
