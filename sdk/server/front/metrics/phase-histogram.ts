import type { Metric, Registry } from 'prom-client';
import type { PhaseSeconds } from '../../queue/types.js';

interface Value {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/**
 * The seconds of each phase as a histogram. A histogram of prom-client counts what one process observes; this one shows what all workers have counted in
 * Redis, so it is a metric of its own, which has what a registry asks of one.
 */
export class PhaseHistogram {
  private readonly name = 'pippin_phase_seconds';
  private values: Value[] = [];

  constructor(registry: Registry) {
    registry.registerMetric(this as unknown as Metric);
  }

  set(seconds: readonly PhaseSeconds[]): void {
    this.values = seconds.flatMap((phase) => this.valuesOf(phase));
  }

  /** What the registry writes. */
  async get() {
    const help = 'Seconds of each phase of all proofs, by circuit.';
    return { name: this.name, help, type: 'histogram', values: this.values, aggregator: 'sum' };
  }

  private valuesOf({ circuit, phase, count, sum, buckets }: PhaseSeconds): Value[] {
    const labels = { circuit, phase };
    const bucket = (le: string | number, value: number): Value => ({
      metricName: `${this.name}_bucket`,
      labels: { le, ...labels },
      value,
    });
    return [
      ...buckets.map(({ atMost, count }) => bucket(atMost, count)),
      bucket('+Inf', count),
      { metricName: `${this.name}_sum`, labels, value: sum },
      { metricName: `${this.name}_count`, labels, value: count },
    ];
  }
}
