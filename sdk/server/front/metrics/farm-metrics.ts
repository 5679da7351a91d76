import type { Registry } from 'prom-client';
import type { FarmStatus } from '../../queue/types.js';
import type { Prometheus } from './http-metrics.js';
import { PhaseHistogram } from './phase-histogram.js';

const QUEUE_STATES = ['waiting', 'delayed', 'proving', 'proved', 'failed'] as const;

/** What the farm tells of itself, as metrics. Every front shows the same, so a sum over fronts would count it several times. */
export class FarmMetrics {
  private readonly reachable;
  private readonly jobs;
  private readonly workers;
  private readonly trusted;
  private readonly memory;
  private readonly keys;
  private readonly proofs;
  private readonly failures;
  private readonly alarms;
  private readonly seconds;

  constructor({ Counter, Gauge }: Prometheus, registry: Registry) {
    const registers = [registry];
    const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
      new Gauge({ name, help, labelNames, registers });
    const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
      new Counter({ name, help, labelNames, registers });
    this.reachable = gauge('pippin_redis_reachable', '1 if Redis has answered this time, 0 if it has not.');
    this.jobs = gauge('pippin_jobs', 'Jobs by circuit and state; ended ones while they are kept.', 'circuit', 'state');
    this.workers = gauge('pippin_workers', 'Living workers by state.', 'state');
    this.trusted = gauge(
      'pippin_worker_gpu_trusted',
      '1 if the GPU of a worker is trusted, 0 if it has computed wrong; workers without a GPU have no value.',
      'worker',
      'device',
    );
    this.memory = gauge('pippin_worker_memory_bytes', 'Resident memory of a worker.', 'worker');
    this.keys = gauge('pippin_worker_keys', 'Proving keys that a worker holds.', 'worker');
    this.proofs = counter('pippin_proofs_total', 'Proofs by circuit.', 'circuit');
    this.failures = counter('pippin_failures_total', 'Failed tries by circuit and code.', 'circuit', 'code');
    this.alarms = counter(
      'pippin_alarms_total',
      'Alarms by kind: a GPU that computed wrong, a worker that died.',
      'kind',
    );
    this.seconds = new PhaseHistogram(registry);
  }

  /** Takes what the farm has told, or that it could not be asked. Then counters keep what they had. */
  set(farm: FarmStatus | undefined): void {
    this.reachable.set(farm === undefined ? 0 : 1);
    for (const each of [this.jobs, this.workers, this.trusted, this.memory, this.keys]) each.reset();
    if (farm === undefined) return;
    for (const queue of farm.queues) {
      for (const state of QUEUE_STATES) this.jobs.set({ circuit: queue.circuit, state }, queue[state]);
    }
    for (const state of ['starting', 'ready', 'draining'] as const) {
      this.workers.set({ state }, farm.workers.filter((worker) => worker.state === state).length);
    }
    for (const { id, device, gpu, memory, keys } of farm.workers) {
      if (gpu !== 'none') this.trusted.set({ worker: id, device }, gpu === 'trusted' ? 1 : 0);
      this.memory.set({ worker: id }, memory);
      this.keys.set({ worker: id }, keys.length);
    }
    const { proofs, failures, alarms, seconds } = farm.counters;
    for (const each of [this.proofs, this.failures, this.alarms]) each.reset();
    for (const { circuit, count } of proofs) this.proofs.inc({ circuit }, count);
    for (const { circuit, code, count } of failures) this.failures.inc({ circuit, code }, count);
    for (const { kind, count } of alarms) this.alarms.inc({ kind }, count);
    this.seconds.set(seconds);
  }
}
