"""What a person sees who asks for the names of the package."""

import classica


def test_only_public_names_are_listed():
    names = dir(classica)
    assert names == sorted(set(names))
    assert {"train", "compare", "SVMClassifier", "tables", "__version__", "__doc__"} <= {*names}
    assert not {"Any", "importlib", "annotations", "TYPE_CHECKING"} & {*names}
    assert all(name in classica.__all__ or name.startswith("__") for name in names)
    for name in names:
        getattr(classica, name)
