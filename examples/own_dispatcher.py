"""A dispatcher, scheduler and allocator in one: it chooses jobs, names their nodes, and rejects jobs that wait long."""

import numpy as np

import thinktime as tt


class Dispatcher(tt.OwnScheduler):
    """First come, first served; wide jobs leave node 0 to jobs of one core."""

    longest_wait_h: float = 12.0

    def schedule(self, now_s, queue, running, machine):
        late = now_s - queue.submit_s > 3600 * self.longest_wait_h
        machine.reject(queue.row[late], "waited too long")
        free, answer = machine.node_free[:, 0].copy(), []
        for row, cores in zip(queue.row[~late].tolist(), queue.processors[~late].tolist(), strict=True):
            usable = free.copy() if cores == 1 else np.concatenate([[0], free[1:]])
            if usable.sum() < cores:
                break
            nodes = {}
            while cores:  # one core after the other, on the emptiest node
                node = int(usable.argmax())
                usable[node] -= 1
                free[node] -= 1
                cores -= 1
                nodes[node] = nodes.get(node, 0) + 1
            answer.append((row, nodes))
        return answer


cluster = tt.Cluster(groups=[{"name": "n", "nodes": 9, "core": 16}])
log = tt.default_workload(jobs=2000)
for hours in (1, 12):
    run = tt.simulate(log, cluster, Dispatcher(longest_wait_h=hours))
    wait_h = run.summary()["wait_mean_s"] / 3600
    wide_on_first = run.placements.filter(node="n-0").join(run.jobs.filter(processors=1), on="job", how="anti")
    print(f"{hours:2} h: wait {wait_h:.2f} h, {run.cautions.short()}, {len(wide_on_first)} wide jobs on the first node")
    assert tt.check(run) == []
