"""What Zakay and Feitelson printed in their paper on workload resampling, and what its words say of its figures.

The logs are named as in the paper's tables.
"""

from __future__ import annotations

LANL, PAR, CTC, KTH, SP2, OSC = "LANL-CM5", "SDSC-Par", "CTC-SP2", "KTH-SP2", "SDSC-SP2", "OSC-cluster"
BLUE, HPC2N, DS, INTREPID, PIK, CURIE = "SDSC-BLUE", "HPC2N", "SDSC-DS", "ANL-Intrepid", "PIK-IPLEX", "CEA-Curie"
LANL_RAW, SP2_RAW, PAR_RAW = f"{LANL} uncleaned", f"{SP2} uncleaned", f"{PAR} uncleaned"

#: log → its file, the one that Table I names first, then later versions of today's archive
LOGS = {
    LANL: ("LANL-CM5-1994-3.1-cln.swf", "LANL-CM5-1994-4.1-cln.swf"),
    PAR: ("SDSC-Par-1995-3.1-cln.swf",),
    CTC: ("CTC-SP2-1996-2.1-cln.swf", "CTC-SP2-1996-3.1-cln.swf"),
    KTH: ("KTH-SP2-1996-2.swf", "KTH-SP2-1996-2.1-cln.swf"),
    SP2: ("SDSC-SP2-1998-3.1-cln.swf", "SDSC-SP2-1998-4.2-cln.swf"),
    OSC: ("OSC-Clust-2000-3.1-cln.swf",),
    BLUE: ("SDSC-BLUE-2000-3.1-cln.swf", "SDSC-BLUE-2000-4.2-cln.swf"),
    HPC2N: ("HPC2N-2002-1.1-cln.swf", "HPC2N-2002-2.2-cln.swf"),
    DS: ("SDSC-DS-2004-1.swf", "SDSC-DS-2004-2.1-cln.swf"),
    INTREPID: ("ANL-Intrepid-2009-1.swf",),
    PIK: ("PIK-IPLEX-2009-1.swf",),
    CURIE: ("CEA-Curie-2011-2.1-cln.swf",),
    LANL_RAW: ("LANL-CM5-1994-3.swf", "LANL-CM5-1994-4.swf"),
    SP2_RAW: ("SDSC-SP2-1998-3.swf", "SDSC-SP2-1998-4.swf"),
    PAR_RAW: ("SDSC-Par-1995-3.swf",),
}

#: Table I: processors, users and jobs of each log
TABLE_1 = {
    LANL: ("1024", "213", "122,060"),
    PAR: ("400", "98", "53,970"),
    CTC: ("338", "679", "77,222"),
    KTH: ("100", "214", "28,489"),
    SP2: ("128", "437", "59,725"),
    OSC: ("178", "253", "36,097"),
    BLUE: ("1152", "468", "243,314"),
    HPC2N: ("240", "257", "202,876"),
    DS: ("1664", "460", "96,089"),
    INTREPID: ("163,840", "236", "68,936"),
    PIK: ("2560", "225", "742,965"),
    CURIE: ("93,312", "582", "312,826"),
}

Row = tuple[str, str, str, str, str, str]  # 0 larger, equal, 1 larger; 1 larger, equal, 2 larger

#: Tables II to IV: shares of users by where their jobs are more similar; processors, estimates, run times
TABLE_2: dict[str, Row] = {
    LANL: ("0.727", "0.0160", "0.257", "0.663", "0.0053", "0.332"),
    CTC: ("0.722", "0.0152", "0.262", "0.670", "0.0325", "0.300"),
    KTH: ("0.782", "0.0075", "0.211", "0.692", "0.0150", "0.293"),
    SP2: ("0.771", "0.0120", "0.217", "0.747", "0.0080", "0.245"),
    BLUE: ("0.856", "0.0000", "0.144", "0.762", "0.0046", "0.233"),
    HPC2N: ("0.856", "0.0046", "0.140", "0.684", "0.0000", "0.316"),
    DS: ("0.767", "0.0031", "0.230", "0.702", "0.0092", "0.288"),
    INTREPID: ("0.788", "0.0052", "0.207", "0.746", "0.0000", "0.254"),
    CURIE: ("0.866", "0.0022", "0.131", "0.746", "0.0043", "0.250"),
}
TABLE_3: dict[str, Row] = {
    LANL: ("0.765", "0.1016", "0.134", "0.668", "0.1016", "0.230"),
    CTC: ("0.757", "0.1041", "0.139", "0.705", "0.1085", "0.187"),
    KTH: ("0.895", "0.0075", "0.098", "0.789", "0.0150", "0.195"),
    SP2: ("0.791", "0.0924", "0.116", "0.795", "0.0924", "0.112"),
    BLUE: ("0.947", "0.0069", "0.046", "0.794", "0.0069", "0.199"),
    HPC2N: ("0.907", "0.0279", "0.065", "0.781", "0.0233", "0.195"),
    DS: ("0.837", "0.0613", "0.101", "0.739", "0.0583", "0.202"),
    INTREPID: ("0.834", "0.0777", "0.088", "0.715", "0.0777", "0.207"),
    CURIE: ("0.843", "0.0625", "0.095", "0.718", "0.0625", "0.220"),
}
TABLE_4: dict[str, Row] = {
    LANL: ("0.733", "0.0000", "0.267", "0.711", "0.0053", "0.283"),
    CTC: ("0.829", "0.0043", "0.167", "0.722", "0.0065", "0.271"),
    KTH: ("0.827", "0.0075", "0.165", "0.684", "0.0000", "0.316"),
    SP2: ("0.759", "0.0000", "0.241", "0.759", "0.0040", "0.237"),
    BLUE: ("0.888", "0.0114", "0.101", "0.757", "0.0092", "0.233"),
    HPC2N: ("0.879", "0.0326", "0.088", "0.721", "0.0279", "0.251"),
    DS: ("0.840", "0.0215", "0.138", "0.706", "0.0245", "0.270"),
    INTREPID: ("0.850", "0.0000", "0.150", "0.710", "0.0000", "0.290"),
    CURIE: ("0.817", "0.0151", "0.168", "0.685", "0.0151", "0.300"),
}

#: Table V: long-term users and their jobs, temporary users and their jobs
TABLE_5 = {
    LANL: ("159", "119,998", "37", "1,727"),
    PAR: ("57", "45,087", "32", "7,354"),
    CTC: ("314", "63,287", "236", "10,625"),
    KTH: ("102", "25,202", "66", "2,349"),
    SP2: ("173", "44,251", "206", "8,790"),
    BLUE: ("426", "221,745", "31", "1,435"),
    HPC2N: ("178", "194,429", "66", "7,949"),
    DS: ("230", "74,764", "192", "9,012"),
    INTREPID: ("124", "58,875", "81", "7,725"),
    PIK: ("175", "724,045", "46", "4,764"),
    CURIE: ("269", "244,733", "223", "38,814"),
}

#: Table VI: stack depth of run times, estimates and processors: the log; mean and standard deviation of eight resamples
TABLE_6 = {
    LANL: (("36.01", "36.97", "0.37"), ("2.53", "2.51", "0.03"), ("1.15", "1.08", "0.01")),
    CTC: (("28.01", "27.72", "0.93"), ("4.51", "4.33", "0.13"), ("3.44", "3.35", "0.11")),
    KTH: (("35.25", "35.03", "0.37"), ("6.46", "6.42", "0.10"), ("3.83", "3.87", "0.10")),
    SP2: (("25.13", "24.48", "0.82"), ("4.09", "3.96", "0.11"), ("2.89", "2.79", "0.08")),
    BLUE: (("25.11", "25.97", "0.28"), ("3.12", "3.46", "0.02"), ("1.58", "1.57", "0.01")),
    HPC2N: (("18.67", "19.44", "0.19"), ("2.36", "2.37", "0.02"), ("0.98", "0.95", "0.01")),
    DS: (("25.01", "25.68", "0.59"), ("4.09", "3.95", "0.15"), ("2.07", "2.02", "0.06")),
    INTREPID: (("13.21", "14.02", "0.24"), ("2.58", "2.56", "0.07"), ("1.28", "1.27", "0.02")),
    CURIE: (("28.0", "28.06", "0.59"), ("2.42", "2.39", "0.08"), ("4.93", "5.02", "0.26")),
}

#: Table VII: Hurst parameter of the log; mean and standard deviation of eight resamples
TABLE_7 = {
    LANL: ("0.690", "0.679", "0.043"),
    PAR: ("0.745", "0.745", "0.059"),
    CTC: ("0.617", "0.620", "0.059"),
    KTH: ("0.666", "0.648", "0.040"),
    SP2: ("0.638", "0.715", "0.028"),
    BLUE: ("0.778", "0.704", "0.041"),
    HPC2N: ("0.769", "0.722", "0.033"),
    DS: ("0.747", "0.651", "0.048"),
    INTREPID: ("0.754", "0.789", "0.054"),
    PIK: ("0.697", "0.722", "0.043"),
    CURIE: ("0.710", "0.630", "0.090"),
}
#: "No slope lower than 0.6 or higher than 0.9"
SLOPES = ("0.6", "0.9")

#: The nine logs that have estimates, which are simulated
SIMULATED = tuple(TABLE_6)

#: Fig. 8: no log has more of its resamples on one side in throughput than BLUE, 92 %, whose median is 0.45 % off; no
#: median utilisation is farther off than CEA's, less than 8 %
ONE_SIDE, MEDIAN_JOBS, MEDIAN_UTILISATION = "0.92", "0.0045", "0.08"
#: "In most cases the most extreme differences were not more than 10–20 %"
EXTREME = "0.20"

#: Fig. 10: which log is made so many times longer; Fig. 11: which gets so many times the users, and how full it is
LONGER, TIMES_LONGER = DS, 5
BUSIER, TIMES_USERS, BUSIER_UTILISATION = OSC, 6, "0.768"

#: Fig. 12: logs whose load is changed → users times these; between which utilisations a log saturates
SWEPT = (DS, BLUE, OSC)
FACTORS = tuple(round(0.8 + 0.1 * k, 1) for k in range(8))
FACTORS_OSC = tuple(float(k) for k in range(1, 10))
SATURATES = {DS: ("", "0.90"), BLUE: ("0.90", ""), OSC: ("0.90", "")}

#: Figs. 13 to 16: users whose flurries are the rare behaviours; how often one begins, a week
FLURRY_USERS = {LANL_RAW: (50, 38, 31), SP2_RAW: (374,), PAR_RAW: (66, 92)}
SHOWN_OFTEN, SIMULATED_OFTEN = (0.0, 1 / 8, 1 / 6, 1 / 4), (0.0, 1 / 8, 1 / 4, 1 / 2)
