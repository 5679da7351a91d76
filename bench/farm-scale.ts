import { writeFileSync } from 'node:fs';
import { meanProveS, zipfCircuits } from './farm-scale/circuits.js';
import { simulate, type Wake } from './farm-scale/simulate.js';
import { quantile } from './lib/quantile.js';
import { numbersOption, textOption } from './lib/report.js';

/**
 * Simulates queue and key placement of a prover farm (docs/scale.md): how long proofs take, and how often keys are
 * loaded, by the number of workers, the load, the memory for keys and who takes which job. Computes with the times of
 * `farm-scale/circuits.ts`; nothing is proved, and no Redis is needed.
 *
 * Options: `--workers 10,100,1000`, `--circuits 24`, `--load 0.5,0.7,0.85` (proving time that arrives, for each second
 * of a worker), `--keys-mb 512,2048`, `--jobs 30000` and at least 300 for each worker, `--seed 1`, `--json FILE`.
 */
const circuits = zipfCircuits(numbersOption('--circuits', [24])[0]!);
const seed = numbersOption('--seed', [1])[0]!;
const jobs = numbersOption('--jobs', [30_000])[0]!;

const POLICIES: readonly { readonly name: string; readonly patienceS: number; readonly wake: Wake }[] = [
  { name: 'oldest first', patienceS: 0, wake: 'longest idle' },
  { name: 'held keys, 10 s', patienceS: 10, wake: 'longest idle' },
  { name: 'held keys, 30 s', patienceS: 30, wake: 'longest idle' },
  { name: 'held keys, always', patienceS: Infinity, wake: 'longest idle' },
  { name: '10 s, holders woken first', patienceS: 10, wake: 'holder first' },
];

const rows: object[] = [];
console.log('workers  load  keys MB  policy                      p50 s    p99 s  loads/proof   busy');
for (const workers of numbersOption('--workers', [10, 100, 1000])) {
  for (const load of numbersOption('--load', [0.5, 0.7, 0.85])) {
    for (const keysMb of numbersOption('--keys-mb', [512, 2048])) {
      for (const policy of POLICIES) {
        const arrivalsPerS = (load * workers) / meanProveS(circuits);
        const farm = { circuits, workers, keysMb, arrivalsPerS, jobs: Math.max(jobs, 300 * workers), seed, ...policy };
        const { latenciesS, loadsPerProof, busy } = simulate(farm);
        const [p50, p99] = [quantile(latenciesS, 0.5), quantile(latenciesS, 0.99)];
        rows.push({ workers, load, keysMb, policy: policy.name, p50, p99, loadsPerProof, busy });
        const figures = [p50.toFixed(2).padStart(8), p99.toFixed(2).padStart(8), loadsPerProof.toFixed(3).padStart(12)];
        const what = `${String(workers).padStart(7)} ${load.toFixed(2).padStart(5)} ${String(keysMb).padStart(8)}  ${policy.name.padEnd(24)}`;
        console.log(`${what} ${figures.join(' ')} ${busy.toFixed(2).padStart(6)}`);
      }
    }
  }
}

const path = textOption('--json');
if (path !== undefined)
  writeFileSync(path, `${JSON.stringify({ date: new Date().toISOString(), circuits, rows }, undefined, 1)}\n`);
