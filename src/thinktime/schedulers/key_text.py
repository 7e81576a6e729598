"""Read a key from text: `-wait / max(estimate, 60)`. The text is parsed, never executed."""

from __future__ import annotations

import ast
from typing import Any

from thinktime.errors import InputError
from thinktime.schedulers.keys import (
    DEEPEST,
    FUNCTIONS,
    LONGEST,
    Key,
    column_key,
    compared,
    folded,
    key,
    known_names,
    named,
    number,
    stack_depth,
)
from thinktime.spec import suggestion

_BINARY: dict[type, str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**"}
_COMPARE: dict[type, str] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
}


def read_key(text: str) -> Key:
    """Return the expression of a text; raise InputError if it is not one."""
    if len(text) > LONGEST:
        raise InputError(f"a key of {len(text)} characters is too long: write it in at most {LONGEST}")
    try:
        tree = ast.parse(text.strip(), mode="eval")
        found = _key_node(tree.body, text)
    except (SyntaxError, RecursionError, MemoryError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise _invalid(text, "it is not an expression") from None
    if stack_depth(found) > DEEPEST:
        raise _invalid(text, f"it is nested more than {DEEPEST} deep")
    return found


def _key_node(node: Any, text: str) -> Key:
    match node:
        case ast.Constant(value=bool() | str() | bytes() | None):
            raise _invalid(text, f"{node.value!r} is not a number")
        case ast.Constant():
            return number(node.value)
        case ast.Name():
            return _named_key(node.id, text)
        case ast.UnaryOp(op=ast.USub()):
            return -_key_node(node.operand, text)
        case ast.UnaryOp(op=ast.UAdd()):
            return _key_node(node.operand, text)
        case ast.BinOp() if type(node.op) in _BINARY:
            return Key(_BINARY[type(node.op)], _key_node(node.left, text), _key_node(node.right, text))
        case ast.Compare(ops=[ast.Eq() | ast.NotEq() as op]) if _texts(node):
            one, other = (_text_or_key(each, text) for each in (node.left, node.comparators[0]))
            return compared(_COMPARE[type(op)], one, other)
        case ast.Compare() if _texts(node):
            raise _invalid(text, "texts are compared with == and != only")
        case ast.Compare() if len(node.ops) == 1 and type(node.ops[0]) in _COMPARE:
            return Key(_COMPARE[type(node.ops[0])], _key_node(node.left, text), _key_node(node.comparators[0], text))
        case ast.Call(func=ast.Name(id="column"), args=[ast.Name(id=column)], keywords=[]):
            return column_key(column)
        case ast.Call(func=ast.Name(id="column")):
            raise _invalid(text, "column takes the name of one attribute, as in column(colour)")
        case ast.Call(func=ast.Name(id="value"), args=[ast.Name(id=published)], keywords=[]):
            return key.value(published)
        case ast.Call(func=ast.Name(id="value")):
            raise _invalid(text, "value takes the name of one published value, as in value(price)")
        case ast.Call(func=ast.Name(id=function), keywords=[]):
            return _function_call(function, [_key_node(arg, text) for arg in node.args], text)
    raise _invalid(text, f"{ast.unparse(node)!r} is not arithmetic")


def _texts(node: ast.Compare) -> bool:
    """Return whether a comparison has a text."""
    return any(
        isinstance(each, ast.Constant) and isinstance(each.value, str) for each in (node.left, *node.comparators)
    )


def _text_or_key(node: Any, text: str) -> Key | str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    return _key_node(node, text)


def _named_key(name: str, text: str) -> Key:
    found = named(name)
    if found is None:
        every = known_names()
        attribute = f"an attribute of the log is column({name})"
        raise _invalid(
            text, f"no key is called {name!r}{suggestion(name, every)}; {attribute}; the keys are {', '.join(every)}"
        )
    return found


def _function_call(name: str, args: list[Key], text: str) -> Key:
    if name not in FUNCTIONS:
        raise _invalid(text, f"no function is called {name!r}{suggestion(name, FUNCTIONS)}; use {', '.join(FUNCTIONS)}")
    takes = FUNCTIONS[name]
    if len(args) != takes and not (name in ("min", "max") and len(args) > takes):
        raise _invalid(text, f"{name} takes {takes} argument{'s' * (takes > 1)} (got {len(args)})")
    if name in ("min", "max"):
        return folded(name, *args)
    return Key(name, *args)


def _invalid(text: str, what: str) -> InputError:
    shown = text if len(text) <= 60 else text[:57] + "..."
    return InputError(f"the key {shown!r} is invalid: {what}. Write a key such as -wait / max(estimate, 60)")
