"""`thinktime import sacct`: Slurm's accounting as a log, anonymous if you wish."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from thinktime.cli import parsing, printing
from thinktime.cli.options import (
    WRITTEN,
    Json,
    file_path,
    flag,
    option,
    option_group,
    required_option,
    text,
    with_options,
)
from thinktime.cli.printing.progress import Stage
from thinktime.errors import InputError
from thinktime.support.output_files import require_new
from thinktime.traces.find import format_ending, log_name
from thinktime.traces.sacct.layout import RECOMMENDED_COMMAND

if TYPE_CHECKING:
    from thinktime.workload import Workload

app = typer.Typer(invoke_without_command=True, rich_markup_mode="rich")

SLURM, PRIVATE = "Reading sacct", "Anonymisation"
Files = Annotated[list[str], typer.Argument(metavar="FILE...", help="Output of sacct -P or sacct --json, also packed.")]


@app.callback()
def import_logs(context: typer.Context) -> None:
    """Turn accounting data of a batch system into a log: sacct (Slurm).

    Example: thinktime import sacct sacct.txt.gz --zone Europe/Berlin --out cluster.parquet
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@option_group(WRITTEN)
class ImportedFileOptions:
    """What is written."""

    out: Path = required_option(
        "--out",
        file_path,
        metavar="FILE",
        help="The log: .parquet, .csv or .json (with all attributes), .swf or .swf.gz (without).",
    )
    overwrite: bool = flag("--overwrite", help="Replace an existing file.")
    processors: int | None = option(
        "--processors",
        parsing.whole,
        metavar="N",
        help="Processors of the machine, which sacct does not say; written into the log.",
    )


@option_group(SLURM)
class SacctFileOptions:
    """How the files are read: the options of the reader sacct."""

    zone: str | None = option(
        "--zone", text, metavar="NAME", help="Time zone of local times, for example Europe/Berlin."
    )
    columns: str | None = option(
        "--columns", text, metavar="NAMES", help="Columns of files without a header: JobID,Submit,Start,…"
    )
    delimiter: str | None = option("--delimiter", text, metavar="TEXT", help="Delimiter (default: found).")
    wait_from: str = option(
        "--wait-from",
        text,
        default="submit",
        metavar="WHEN",
        help="Where waits begin: submit, or eligible, when the job could first start.",
    )
    attempts: str = option(
        "--attempts",
        text,
        default="all",
        metavar="WHICH",
        help="Records of a requeued job: all (each is a job) or last.",
    )
    het_jobs: str = option(
        "--het-jobs", text, default="join", metavar="HOW", help="Heterogeneous jobs: join components, or separate."
    )
    running: str = option(
        "--running", text, default="drop", metavar="HOW", help="Jobs that still ran: drop, or keep their time so far."
    )
    cluster: str | None = option("--cluster", text, metavar="NAME", help="Keep the jobs of this cluster only.")
    attributes: str = option(
        "--attributes", text, default="all", metavar="WHICH", help="Further columns: all, names or none."
    )

    def reader(self) -> Any:
        """Return the reader with these options."""
        from thinktime.traces.readers.sacct import SacctReader

        return SacctReader.from_options({name: getattr(self, name) for name in SacctReader._defaults()})


@option_group(PRIVATE)
class PrivacyOptions:
    """What is hidden."""

    anonymise: bool = flag(
        "--anonymise", help="Replace names of users, accounts, jobs, nodes, … by keyed hashes; drop free texts."
    )
    salt: str | None = option(
        "--salt",
        text,
        metavar="TEXT",
        help="Secret key of the hashes (default: a random one that is not kept). Other users of this computer may see"
        " it; prefer --salt-file.",
    )
    salt_file: Path | None = option(
        "--salt-file", file_path, metavar="FILE", help="File with the secret key; keep it to anonymise further files."
    )
    keep: tuple[str, ...] = option(
        "--keep",
        lambda name, value: tuple(part.strip() for part in value.split(",") if part.strip()),
        default="",
        metavar="NAMES",
        show_default=False,
        help="Names that stay: partition, qos.",
    )
    shift_jobs: bool = flag("--shift-jobs", help="Add a secret number to all job ids.")

    def keywords(self) -> dict[str, Any]:
        """Return the arguments of `read_sacct`."""
        if not self.anonymise and (self.salt or self.salt_file or self.keep or self.shift_jobs):
            raise InputError("--salt, --salt-file, --keep and --shift-jobs belong to --anonymise: add it")
        if self.salt is not None and self.salt_file is not None:
            raise InputError("--salt and --salt-file exclude each other: give one")
        return {
            "anonymise": self.anonymise,
            "salt": self.salt if self.salt_file is None else _salt_of(self.salt_file),
            "keep": self.keep,
            "shift_jobs": self.shift_jobs,
        }


def _salt_of(path: Path) -> bytes:
    try:
        return path.read_bytes().strip()
    except OSError as error:
        raise InputError(f"Cannot read the salt from {path}: {error.strerror}.") from None


@app.command("sacct-command")
def print_sacct_command(as_json: Json = False) -> None:
    """Print the sacct command to run on the cluster, on one line.

    Example: thinktime import sacct-command
    """
    if as_json:
        printing.as_json({"command": RECOMMENDED_COMMAND})
        return
    typer.echo(RECOMMENDED_COMMAND)


@app.command(
    "sacct",
    epilog=f"Run on the cluster (`thinktime import sacct-command` prints it on one line): {RECOMMENDED_COMMAND}",
)
@with_options
def import_sacct(
    files: Files,
    file: ImportedFileOptions,
    slurm: SacctFileOptions,
    private: PrivacyOptions,
    as_json: Json = False,
) -> None:
    """Turn the output of Slurm's sacct into a log, with an account of every line.

    Several files become one log; a record that several files have counts once.

    Example: thinktime import sacct 2024-*.txt.gz --zone Europe/Berlin --out 2024.parquet

    Example: thinktime import sacct sacct.txt --out shared.parquet --anonymise --salt-file salt.txt
    """
    from thinktime.result.writer import write, writer_of
    from thinktime.workload import read_sacct

    writer_of(file.out)  # raise InputError before a long file is read
    require_new(file.out, file.overwrite, *files)
    keywords = private.keywords()
    with Stage("reading sacct"):
        log = read_sacct(files, reader=slurm.reader(), machine=file.processors, name=log_name(file.out), **keywords)
    with Stage("writing"):
        write(log, file.out)
    _print(log, files, file, private, as_json)


def _print(log: Workload, files: list[str], file: ImportedFileOptions, private: PrivacyOptions, as_json: bool) -> None:
    following = next_commands(log, file.out)
    if as_json:
        printing.as_json(
            {
                "name": log.name,
                "files": [] if private.anonymise else list(files),
                "out": str(file.out),
                "jobs": len(log),
                "users": int(log.users.size),
                "attributes": list(log.attributes),
                "anonymous": private.anonymise,
                "account": log.account,
                "next": following,
            }
        )
        return
    account = log.account
    printing.heading(f"{file.out}: {len(log):,} jobs of {log.users.size:,} users")
    printing.row("lines", _lines(account))
    for reason, count in account["dropped"].items():
        printing.row("", f"{count:,} dropped: {reason}")
    for fault in account["malformed"][:3]:
        printing.row("malformed", f"line {fault['line']}: {fault['reason']}: {fault['text'][:60]}".rstrip(": "))
    for note in account.get("notes", ()):
        printing.row("note", note)
    printing.row("times", _times(log))
    printing.row("machine", _machine(log))
    if log.attributes:
        lost = "not in SWF, write .parquet or .csv to keep them: " if format_ending(file.out) == ".swf" else ""
        printing.row("attributes", lost + ", ".join(log.attributes))
    if private.anonymise:
        printing.row("anonymous", _salt_words(private))
    printing.commands("next", *following)


def _lines(account: Any) -> str:
    kinds = {"records": "job_lines", "headers": "comment_lines", "blank": "blank_lines", "malformed": "malformed_lines"}
    said = ", ".join(f"{account[key]:,} {name}" for name, key in kinds.items())
    return f"{account['lines']:,}: {said}; {account['kept']:,} jobs kept"


def _times(log: Workload) -> str:
    zone = log.account.get("time_zone")
    first, last = (str(moment).replace("T", " ") for moment in _ends(log))
    return f"{first} to {last} ({zone or 'UTC; zone of the site unknown'})"


def _ends(log: Workload) -> tuple[Any, Any]:
    zone = log.account.get("time_zone") or "UTC"
    moments = log.local_time("submit_s", zone)
    return moments[0], moments[-1]


def _machine(log: Workload) -> str:
    size, because = log.account["machine_processors"], log.account["machine_because"]
    if because == "argument":
        return f"{size:,} processors (--processors)"
    return f"at least {size:,} processors ({because}); sacct does not say how many the machine has"


def _salt_words(private: PrivacyOptions) -> str:
    if private.salt is None and private.salt_file is None:
        return "names are hashes with a random key that was not kept: other files will have other hashes"
    return "names are hashes with your salt: the same salt gives the same hashes in other files"


def next_commands(log: Workload, out: Path) -> list[str]:
    """Return commands to type next."""
    size, known = log.account["machine_processors"], log.account["machine_because"] == "argument"
    processors = () if known else ("--processors", size)
    return [
        printing.command("inspect", out),
        printing.command("run", out, *processors, "--scheduler", "easy", "--out", f"{log.name}-easy"),
    ]
