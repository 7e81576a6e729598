"""Reproductions of papers: their runs, their printed values, and how ours compare."""

from thinktime.reproduce.carry_out import Reproduced, carry_out, try_readings
from thinktime.reproduce.claim import CLASSES, Claim, Rule, Tolerance, Verdict
from thinktime.reproduce.eleliemy2017 import ELELIEMY2017
from thinktime.reproduce.galleguillos2020 import GALLEGUILLOS2020
from thinktime.reproduce.madon2024 import MADON2024
from thinktime.reproduce.reproduction import Findings, Reproduction, judge
from thinktime.reproduce.zakay2013 import ZAKAY2013
from thinktime.reproduce.zakay2014 import ZAKAY2014

#: name on the command line → reproduction
REPRODUCTIONS = {each.name: each for each in (ELELIEMY2017, GALLEGUILLOS2020, MADON2024, ZAKAY2013, ZAKAY2014)}

__all__ = [
    "CLASSES",
    "REPRODUCTIONS",
    "Claim",
    "Findings",
    "Reproduced",
    "Reproduction",
    "Rule",
    "Tolerance",
    "Verdict",
    "carry_out",
    "judge",
    "try_readings",
]
