import { readFileSync } from 'node:fs';
import { bn254, SCALAR_BYTES } from '../../sdk/curves/index.js';
import { expectEqual, loadKernel } from '../lib/kernel.js';
import { type Contender, compare } from '../lib/measure.js';
import { consecutiveMultiples, expectedFactor, makeScalars, multipleBytes } from '../lib/points.js';
import type { BenchReport } from '../lib/report.js';
import { checkWith } from './check.js';
import { type CpuOptions, ROW_LIMIT_MS } from './options.js';
import type { Peers } from './peers/peers.js';
import { benchCircuit, circuitLabel } from './setup/circuits.js';

const FIRST = 3n ** 150n;
/** A circuit whose witness may be all 0 but for its first value, and one whose witness is bits. */
const PROVED = ['chain14', 'sha256'] as const;

/**
 * Measures what `constantWork` costs, and whether the time still tells scalars apart: sums and proofs of random, skewed
 * and zero scalars, with it and without it, in turns.
 */
export async function constantWorkRows(options: CpuOptions, report: BenchReport, peers: Peers): Promise<void> {
  for (const log of options.sizes) await sumRow(options, report, peers, log);
  for (const name of PROVED) await proofRow(options, report, peers, name);
}

async function sumRow(options: CpuOptions, report: BenchReport, peers: Peers, log: number): Promise<void> {
  const work = `constant work, MSM bn254 G1 2^${log}`;
  if (!options.wants(work)) return;
  const count = 2 ** log;
  const points = consecutiveMultiples(bn254, count, FIRST);
  const prover = await peers.prover();
  const bases = await prover.loadBases({ curve: 'bn254', points: points.bytes });
  const vectors = {
    uniform: makeScalars(bn254, count, 'uniform'),
    circuit: makeScalars(bn254, count, 'circuit'),
    zero: new Uint8Array(count * SCALAR_BYTES),
  };
  const contenders = [false, true].flatMap((constantWork) =>
    Object.entries(vectors).map(([distribution, scalars]): Contender => {
      const name = constantWork ? `${distribution}, constant work` : distribution;
      const expected = multipleBytes(bn254, expectedFactor(bn254, points, scalars));
      return {
        name,
        run: async () => (await prover.msm(bases, scalars, { constantWork })).bytes,
        check: (sum) => expectEqual(sum as Uint8Array, expected, name),
      };
    }),
  );
  const kernel = await loadKernel('bn254');
  const [key, factors] = [new Uint8Array(16), new Uint8Array(SCALAR_BYTES).fill(1)];
  const masks = () => kernel.maskScalars({ scalars: vectors.uniform, key, first: 0, factors });
  const all = [...contenders, { name: 'masks alone, one thread', run: masks }];
  report.add(work, await compare(all, options.runs, ROW_LIMIT_MS));
  await bases.dispose();
}

async function proofRow(
  options: CpuOptions,
  report: BenchReport,
  peers: Peers,
  name: (typeof PROVED)[number],
): Promise<void> {
  const work = `constant work, proof ${circuitLabel(name)}`;
  if (!options.wants(work)) return;
  const circuit = await benchCircuit(name);
  const [zkey, witness] = [circuit.zkey, circuit.witness].map((file) => new Uint8Array(readFileSync(file)));
  const check = checkWith(circuit.verificationKey);
  const prover = await peers.prover();
  const key = await prover.groth16.loadKey(zkey!);
  const witnesses = { usual: witness!, ...(name === 'chain14' ? { zero: zeroed(witness!, key.variables) } : {}) };
  const contenders = [false, true].flatMap((constantWork) =>
    Object.entries(witnesses).map(([kind, bytes]) => ({
      name: `${kind} witness${constantWork ? ', constant work' : ''}`,
      run: () => prover.groth16.prove(key, bytes, { constantWork }),
      check,
    })),
  );
  report.add(work, await compare(contenders, options.runs, ROW_LIMIT_MS));
  await key.dispose();
}

/** A .wtns file whose values are 0 but for the first. They are at its end. */
function zeroed(file: Uint8Array, variables: number): Uint8Array {
  return file.slice().fill(0, file.length - (variables - 1) * SCALAR_BYTES);
}
