"""Specs: frozen, keyword-only descriptions of what to simulate, which print as the call that makes them.

`Easy(order="sjf")` is data: it compares, hashes, and survives TOML, JSON and the command line (`easy:order=sjf`). A
class registers itself where it is defined. The registry imports every module of a kind's folder when the kind is first
looked up, so a new policy is a new file; the command line, the documentation and the tests read the registry.
"""

from thinktime.spec.registry import FOLDERS, LAYERS, NOTATIONS, REGISTRY, SHORTHANDS, built_in, load_layer, lookup
from thinktime.spec.spec import Spec
from thinktime.spec.text import as_spec, class_in_module, from_dict, from_stored, options_of, parse, text_of
from thinktime.spec.values import LARGEST, is_number, one_of, suggestion, typed

__all__ = [
    "FOLDERS",
    "LARGEST",
    "LAYERS",
    "NOTATIONS",
    "REGISTRY",
    "SHORTHANDS",
    "Spec",
    "as_spec",
    "built_in",
    "class_in_module",
    "from_dict",
    "from_stored",
    "is_number",
    "load_layer",
    "lookup",
    "one_of",
    "options_of",
    "parse",
    "suggestion",
    "text_of",
    "typed",
]
