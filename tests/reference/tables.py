"""Delimited text read letter by letter: what the native scan must find."""

import math


def records(text, delimiter, quote):
    """Yield (offset, cells, end) of each record; a cell is (raw, content, quoted, faults)."""
    place = 0
    while place < len(text):
        start, cells = place, []
        while True:
            cell, place = one_cell(text, place, delimiter, quote)
            cells.append(cell)
            if place >= len(text) or text[place : place + 1] != delimiter:
                break
            place += 1
        end = text[place : place + 1]
        place += 2 if text[place : place + 2] == b"\r\n" else len(end)
        yield start, cells, end, place


def one_cell(text, place, delimiter, quote):
    begin, faults = place, set()
    quoted = quote != delimiter and text[place : place + 1] == quote
    content = b""
    if quoted:
        place += 1
        while place < len(text):
            if text[place : place + 2] == quote * 2:
                place += 2
            elif text[place : place + 1] == quote:
                break
            else:
                place += 1
        content = text[begin + 1 : place]
        if place >= len(text):
            faults.add("open quote")
        place += 1
    rest = place
    while place < len(text) and text[place : place + 1] not in (delimiter, b"\n", b"\r"):
        place += 1
    place = min(place, len(text))
    if quoted and place > rest and "open quote" not in faults:
        faults.add("after quote")
    raw = text[begin:place]
    if not quoted:
        content = raw
        if quote != delimiter and quote in raw:
            faults.add("inner quotes")
    return (raw, content, quoted, faults), place


def cell_kind(cell):
    """Return the set of words that describe a cell."""
    if cell == b"":
        return {"empty"}
    core = cell.strip(b" \t")
    words = {"spaces"} if core != cell else set()
    return words | ({"blank"} if core == b"" else kind_of_core(core.decode("latin-1")))


def kind_of_core(core):
    sign, rest = ("-", core[1:]) if core.startswith("-") else ("", core)
    if core.startswith("+") and core.count("+") == 1 and all(c in "0123456789.,eE" for c in core[1:]):
        return {"plus"}
    if rest.lower() in ("nan", "inf", "infinity"):
        return {"not finite"}
    mantissa, e, exponent = rest.partition("e") if "e" in rest else rest.partition("E")
    if e and not digits(exponent[1:] if exponent[:1] in ("+", "-") else exponent):
        return {"text"}
    if len(mantissa) > 1 and mantissa[0] == "0" and mantissa[1].isdigit():
        return {"leading zero"} if not e and all(c in "0123456789.," for c in mantissa) else {"text"}
    if digits(mantissa) and not e:
        return integer_kind(sign, mantissa)
    whole, comma, part = mantissa.partition(",")
    if comma and not e and digits(whole) and digits(part):
        return {"comma"} | inexact(sign + whole + "." + part)
    whole, point, part = mantissa.partition(".")
    good = (digits(whole) or (not whole and digits(part))) and (digits(part) or not part)
    return {"decimal"} | inexact(core) if good and (point or e) else {"text"}


def digits(text):
    return text != "" and all(c in "0123456789" for c in text)


def integer_kind(sign, mantissa):
    if sign and mantissa == "0":
        return {"decimal"}
    value = int(sign + mantissa)
    words = {"integer"}
    if abs(value) > 2**53:
        words.add("above 2**53")
    if not -(2**63) <= value < 2**63:
        words.add("above int64")
    return words


def inexact(text):
    value = float(text)
    significant = text.lower().partition("e")[0].replace(".", "").strip("-0")
    if math.isinf(value) or (value == 0) != (significant == ""):
        return {"inexact"}
    if len(significant) <= 17:
        return set()
    mantissa = f"{abs(value):.{len(significant) - 1}e}".partition("e")[0]
    return set() if mantissa.replace(".", "").strip("0") == significant else {"inexact"}
