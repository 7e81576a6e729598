"""No name of a site survives anonymisation, and the same salt gives the same hashes."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest

import thinktime as tt
from tests.traces.sacct.sacct_text import job, text_of

SECRETS = {
    "User": "annsecret",
    "Group": "grpsecret",
    "Account": "accsecret",
    "Partition": "partsecret",
    "QOS": "qossecret",
    "Cluster": "clustersecret",
    "JobName": "namesecret one",
    "NodeList": "nodesecret[1-3],rack9",
    "WorkDir": "/home/dirsecret",
    "SubmitLine": "sbatch linesecret -d afterok:77",
    "Comment": "commentsecret",
    "AdminComment": "adminsecret",
    "Reservation": "resvsecret",
    "WCKey": "wcsecret",
    "Constraints": "featsecret",
    "Reason": "reasonsecret",
    "Flags": "flagsecret",
    "ReqTRES": "cpu=2,license/licsecret=1,mem=1G",
    "UID": "987654",
    "GID": "876543",
    "State": "CANCELLED by 987654",
    "Licenses": "licsecret:1",
    "StdOut": "/home/outsecret",
    "MyOwnField": "ownsecret",
    "FailedNode": "nodesecret1",
    "DBIndex": "765432",
    "McsLabel": "mcssecret",
    "Extra": "extrasecret",
    "Container": "contsecret",
    "BlockID": "blocksecret",
    "AllocGRES": "gpu:typesecret:1",
    "AssocID": "654321",
    "AllocTRES": "cpu=4,gres/gpu:typesecret=1,node=3",
}
TOKENS = [
    *("annsecret", "grpsecret", "accsecret", "partsecret", "qossecret", "clustersecret", "namesecret", "nodesecret"),
    *("rack9", "dirsecret", "linesecret", "commentsecret", "adminsecret", "resvsecret", "wcsecret", "featsecret"),
    *("reasonsecret", "flagsecret", "licsecret", "987654", "876543", "outsecret", "ownsecret", "765432", "mcssecret"),
    *("extrasecret", "contsecret", "blocksecret", "typesecret", "654321", "sitesecret", "the salt of this test"),
]
SALT = "the salt of this test"


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    """A file with a secret in every field, in malformed lines and in its name."""
    records = [job(k) | SECRETS for k in (1, 2)] + [job(3) | SECRETS | {"Submit": "Ystday annsecret"}]
    records += [job(4) | SECRETS | {"JobID": "4.batch", "JobIDRaw": "4.batch"}]
    path = tmp_path / "sitesecret.txt"
    path.write_text("annsecret wrote this\n" + text_of(records) + "annsecret|broken\n")
    return path


def everything(log: tt.Workload) -> str:
    """All that a workload holds, as text."""
    plain = json.dumps([log.account, log.source, log.header.lines if log.header else (), log.name])
    texts = {name: of.labels for name, of in log.types.items()}
    return plain + repr(texts) + repr(log.frame.to_dicts()) + repr(pickle.dumps(log)) + repr(log)


def assert_no_secrets(text: str) -> None:
    found = [token for token in TOKENS if token in text]
    assert found == []


def test_no_secret_survives_in_the_workload(dump: Path) -> None:
    log = tt.read_sacct(dump, anonymise=True, salt=SALT)
    assert len(log) == 2
    assert_no_secrets(everything(log))
    assert log.texts("user")[0].startswith("user-")
    assert log.texts("node_list")[0].count("node-") == 4
    assert log.texts("requested_tres").tolist() == ["cpu=2,mem=1G"] * 2
    assert "submit_line" not in log.attributes


def test_users_by_number_are_hashed_too(tmp_path: Path) -> None:
    path = tmp_path / "sacct.txt"
    path.write_text(text_of([{k: v for k, v in (job(1) | {"UID": "987654"}).items() if k != "User"}]))
    log = tt.read_sacct(path, anonymise=True, salt=SALT)
    assert_no_secrets(everything(log))
    assert log["user"].tolist() == [1]


def test_no_secret_survives_in_files(dump: Path, tmp_path: Path) -> None:
    log = tt.read_sacct(dump, anonymise=True, salt=SALT, machine=64, name="shared")
    for name in ("shared.parquet", "shared.csv", "shared.swf", "shared.json"):
        tt.write(log, tmp_path / name)
        assert_no_secrets((tmp_path / name).read_bytes().decode("latin-1"))
        assert_no_secrets(everything(tt.read(tmp_path / name)))


def test_hashes_depend_on_the_salt_alone(dump: Path) -> None:
    one, same, other, random = (
        tt.read_sacct(dump, anonymise=True, salt=salt).texts("user")[0] for salt in (SALT, SALT, "another salt", None)
    )
    assert one == same
    assert len({one, other, random}) == 3


def test_equal_names_of_different_kinds_have_different_hashes(tmp_path: Path) -> None:
    path = tmp_path / "sacct.txt"
    path.write_text(text_of([job(1) | {"User": "bio", "Account": "bio"}]))
    log = tt.read_sacct(path, anonymise=True, salt=SALT)
    assert log.texts("user")[0].partition("-")[2] != log.texts("account")[0].partition("-")[2]


def test_some_names_may_stay(dump: Path) -> None:
    log = tt.read_sacct(dump, anonymise=True, salt=SALT, keep=["partition", "qos"])
    assert (log.texts("partition")[0], log.texts("qos")[0], log.texts("queue")[0]) == ("partsecret", *["qossecret"] * 2)
    with pytest.raises(tt.InputError, match="choose from partition, qos"):
        tt.read_sacct(dump, anonymise=True, keep=["user"])


def test_job_ids_are_shifted(tmp_path: Path) -> None:
    path = tmp_path / "sacct.txt"
    path.write_text(text_of([job(7, JobID="7_1"), job(8)]))
    log = tt.read_sacct(path, anonymise=True, salt=SALT, shift_jobs=True)
    shift = log["job"][0] - 7
    assert shift > 0
    assert log["job"].tolist() == [7 + shift, 8 + shift]
    assert log.texts("job_id").tolist() == [f"{7 + shift:.0f}_1", f"{8 + shift:.0f}"]


def test_the_numbers_are_those_of_the_log(dump: Path) -> None:
    plain, hidden = tt.read_sacct(dump), tt.read_sacct(dump, anonymise=True, salt=SALT)
    for name in ("job", "submit_s", "wait_s", "run_s", "processors", "requested_memory_kb", "status", "user"):
        assert plain[name].tolist() == hidden[name].tolist()


def test_options_without_anonymise_are_refused(dump: Path) -> None:
    with pytest.raises(tt.InputError, match="anonymise=True"):
        tt.read_sacct(dump, salt=SALT)
    with pytest.raises(tt.InputError, match="at least 8 bytes"):
        tt.read_sacct(dump, anonymise=True, salt="short")
    with pytest.raises(tt.InputError, match="needs the reader sacct"):
        tt.read_sacct(dump, reader="swf")
