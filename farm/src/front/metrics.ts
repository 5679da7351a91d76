import type { FastifyInstance } from 'fastify';
import { Counter, Gauge, Histogram, type Metric, type Registry } from 'prom-client';
import { messageOf } from '../../../sdk/base/describe.js';
import type { FarmStatus, PhaseSeconds } from '../queue/types.js';
import { routeOf } from './logging.js';
import type { RouteContext } from './routes.js';
import { API_KEY } from './schemas.js';

/** `GET /metrics` for Prometheus, with the API key of an operator. */
export function addMetricsRoute(
  app: FastifyInstance,
  { asked, callers }: RouteContext,
  registry: Registry,
  metrics: FarmMetrics,
): void {
  app.register(async (scope) => {
    callers.requireOperator(scope, 'Bearer');
    scope.get('/metrics', {
      logLevel: 'warn',
      schema: {
        operationId: 'readMetrics',
        summary: 'Metrics in the form of Prometheus, for operators',
        security: API_KEY,
        response: { 200: { description: 'metrics', content: { 'text/plain': { schema: { type: 'string' } } } } },
      },
      handler: async (request, reply) => {
        try {
          metrics.set(await asked.ask((queue) => queue.farm()));
        } catch (error) {
          request.log.warn({ reason: messageOf(error) }, 'metrics without the farm');
          metrics.set(undefined);
        }
        return reply.header('Content-Type', registry.contentType).send(await registry.metrics());
      },
    });
  });
}

/** Upper bounds in seconds: from a status, in milliseconds, to a request that waits for a minute. */
const BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Measures each request. Returns the counter of problems by code. */
export function measureRequests(app: FastifyInstance, registry: Registry): Counter<'code'> {
  const seconds = new Histogram({
    name: 'pippin_http_request_seconds',
    help: 'Seconds from a request to the end of its response, by route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers: [registry],
  });
  app.addHook('onResponse', async (request, reply) => {
    const labels = { method: request.method, route: routeOf(request), status: String(reply.statusCode) };
    seconds.observe(labels, reply.elapsedTime / 1000);
  });
  return new Counter({
    name: 'pippin_http_problems_total',
    help: 'Responses that were problems, by code.',
    labelNames: ['code'],
    registers: [registry],
  });
}

const QUEUE_STATES = ['waiting', 'delayed', 'proving', 'proved', 'failed'] as const;

/** The status of the farm as metrics. Every front shows the same, so a sum over fronts would count it several times. */
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

  constructor(registry: Registry) {
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

  /** Takes the status of the farm, or none if it could not be read. Counters then keep their values. */
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

interface Value {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/**
 * The seconds of each phase as a histogram. A histogram of prom-client counts observations of one process; this one
 * shows the counts of all workers in Redis, so it implements the interface of a metric itself.
 */
class PhaseHistogram {
  private readonly name = 'pippin_phase_seconds';
  private values: Value[] = [];

  constructor(registry: Registry) {
    registry.registerMetric(this as unknown as Metric);
  }

  set(seconds: readonly PhaseSeconds[]): void {
    this.values = seconds.flatMap((phase) => this.valuesOf(phase));
  }

  /** The output for the registry. */
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
