"""The colours of every figure, page and table: Okabe and Ito's, which colour-blind readers can tell apart.

Okabe and Ito, "Color Universal Design", 2008.
"""

from __future__ import annotations

BLUE, ORANGE, GREEN, VERMILLION = "#0072B2", "#E69F00", "#009E73", "#D55E00"
SKY, PURPLE, YELLOW, BLACK = "#56B4E9", "#CC79A7", "#F0E442", "#000000"
PALETTE = (BLUE, ORANGE, GREEN, VERMILLION, SKY, PURPLE, YELLOW, BLACK)
LINES = (BLUE, ORANGE, GREEN, VERMILLION, PURPLE, SKY, BLACK)  # without yellow, which is faint on white
GREY, SHADE, INK = "#666666", "#EDEDED", "#222222"
