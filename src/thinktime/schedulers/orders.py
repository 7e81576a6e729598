"""Queue orders by name: what each key means. The engine evaluates them (engine/schedulers/order.cc)."""

from __future__ import annotations

from thinktime.spec import one_of

#: name → (formula, who goes first). n = processors, w = estimate, s = submit, wait = now − s; smallest first.
ORDERS = {
    "arrival": ("the order of joining the queue", "who came first"),
    "estimate": ("w", "the shortest job by estimate"),
    "longest": ("−w", "the longest job by estimate"),
    "deadline": ("s + deadline_factor · w", "the earliest deadline"),
    "smallest": ("n", "the job with the fewest processors"),
    "largest": ("−n", "the job with the most processors"),
    "smallest-area": ("n · w", "the least processor time"),
    "largest-area": ("−n · w", "the most processor time"),
    "wait": ("−wait", "who has waited longest"),
    "expansion": ("−(wait + w) / w", "the largest expansion factor"),
    "wfp3": ("−(wait / w)³ · n", "WFP3 of Tang et al. 2009"),
    "unicef": ("−wait / (log2(n) · w)", "UNICEF of Tang et al. 2009"),
    "f1": ("log10(w) · n + 870 · log10(s)", "F1 of Carastan-Santos and de Camargo 2017"),
    "f2": ("√w · n + 25600 · log10(s)", "F2, likewise"),
    "f3": ("w · n + 6860000 · log10(s)", "F3, likewise"),
    "f4": ("w · √n + 530000 · log10(s)", "F4, likewise"),
}

#: Other names of the same orders.
ALIASES = {
    "fcfs": "arrival",
    "fifo": "arrival",
    "sjf": "estimate",
    "spf": "estimate",
    "ljf": "longest",
    "edf": "deadline",
    "size": "smallest",
    "area": "smallest-area",
    "saf": "smallest-area",
    "laf": "largest-area",
    "xfactor": "expansion",
}


def canonical(order: str) -> str:
    """The engine's name of an order."""
    return ALIASES.get(order, order)


def require_order(what: str, order: str) -> None:
    if not isinstance(order, str) or canonical(order) not in ORDERS:
        one_of(what, order, [*ORDERS, *ALIASES])
