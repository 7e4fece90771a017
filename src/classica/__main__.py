"""``python -m classica`` is the command ``classica``."""

from classica.interfaces.cli import main

main(prog_name="classica")
