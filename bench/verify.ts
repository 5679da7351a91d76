import { readFileSync } from 'node:fs';
import type { BatchResult, Prover } from '../sdk/api/index.js';
import { systemOf } from '../sdk/hosts/session/proof-system-of.js';
import { bundledCreateProver } from './gpu-proof/create-prover.js';
import { compare } from './lib/measure.js';
import { BenchReport, numbersOption } from './lib/report.js';

/**
 * Measures `verifyBatch` of many proofs beside a call of `verify` for each, one after the other and all at once, in
 * turns, for each proof system and curve. The proofs are copies of a few that differ in their signals, which the code
 * does not know. Nothing is timed before all have the right answers.
 *
 * Needs the circuits beside the bundle. Options: `--proofs 1000`, `--runs 3`, `--threads 2`, `--wrong 0` (so many of the
 * proofs do not hold), `--json FILE`.
 */
const folder = new URL('./verify/', import.meta.url);
const [count, runs, threads, wrong] = (
  [
    ['--proofs', 1000],
    ['--runs', 3],
    ['--threads', 2],
    ['--wrong', 0],
  ] as const
).map(([name, usual]) => numbersOption(name, [usual])[0]!) as [number, number, number, number];

/** Proofs that differ in their signals. */
const DISTINCT = 8;

/** Single verifications may take eight times as long as the batch, or more: 12% is the aim. */
const BARS = { 'one by one': 1 / 0.12 };

type Pair = readonly [publicSignals: readonly string[], proof: object];

/** Proofs of the circuit `chain`, of which some do not hold. */
async function proofsOf(prover: Prover, protocol: 'groth16' | 'plonk' | 'fflonk', name: string): Promise<Pair[]> {
  const system = systemOf(prover, protocol);
  const [zkey, wasm] = ['zkey', 'wasm'].map(
    (ending) => new Uint8Array(readFileSync(new URL(`circuits/${name}.${ending}`, folder))),
  );
  const key = await system.loadKey(zkey!);
  const made: Pair[] = [];
  for (let i = 0; i < DISTINCT; i++) {
    const { publicSignals, proof } = await system.fullProve(key, { start: 3 + i, factor: 5, offset: i }, wasm!);
    made.push([publicSignals, proof]);
  }
  await key.dispose();
  const proofs = Array.from({ length: count }, (_, i) => made[i % DISTINCT]!);
  for (let k = 0; k < wrong; k++) {
    const at = Math.floor((k * count) / wrong);
    const [signals, proof] = proofs[at]!;
    proofs[at] = [signals.with(0, '7'), proof];
  }
  return proofs;
}

const createProver = await bundledCreateProver(new URL('sdk/node.js', folder));
const prover = await createProver({ backend: 'wasm', threads, cache: false });
const report = new BenchReport(`${count} proofs, ${wrong} of them wrong, ${threads} threads`);
for (const name of ['groth16-bn254', 'groth16-bls12-381', 'plonk-bn254', 'plonk-bls12-381', 'fflonk-bn254']) {
  const protocol = name.slice(0, name.indexOf('-')) as 'groth16' | 'plonk' | 'fflonk';
  const system = systemOf(prover, protocol);
  const verificationKey = JSON.parse(readFileSync(new URL(`circuits/${name}.vkey.json`, folder), 'utf8'));
  const proofs = await proofsOf(prover, protocol, name);
  const verify = ([publicSignals, proof]: Pair): Promise<boolean> =>
    system.verify(verificationKey, publicSignals, proof as never);
  const check = (answers: unknown): void => {
    const held = (answers as boolean[]).filter((holds) => holds).length;
    if (held !== count - wrong) throw new Error(`expected ${count - wrong} proofs of ${name} to hold, got ${held}`);
  };
  const measured = await compare(
    [
      {
        name: 'verifyBatch',
        run: () => system.verifyBatch(verificationKey, proofs as never),
        check: (result) => check(Array.from(proofs, (_, i) => !(result as BatchResult).failed.includes(i))),
      },
      {
        name: 'one by one',
        async run() {
          const answers: boolean[] = [];
          for (const pair of proofs) answers.push(await verify(pair));
          return answers;
        },
        check,
      },
      { name: 'all at once', run: () => Promise.all(proofs.map(verify)), check },
    ],
    runs,
  );
  report.add(name, measured, BARS);
}
await prover.dispose();
report.finish();
