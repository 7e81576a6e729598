"""The logs of the Parallel Workloads Archive: names, sizes, addresses and checksums."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass

from thinktime.support.json_types import JsonDict

ARCHIVE = "https://www.cs.huji.ac.il/labs/parallel/workload/"
URL_VARIABLE = "THINKTIME_LOGS_URL"  # another address for the same folders


@dataclass(frozen=True)
class CatalogueEntry:
    """A log of the archive; None is an unknown value."""

    name: str
    folder: str  # at the archive
    processors: int | None = None
    jobs: int | None = None  # job lines in the file
    users: int | None = None
    sha256: str | None = None  # of the packed file; None: recorded at the first download

    @property
    def file(self) -> str:
        return f"{self.name}.swf.gz"

    def url(self, base: str | None = None) -> str:
        """Return the address of the file; a base that names a file is the address."""
        base = base or os.environ.get(URL_VARIABLE) or ARCHIVE
        if base.endswith((".swf", ".gz", ".xz", ".zip")):
            return base
        return f"{base.rstrip('/')}/{self.folder}/{self.file}"

    def to_dict(self) -> JsonDict:
        return {**asdict(self), "file": self.file, "url": self.url()}


#: Sizes as counted in the files or printed in papers on them; in the order of the archive.
CATALOGUE = (
    CatalogueEntry("NASA-iPSC-1993-3.1-cln", "l_nasa_ipsc", 128, 18_239),
    CatalogueEntry(
        *("NASA-iPSC-1993-3", "l_nasa_ipsc", 128, 42_264, 69),
        sha256="8cef59b1f83a56f02f05fb4489e38a846673e738b3329b519bfc404c0562cf16",
    ),
    CatalogueEntry("LANL-CM5-1994-4.1-cln", "l_lanl_cm5", 1024, 122_060, 213),
    CatalogueEntry("SDSC-Par-1995-3.1-cln", "l_sdsc_par", 400, 53_970, 98),
    CatalogueEntry("SDSC-Par-1996-3.1-cln", "l_sdsc_par", jobs=32_135),
    CatalogueEntry(
        *("CTC-SP2-1996-3.1-cln", "l_ctc_sp2", 338, 77_222, 679),
        sha256="9fa28ac16c4386fb81b72a91d8bd8888281df2948a9d912769d387c5ee285bb4",
    ),
    CatalogueEntry("LLNL-T3D-1996-2", "l_llnl_t3d"),
    CatalogueEntry(
        *("KTH-SP2-1996-2.1-cln", "l_kth_sp2", 100, 28_476, 214),
        sha256="3e152f201fd2e96808a735bced6ea6eb0bb07fdc447689cafb0750d87b264c0b",
    ),
    CatalogueEntry(
        *("KTH-SP2-1996-2", "l_kth_sp2", 100, 28_489, 214),
        sha256="07f87eefc377964b3755abd58c658462e4976dcb8a85656ae7eed0cedf6170f6",
    ),
    CatalogueEntry("SDSC-SP2-1998-4.2-cln", "l_sdsc_sp2", 128, 59_715),
    CatalogueEntry("SDSC-SP2-1998-4", "l_sdsc_sp2", 128),
    CatalogueEntry("LANL-O2K-1999-2", "l_lanl_o2k"),
    CatalogueEntry("OSC-Clust-2000-3.1-cln", "l_osc", 178, 36_097, 253),
    CatalogueEntry("SDSC-BLUE-2000-4.2-cln", "l_sdsc_blue", 1152, 243_306),
    CatalogueEntry("Sandia-Ross-2001-1.1-cln", "l_sandia_ross", jobs=57_882),
    CatalogueEntry(
        *("HPC2N-2002-2.2-cln", "l_hpc2n", 240, 202_871, 257),
        sha256="3c534857d6065cfd9cc35aac8d064c9c17172be7acf336de835006f43a626e64",
    ),
    *(CatalogueEntry(f"DAS2-fs{k}-2003-1", "l_das2") for k in range(5)),
    CatalogueEntry("SDSC-DS-2004-2.1-cln", "l_sdsc_ds", 1664, 96_069),
    CatalogueEntry("LPC-EGEE-2004-1.2-cln", "l_lpc", jobs=234_889),
    CatalogueEntry("LCG-2005-1", "l_lcg"),
    CatalogueEntry("SHARCNET-2005-2", "l_sharcnet"),
    CatalogueEntry("SHARCNET-Whale-2006-2", "l_sharcnet"),
    CatalogueEntry("LLNL-uBGL-2006-2", "l_llnl_ubgl"),
    CatalogueEntry("LLNL-Atlas-2006-2.1-cln", "l_llnl_atlas", jobs=43_778),
    CatalogueEntry("LLNL-Thunder-2007-1.1-cln", "l_llnl_thunder", jobs=121_039),
    CatalogueEntry("CIEMAT-Euler-2008-1", "l_ciemat_euler"),
    CatalogueEntry("METACENTRUM-2009-2", "l_metacentrum"),
    CatalogueEntry("ANL-Intrepid-2009-1", "l_anl_int", 163_840, 68_936, 236),
    CatalogueEntry("PIK-IPLEX-2009-1", "l_pik_iplex", 2560, 742_965, 225),
    CatalogueEntry(
        *("RICC-2010-2", "l_ricc", 8192, 447_794, 176),
        sha256="38b7c5c9843d9a9f3d61a2d8b927f6d39b68b368fb713886b5f2ce3499f2ec82",
    ),
    CatalogueEntry(
        *("CEA-Curie-2011-2.1-cln", "l_cea_curie", 93_312, 312_826, 582),
        sha256="2a0fdbd40837590b491bbbac7d4cfe521de1f0b14c0dc39bbf82c4e49ea75bce",
    ),
    *(CatalogueEntry(f"Intel-Netbatch{site}-2012-1", "l_intel_netbatch") for site in "ABCD"),
    CatalogueEntry("METACENTRUM-2013-3", "l_metacentrum2"),
    CatalogueEntry("UniLu-Gaia-2014-2", "l_unilu_gaia"),
    CatalogueEntry(
        *("UniLu-Gaia-2014-1", "l_unilu_gaia", 2004, 51_987, 84),
        sha256="a4681c03cc7c027adb62578ff74b9990a875670265cd706d7199d62aa6fadf87",
    ),
    CatalogueEntry("KIT-FH2-2016-1", "l_kit_fh2"),
)
