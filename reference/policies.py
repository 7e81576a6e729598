"""From the description of a scheduler, such as {"name": "easy", "order": "estimate"}, to the policy."""

from __future__ import annotations

from typing import Any

from reference.conservative import Conservative
from reference.easy import Easy
from reference.easy_accasim import EasyAccasim
from reference.list_policy import ORDER_OF, ListPolicy
from reference.orders import KEYS
from reference.policy import Policy
from reference.reject import Reject

#: The policies whose promises depend on what is counted: processors here, nodes in reference/nodes/.
COUNTED: dict[str, Any] = {"easy": Easy, "easy-accasim-1.0": EasyAccasim, "conservative": Conservative}


def make_policy(scheduler: dict[str, Any], promising: dict[str, Any] = COUNTED) -> Policy:
    options = dict(scheduler)
    name = options.pop("name")
    if name in ORDER_OF:
        return ListPolicy(ORDER_OF[name], **options)
    if name == "priority":
        return ListPolicy(known(options.pop("key")), **options)
    if name == "easy":
        return make_easy(options, promising)
    if name == "conservative":
        return promising["conservative"](**options)
    if name == "reject":
        return Reject()
    raise ValueError(f"there is no scheduler {name!r}")


def make_easy(options: dict[str, Any], promising: dict[str, Any]) -> Policy:
    compat = options.pop("compat", None)
    if compat == "accasim-1.0":
        return promising["easy-accasim-1.0"]()
    if compat is not None:
        raise ValueError(f"there is no easy with compat={compat!r}: the only one is 'accasim-1.0'")
    known(options.get("order", "arrival"))
    known(options.get("backfill_order") or "arrival")
    return promising["easy"](**options)


def known(order: str) -> str:
    if order not in KEYS and not order.startswith("="):
        raise ValueError(f"there is no order {order!r}: choose one of {', '.join(KEYS)}")
    return order
