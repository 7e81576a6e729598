"""Plugins on the command line, in studies, in figures and in specs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import thinktime as tt
from tests.plugins.small import cluster, random_workload, workload
from thinktime import plots
from thinktime.cli.commands.run import app
from thinktime.errors import InputError
from thinktime.spec import from_dict, parse

EVERY = (
    tt.Failures(mtbf_h=1000, jobs="lose"),
    tt.Failures(table=[("g-0", 1, 2)]),
    tt.Maintenance(windows=[{"nodes": ["g-0", 1], "from_s": 0, "to_s": 5, "every_days": 7}]),
    tt.Reservations(windows=[{"from_s": 0, "to_s": 5, "users": [1]}]),
    tt.Power(idle_w={"g": 3}, cap_w={0: 1000, 12: 900}),
    tt.Thermal(limit_c=60),
)


@pytest.mark.parametrize("plugin", EVERY, ids=lambda plugin: plugin.name)
def test_a_plugin_survives_json(plugin: tt.Failures) -> None:
    again = from_dict("plugin", json.loads(json.dumps(plugin.to_dict())))
    assert again == plugin
    assert hash(again) == hash(plugin)
    assert eval(repr(plugin), vars(tt)) == plugin


def test_what_one_types() -> None:
    assert parse("plugin", "failures:mtbf_h=1000,mttr_h=4,jobs=requeue") == tt.Failures(mtbf_h=1000)
    with pytest.raises(InputError, match="no plugin is called 'failure'"):
        parse("plugin", "failure:mtbf_h=1000")


@pytest.mark.parametrize(
    "power",
    [tt.Power(cap_w={0: 19000, 8.5: 16500.5}), tt.Power(idle_w={"g0": 3, "b": 1e6}, cap_w=1234567.25)],
    ids=lambda power: power.text(),
)
def test_tables_of_watts_are_typed(power: tt.Power) -> None:
    assert parse("plugin", power.text()) == power


@pytest.mark.parametrize("cap", ["8*100+", "3+4", "a*100", "8*6+3*7", "25*100", "8*nan", "*3"])
def test_what_is_no_table_of_watts(cap: str) -> None:
    with pytest.raises(InputError, match=r"^cap_w of power is .*: "):
        parse("plugin", f"power:cap_w={cap}")


def test_the_command_line(tmp_path: Path) -> None:
    out = tmp_path / "run"
    given = ["default", "--cluster", "seth", "--plugin", "failures:mtbf_h=500", "--plugin", "power:off_after_s=600"]
    done = CliRunner().invoke(app, [*given, "--out", str(out), "--no-figures"])
    assert done.exit_code == 0, done.output
    assert "plugin failures:mtbf_h=500" in " ".join(done.output.split())
    result = tt.Result.load(out)
    assert {"failures", "hits", "power", "node_energy", "job_energy"} == set(result.reports)
    assert tt.check(result) == []
    result.save(out, overwrite=True)


def test_a_study_has_plugins_in_its_rules(tmp_path: Path) -> None:
    path = tmp_path / "study.toml"
    path.write_text(
        'name = "breaks"\nworkloads = ["default"]\nplatforms = ["seth"]\nschedulers = ["easy"]\n'
        'seeds = 2\nmetrics = ["wait_mean_s"]\n'
        '[[rules]]\nname = "whole"\n[[rules]]\nname = "breaks"\nplugins = ["failures:mtbf_h=500,jobs=lose"]\n'
    )
    study = tt.Study.read(path)
    tasks = list(study.tasks())
    assert sum(task.cell["rules"] == "breaks" for task in tasks) == 2
    assert sum(task.cell["rules"] == "whole" for task in tasks) <= 2
    from thinktime.study.execute import execute

    outcome = execute(next(task for task in tasks if task.cell["rules"] == "breaks"))
    assert outcome["error"] is None
    assert outcome["summary"]["jobs_lost"] > 0


@pytest.mark.parametrize(
    ("plugins", "sentence"),
    [
        ("[3]", "plugins is 3: give a spec or a text"),
        ('["power", "power"]', "two plugins are called 'power'"),
        ('["thermal"]', "plugin thermal needs power"),
    ],
)
def test_plugins_of_a_study_that_do_not_go(tmp_path: Path, plugins: str, sentence: str) -> None:
    file = tmp_path / "study.toml"
    file.write_text(
        'name = "x"\nworkloads = ["default"]\nplatforms = ["seth"]\nschedulers = ["easy"]\n'
        f"[[rules]]\nplugins = {plugins}\n"
    )
    with pytest.raises(InputError, match=sentence):
        tt.Study.read(file)


def test_a_study_in_python_takes_specs_of_plugins() -> None:
    power = tt.Power(cap_w={0: 30000, 8: 20000})
    given: dict[str, Any] = {"name": "x", "workloads": ["default"], "platforms": ["seth"], "schedulers": ["easy"]}
    of_specs, of_texts = (
        tt.Study.of(**given, rules=[{"plugins": [plugin]}]).tasks()[0].run for plugin in (power, power.text())
    )
    assert of_specs == of_texts


def test_figures() -> None:
    result = tt.simulate(
        random_workload(1), cluster(4), tt.Easy(), plugins=[tt.Power(off_after_s=60), tt.Thermal(sample_s=60)]
    )
    shown = {"power_over_time", "temperature_map"}
    assert shown <= set(plots.run_figures(result))
    plain = tt.simulate(random_workload(1), cluster(4), tt.Easy())
    assert not shown & set(plots.run_figures(plain))
    with pytest.raises(InputError, match="The run has no power"):
        plots.power_over_time(plain)


def test_two_of_a_kind_are_refused() -> None:
    with pytest.raises(InputError, match="two plugins are called 'power'"):
        tt.simulate(workload([(0, 1, 1, 1)]), cluster(2), tt.FCFS(), plugins=[tt.Power(), tt.Power()])


def test_schedulers_in_python_see_what_plugins_publish() -> None:
    seen: list[float] = []

    class Looking(tt.OwnScheduler):
        def schedule(self, now_s, queue, running, machine):  # type: ignore[no-untyped-def]
            seen.append(machine.values["power_w"])
            return queue.row[machine.fits(queue.row)]

    tt.simulate(
        workload([(0, 10, 10, 1), (5, 1, 1, 1)]), cluster(1), Looking(), plugins=[tt.Power(idle_w=100, processor_w=7)]
    )
    assert seen[-1] == 107.0
