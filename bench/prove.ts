import { readFile } from 'node:fs/promises';
import * as snarkjs from 'snarkjs';
import type { Prover, ProverOptions } from '../sdk/api.js';
import { compare } from './lib/measure.js';
import { BenchReport, numbersOption } from './lib/report.js';

/**
 * Whole proofs of the example's circuit (about 6 000 constraints) on 2 threads beside snarkjs with its own workers; keys and
 * witnesses in memory. Ours is measured without and with the verification that it does by default; every proof is verified.
 */
const RUNS = numbersOption('--runs', [9])[0]!;
const [threads] = numbersOption('--threads', [2]);
const root = new URL('../../', import.meta.url);
const key = new URL('examples/groth16-commitment/key/', root);
const { createProver } = (await import(new URL('dist/node.js', root).href)) as {
  createProver(options: ProverOptions): Promise<Prover>;
};
const zkey = new Uint8Array(await readFile(new URL('note.zkey', key)));
const verificationKey = JSON.parse(await readFile(new URL('note.vkey.json', key), 'utf8'));
const inputs = JSON.parse(await readFile(new URL('input.json', key), 'utf8'));
const made: { type: 'mem'; data?: Uint8Array } = { type: 'mem' };
await snarkjs.wtns.calculate(inputs, new URL('note.wasm', key).pathname, made);
const witness = made.data!;

interface Proved {
  readonly proof: unknown;
  readonly publicSignals: readonly string[];
}
const check = async (result: unknown): Promise<void> => {
  const { proof, publicSignals } = result as Proved;
  if (!(await snarkjs.groth16.verify(verificationKey, [...publicSignals], proof)))
    throw new Error('the proof does not verify');
};

const report = new BenchReport(`Groth16 proofs, ${threads} threads`);
const prover = await createProver({ backend: 'wasm', threads: threads!, cache: false });
const loaded = await prover.groth16.loadKey(zkey);
report.add(
  'example, later calls',
  await compare(
    [
      { name: 'pippin wasm', run: () => prover.groth16.prove(loaded, witness, { verify: false }), check },
      { name: 'pippin wasm, verified', run: () => prover.groth16.prove(loaded, witness), check },
      { name: 'snarkjs', run: () => snarkjs.groth16.prove(zkey, witness), check },
    ],
    RUNS,
  ),
);
await prover.dispose();
report.add(
  'example, new prover and key',
  await compare(
    [
      {
        name: 'pippin wasm',
        run: async () => {
          const fresh = await createProver({ backend: 'wasm', threads: threads!, cache: false });
          const result = await fresh.groth16.prove(await fresh.groth16.loadKey(zkey), witness, { verify: false });
          await fresh.dispose();
          return result;
        },
        check,
      },
      { name: 'snarkjs, workers warm', run: () => snarkjs.groth16.prove(zkey, witness), check },
    ],
    RUNS,
  ),
);
report.finish();
await (await snarkjs.curves.getCurveFromName('bn128')).terminate();
