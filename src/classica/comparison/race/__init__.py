"""A race instead of an exhaustive search: stages that grow, and what cannot win any more stops early.

    stages ─► what every model is trained and tested on, from a thousand rows to all of them
    elimination ─► which grid points and models go on, by the rows all of them have predicted

See ``docs/decisions/0042-an-anytime-comparison.md``.
"""
