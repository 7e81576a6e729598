"""Additional data about the system, and decisions that depend on it: a plugin measures power and keeps to a cap."""

import thinktime as tt

IDLE_W, CORE_W = 90.0, 35.0  # of a node in use, of a busy core


class PowerCap(tt.OwnPlugin, publishes=("watts",)):
    cap_w: float = 1e9

    def start(self, context):
        return Meter(self.cap_w, context)


class Meter:
    def __init__(self, cap_w, context):
        self.cap_w, self.cores, self.units, self.rows = cap_w, context.cluster.capacity[:, 0], context.processors, []

    def watts(self, system):
        busy = self.cores - system.node_free.reshape(system.nodes, -1)[:, 0]
        return float((IDLE_W * (busy > 0) + CORE_W * busy).sum())

    def starting(self, system, job):
        return bool(self.watts(system) + self.units[job] * (IDLE_W + 2 * CORE_W) <= self.cap_w)

    def after_pass(self, system):
        system.publish("watts", self.watts(system))  # for keys: tt.key.value("watts")
        self.rows.append(self.watts(system))

    def report(self):
        return {"watts": self.rows}


log, seth = tt.default_workload(weeks=2), tt.Cluster.named("seth").replace(memory="ignore")
for plugin in (PowerCap(), PowerCap(cap_w=22_000)):
    run = tt.simulate(log, seth, "fcfs:skip=true", plugins=[plugin])
    peak_w = run.reports["power-cap"]["watts"].max()
    print(f"peak {peak_w / 1000:.1f} kW, mean wait {run.summary()['wait_mean_s'] / 60:.0f} min")
