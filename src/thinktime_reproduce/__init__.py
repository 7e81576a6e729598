"""Reproductions of papers: their runs, their printed values, and how ours compare."""

from thinktime_reproduce.claim import CLASSES, Claim, Rule, Tolerance, Verdict
from thinktime_reproduce.eleliemy2017 import ELELIEMY2017
from thinktime_reproduce.galleguillos2020 import GALLEGUILLOS2020
from thinktime_reproduce.madon2024 import MADON2024
from thinktime_reproduce.reproduction import Findings, Reproduction, judge
from thinktime_reproduce.runner import Reproduced, run_reproduction, try_readings
from thinktime_reproduce.zakay2013 import ZAKAY2013
from thinktime_reproduce.zakay2014 import ZAKAY2014

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
    "judge",
    "run_reproduction",
    "try_readings",
]
