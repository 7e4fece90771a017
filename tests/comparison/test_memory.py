"""How much memory a comparison takes unless it is told."""

import os

from classica.comparison.plan.memory import default_memory

MACHINE = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def test_a_small_table_gets_four_gigabytes_and_never_more_than_half_of_the_machine():
    assert default_memory(10**6) == min(4 * 10**9, default_memory(10**15))
    assert default_memory(10**15) <= MACHINE / 2


def test_a_large_table_gets_more():
    assert default_memory(4 * 10**8) == min(8 * 10**9, default_memory(10**15))
