import { expect, it } from 'vitest';
import { type SimulatedCircuit, zipfCircuits } from '../../../bench/farm-scale/circuits.js';
import { type Farm, simulate } from '../../../bench/farm-scale/simulate.js';
import { quantile } from '../../../bench/lib/quantile.js';

const circuit = (name: string, more: Partial<SimulatedCircuit> = {}): SimulatedCircuit => ({
  name,
  share: 1,
  proveS: 1,
  loadS: 0,
  keyMb: 1,
  ...more,
});

const farm = (more: Partial<Farm>): Farm => ({
  circuits: [circuit('one')],
  workers: 1,
  keysMb: 100,
  patienceS: 0,
  wake: 'longest idle',
  arrivalsPerS: 0.5,
  jobs: 50_000,
  seed: 1,
  ...more,
});

const mean = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0) / values.length;

it.each([0.3, 0.5, 0.8])('one worker with one circuit waits as the queue M/D/1 at a load of %d', (load) => {
  const { latenciesS, busy } = simulate(farm({ arrivalsPerS: load }));
  const expected = 1 + load / (2 * (1 - load));
  expect(Math.abs(mean(latenciesS) / expected - 1)).toBeLessThan(0.05);
  expect(Math.abs(busy / load - 1)).toBeLessThan(0.03);
});

it('a farm that is never full proves at once', () => {
  const { latenciesS, busy } = simulate(farm({ workers: 1000, arrivalsPerS: 10 }));
  expect(latenciesS[0]).toBeCloseTo(1);
  expect(quantile(latenciesS, 1)).toBeCloseTo(1);
  expect(busy).toBeCloseTo(0.01, 3);
});

it('a worker without room for two keys loads one whenever the circuit changes, and with room it loads each once', () => {
  const circuits = [circuit('a', { loadS: 0.1 }), circuit('b', { loadS: 0.1 })];
  expect(simulate(farm({ circuits, keysMb: 1 })).loadsPerProof).toBeGreaterThan(0.4);
  expect(simulate(farm({ circuits, keysMb: 2 })).loadsPerProof).toBe(0);
});

it('patience for held keys saves loads where jobs wait, and waking holders saves them where workers do', () => {
  const full = farm({ circuits: zipfCircuits(12), workers: 10, keysMb: 512, arrivalsPerS: 12, jobs: 20_000 });
  expect(simulate({ ...full, patienceS: 30 }).loadsPerProof).toBeLessThan(simulate(full).loadsPerProof);
  const idle = { ...full, workers: 30, keysMb: 2048, arrivalsPerS: 12 };
  const holders = simulate({ ...idle, wake: 'holder first' }).loadsPerProof;
  expect(holders).toBeLessThan(simulate(idle).loadsPerProof / 2);
});

it('gives the same for the same seed', () => {
  const small = farm({ circuits: zipfCircuits(6), workers: 3, jobs: 2000, arrivalsPerS: 2 });
  expect(simulate(small)).toEqual(simulate(small));
  expect(simulate({ ...small, seed: 2 })).not.toEqual(simulate(small));
});
