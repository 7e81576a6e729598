"""Galleguillos, Kiziltan, Netti, Soto 2020: AccaSim."""

from thinktime_reproduce.galleguillos2020.claims import GALLEGUILLOS2020, reproduction
from thinktime_reproduce.galleguillos2020.runs import Effort

__all__ = ["GALLEGUILLOS2020", "Effort", "reproduction"]
