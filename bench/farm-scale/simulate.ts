import { Random } from '../../tests/support/random.js';
import type { SimulatedCircuit } from './circuits.js';
import { EventQueue } from './event-queue.js';

/**
 * Which idle worker takes a job that arrives: the one that has been idle longest, or one that holds the job's key if
 * there is one.
 */
export type Wake = 'longest idle' | 'holder first';

export interface Farm {
  readonly circuits: readonly SimulatedCircuit[];
  readonly workers: number;
  /** Megabytes of keys that a worker holds at most. The key of the job that it proves is held in any case. */
  readonly keysMb: number;
  /**
   * By how many seconds a job counts as older whose key the worker holds. 0: the oldest job first. Infinity: keys stay
   * for as long as they are asked for.
   */
  readonly patienceS: number;
  readonly wake: Wake;
  /** Jobs that arrive in a second, on the mean: a Poisson process. */
  readonly arrivalsPerS: number;
  /** How many jobs are simulated. The first tenth fills the farm and is not counted. */
  readonly jobs: number;
  readonly seed: number;
}

export interface Simulated {
  /** Seconds from a job's arrival to its proof, in ascending order. */
  readonly latenciesS: Float64Array;
  /** Keys that were loaded, for each proof. */
  readonly loadsPerProof: number;
  /** Part of the workers' time that they load or prove. */
  readonly busy: number;
}

interface Job {
  readonly number: number;
  readonly circuit: number;
  readonly arrived: number;
}

interface Worker {
  /** The circuits whose keys it holds, the one used last at the end. */
  readonly held: Set<number>;
  heldMb: number;
}

type Event = 'arrival' | { readonly worker: Worker };

/**
 * A farm with a queue for each circuit, in which each worker proves one job at a time. A worker that has ended takes
 * the job that came first, where jobs of circuits whose keys it holds count as `patienceS` older. To make room for a
 * key it drops the ones that were used longest ago.
 */
export function simulate(farm: Farm): Simulated {
  const { circuits, patienceS, jobs, arrivalsPerS } = farm;
  const random = new Random(farm.seed);
  const uniform = () => (random.integer(2 ** 48) + 1) / 2 ** 48;
  const queues = circuits.map((): Job[] => []);
  const heads = circuits.map(() => 0);
  const idle: Worker[] = Array.from({ length: farm.workers }, () => ({ held: new Set<number>(), heldMb: 0 }));
  const events = new EventQueue<Event>();
  const drawn = shareSums(circuits);
  const firstCounted = Math.floor(jobs / 10);
  const latenciesS = new Float64Array(jobs - firstCounted);
  let [arrived, loads, busyS, countedFrom, now] = [0, 0, 0, 0, 0];

  const take = (worker: Worker, { number, circuit, arrived: at }: Job): void => {
    const { proveS } = circuits[circuit]!;
    const loadS = hold(worker, circuit, circuits, farm.keysMb);
    const end = now + loadS + proveS;
    if (number >= firstCounted) {
      latenciesS[number - firstCounted] = end - at;
      if (loadS > 0) loads++;
      busyS += loadS + proveS;
    }
    events.add(end, { worker });
  };
  const next = (worker: Worker): Job | undefined => {
    let best: number | undefined;
    let bestAge = Infinity;
    for (let c = 0; c < circuits.length; c++) {
      const job = queues[c]![heads[c]!];
      if (job === undefined) continue;
      const age = job.arrived - (worker.held.has(c) ? patienceS : 0);
      if (best === undefined || age < bestAge) [best, bestAge] = [c, age];
    }
    if (best === undefined) return undefined;
    const first = heads[best]!++;
    return queues[best]![first];
  };

  events.add(0, 'arrival');
  for (let due = events.take(); due !== undefined; due = events.take()) {
    now = due.at;
    if (due.event === 'arrival') {
      const job = { number: arrived++, circuit: drawn(uniform()), arrived: now };
      if (job.number === firstCounted) countedFrom = now;
      if (arrived < jobs) events.add(now - Math.log(uniform()) / arrivalsPerS, 'arrival');
      const worker = wakened(idle, job.circuit, farm.wake);
      if (worker === undefined) queues[job.circuit]!.push(job);
      else take(worker, job);
    } else {
      const { worker } = due.event;
      const job = next(worker);
      if (job === undefined) idle.push(worker);
      else take(worker, job);
    }
  }
  latenciesS.sort();
  const counted = latenciesS.length;
  return { latenciesS, loadsPerProof: loads / counted, busy: busyS / (farm.workers * (now - countedFrom)) };
}

/** Takes the idle worker that gets a job of the circuit out of the list; undefined if none is idle. */
function wakened(idle: Worker[], circuit: number, wake: Wake): Worker | undefined {
  const holder = wake === 'holder first' ? idle.findIndex(({ held }) => held.has(circuit)) : -1;
  return holder < 0 ? idle.shift() : idle.splice(holder, 1)[0];
}

/** Lets the worker hold the circuit's key, and gives the seconds that loading it takes. */
function hold(worker: Worker, circuit: number, circuits: readonly SimulatedCircuit[], keysMb: number): number {
  const { loadS, keyMb } = circuits[circuit]!;
  const { held } = worker;
  if (held.delete(circuit)) {
    held.add(circuit);
    return 0;
  }
  for (const oldest of held) {
    if (worker.heldMb + keyMb <= keysMb) break;
    held.delete(oldest);
    worker.heldMb -= circuits[oldest]!.keyMb;
  }
  held.add(circuit);
  worker.heldMb += keyMb;
  return loadS;
}

/** Draws a circuit by its share, from a number between 0 and 1. */
function shareSums(circuits: readonly SimulatedCircuit[]): (uniform: number) => number {
  const sums: number[] = [];
  for (const { share } of circuits) sums.push((sums.at(-1) ?? 0) + share);
  const total = sums.at(-1)!;
  return (uniform) => sums.findIndex((sum) => uniform * total <= sum);
}
