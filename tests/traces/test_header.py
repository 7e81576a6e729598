"""Headers, with the deviations that real logs show, and local time by the log's own zone."""

from __future__ import annotations

import datetime
import zoneinfo

import numpy as np
import pytest

from tests.shared_data import log
from thinktime.traces import Header, TimeZone, read_log


def header(text: str) -> Header:
    return Header.parse(text.splitlines())


def test_keys_repeat_and_values_continue() -> None:
    parsed = header(" Note: first\n       second\n Queue: 1 small (up to 8)\n Queue: 2 large\n\n       no value\n")
    assert parsed["Note"] == ["first\nsecond"]
    assert parsed["queue"] == ["1 small (up to 8)", "2 large"]
    assert parsed.keys() == ["Note", "Queue"]


def test_addresses_in_continuations_are_no_keys() -> None:
    parsed = header(" Information: http://one/\n              http://two/\n\tsee: http://three/")
    assert parsed["Information"] == ["http://one/\nhttp://two/\nsee: http://three/"]
    assert "http" not in parsed


def test_padded_keys_tabs_and_old_names() -> None:
    parsed = header(
        "   --- converted by hand ---\n       MaxJobs: 51987\n\tMaxProcs:\t16\n SWFversion: 2.1\n EndTime:   never"
    )
    assert (parsed.integer("MaxJobs"), parsed.integer("MaxProcs"), parsed.version) == (51987, 16, "2.1")
    assert parsed["EndTime"] == ["never"]


def test_numbers_are_the_first_integer_and_lists_are_kept() -> None:
    parsed = header(" MaxNodes: 338 (batch partition; 512 total)\n Computer: UNKNOWN\n MaxRuntime:")
    assert parsed.integer("MaxNodes") == 338
    assert parsed["MaxNodes"] == ["338 (batch partition; 512 total)"]
    assert parsed.first("Computer") is None
    assert parsed.integer("MaxRuntime") is None
    assert parsed.integer("Nothing") is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(("1,024", 1024), ("93,312 (all)", 93312), ("1,234,567;", 1234567), ("-18000", -18000), ("+3,600", 3600)),
        *(("338(batch; 512 total)", 338), ("about 128.", 128), ("(64 of 128)", 64), ("16, later 1e3", 16)),
        *(("1e3", None), ("1e400", None), ("1.5 (of 3)", None), ("128.0", None), ("1,02", None), ("1024,5", None)),
        *(("64x2", None), ("1024MB", None), ("1_024", None), ("1 024", None), ("18:00:00", None), ("SP2 128", None)),
    ],
)
def test_numbers_are_read_right_or_not_at_all(text: str, value: int | None) -> None:
    assert header(f" MaxProcs: {text}").integer("MaxProcs") == value


@pytest.mark.parametrize(
    ("text", "size"),
    [
        (" MaxNodes: 4\n MaxProcs: 8", (8, "MaxProcs")),
        (" MaxNodes: 4\n MaxProcs: -1", (4, "MaxNodes")),
        (" MaxNodes: UNKNOWN", None),
        (" MaxProcs: 1,024", (1024, "MaxProcs")),
        (" MaxNodes: 4\n MaxProcs: 1e3", (4, "MaxNodes")),
    ],
)
def test_machine_size(text: str, size: tuple[int, str] | None) -> None:
    assert header(text).machine_size() == size


@pytest.mark.parametrize(("text", "value"), [("No", "No"), ("double", "Double"), ("TS.", "TS"), ("perhaps", None)])
def test_preemption(text: str, value: str | None) -> None:
    assert header(f" Preemption: {text}").preemption == value
    assert header("").preemption is None


def test_time_zones_by_string_then_offset_then_none() -> None:
    assert header(" TimeZone: 3600\n TimeZoneString: US/Eastern").time_zone() == TimeZone(
        "TimeZoneString", "US/Eastern"
    )
    assert header(" TimeZone: -18000\n TimeZoneString: Nowhere/At/All").time_zone() == TimeZone("TimeZone", "", -18000)
    for text in (
        "",
        " TimeZoneString: ../../etc",
        " TimeZone: 99999999",
        " TimeZone: 1e400",
        " TimeZoneString: UNKNOWN",
    ):
        assert header(text).time_zone() is None


def test_local_time_follows_summer_time() -> None:
    zone = TimeZone.named("Europe/Stockholm")
    assert zone is not None
    unix = np.array([843480031, 846377999, 846378000, 875000000.5, np.nan])  # summer time ended at 846378000
    assert np.array_equal(zone.local_s(unix) - unix, [7200, 7200, 3600, 7200, np.nan], equal_nan=True)


@pytest.mark.parametrize("name", ["Europe/Paris", "US/Pacific", "Asia/Tokyo", "Australia/Lord_Howe"])
def test_local_time_is_what_zoneinfo_says(name: str) -> None:
    zone, said = TimeZone.named(name), zoneinfo.ZoneInfo(name)
    assert zone is not None
    unix = np.random.default_rng(1).uniform(0.74e9, 1.4e9, 500)
    expected = [t + datetime.datetime.fromtimestamp(t, said).utcoffset().total_seconds() for t in unix]
    assert np.array_equal(zone.local_s(unix), expected)


def test_a_fixed_offset_and_times_beyond_the_calendar() -> None:
    assert TimeZone("TimeZone", offset_s=3600).local_s(np.array([0.0])).tolist() == [3600]
    zone = TimeZone.named("Europe/Paris")
    assert zone is not None
    found = zone.local_s(np.array([-(2.0**53), 0.0, 2.0**53, np.nan]))
    assert found[1] == 3600
    assert found[2] - 2.0**53 == zone.offset_at(2.0**53) == zone.offset_at(1e15) == 3600
    assert found[0] + 2.0**53 == zone.offset_at(-(2.0**53))
    assert np.isnan(found[3])


def test_long_values_and_many_keys_cost_no_more_than_their_length() -> None:
    """Quadratic searches would take minutes."""
    long = Header.parse(["MaxProcs: " + "x" * 3_000_000 + " 8", " " * 1_000_000 + "y", "Note" + " " * 1_000_000])
    assert long.integer("MaxProcs") == 8
    many = Header.parse(f"Key{k}: {k}" for k in range(200_000))
    assert len(many.to_dict()) == len(many.keys()) == 200_000
    assert many["key7"] == ["7"]


REAL = {
    "KTH-SP2-1996-2.1-cln": (100, "MaxProcs", "Europe/Stockholm", "No"),
    "CTC-SP2-1996-3.1-cln": (338, "MaxProcs", "US/Eastern", "No"),
    "CEA-Curie-2011-2.1-cln": (93312, "MaxProcs", "Europe/Paris", None),
    "UniLu-Gaia-2014-1": (2004, "MaxProcs", "Europe/Luxembourg", None),
}


@pytest.mark.parametrize("name", REAL)
def test_headers_of_real_logs(name: str) -> None:
    parsed = read_log(log(name)).header
    size, because, zone, preemption = REAL[name]
    assert parsed.machine_size() == (size, because)
    assert (str(parsed.time_zone()), parsed.preemption, parsed.version or "2.2") == (zone, preemption, "2.2")


def test_the_notes_of_curie_keep_their_continuations() -> None:
    notes = read_log(log("CEA-Curie-2011-2.1-cln")).header.notes
    assert notes[1].startswith("hybrid nodes (16 chassis) are not taken into account in the MaxNodes\nand MaxProcs")
