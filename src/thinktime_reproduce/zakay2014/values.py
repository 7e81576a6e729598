"""What Zakay and Feitelson printed in their paper on user behaviour, and the logs that they used."""

from __future__ import annotations

DS, CEA, SP2, BLUE, INTREPID, KTH, HPC2N, CM5 = (
    "SDSC-DS",
    "CEA",
    "SDSC-SP2",
    "BLUE",
    "Intrepid",
    "KTH",
    "HPC2N",
    "CM5",
)

#: log → its file. The paper names no versions: today's version first, then those that zakay2013 names.
LOGS = {
    DS: ("SDSC-DS-2004-2.1-cln.swf", "SDSC-DS-2004-1.swf"),
    CEA: ("CEA-Curie-2011-2.1-cln.swf",),
    SP2: ("SDSC-SP2-1998-4.2-cln.swf", "SDSC-SP2-1998-3.1-cln.swf"),
    BLUE: ("SDSC-BLUE-2000-4.2-cln.swf", "SDSC-BLUE-2000-3.1-cln.swf"),
    INTREPID: ("ANL-Intrepid-2009-1.swf",),
    KTH: ("KTH-SP2-1996-2.1-cln.swf", "KTH-SP2-1996-2.swf"),
    HPC2N: ("HPC2N-2002-2.2-cln.swf", "HPC2N-2002-1.1-cln.swf"),
    CM5: ("LANL-CM5-1994-4.1-cln.swf", "LANL-CM5-1994-3.1-cln.swf"),
}

CONVENTIONAL, ADJUSTED, DISTRIBUTION, FLUID = "conventional", "adjusted", "distribution", "fluid"
MODELS = (CONVENTIONAL, ADJUSTED, DISTRIBUTION, FLUID)

#: Table I: mean wait in seconds, logs in the order above
_PRINTED = {
    CONVENTIONAL: (8353, 6989, 37363, 8487, 1242, 8755, 12591, 20966),
    ADJUSTED: (5005, 5073, 24731, 7199, 2307, 8364, 8167, 3702),
    DISTRIBUTION: (12976, 6141, 40579, 47219, 1369, 11717, 13347, 3503),
    FLUID: (5972, 4395, 18748, 6826, 1958, 6389, 10092, 2614),
}
TABLE_1 = {(label, model): _PRINTED[model][k] for model in MODELS for k, label in enumerate(LOGS)}
