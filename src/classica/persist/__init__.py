"""Model files: everything a fitted classifier is, in one file that cannot run code.

A file holds a description of the model in JSON and its arrays, and nothing else: reading it can only ever
give numbers, text and objects of a closed list of classes. It is written whole or not at all, and checked in
two stages when it is read: that every byte is as it was written, and that everything fits together.
"""

from classica.persist.files import add_metadata, inspect, load, save

__all__ = ["add_metadata", "inspect", "load", "save"]
