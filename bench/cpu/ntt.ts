import { bn254 } from '../../sdk/curves/index.js';
import { wasmModulesOf } from '../../sdk/executors/workers/kernel/wasm-module.js';
import { KernelPool } from '../../sdk/executors/workers/pool/pool.js';
import { nodeWorkerChannel } from '../../sdk/transport/node-worker.js';
import { expectEqual, fastestModules, loadKernel } from '../lib/kernel.js';
import { compare } from '../lib/measure.js';
import { makeScalars } from '../lib/points.js';
import type { BenchReport } from '../lib/report.js';
import { type CpuOptions, ROW_LIMIT_MS } from './options.js';
import type { Ffjavascript } from './peers/ffjavascript.js';
import type { Peers } from './peers/peers.js';

const BAR = 4;

/**
 * Measures transforms over BN254's Fr: one by itself, and those that take the three vectors of a proof from the domain
 * to its coset.
 */
export async function nttRows(options: CpuOptions, report: BenchReport, peers: Peers): Promise<void> {
  for (const log of options.sizes) {
    const one = `NTT BN254 Fr 2^${log}`;
    if (options.wants(one)) await oneTransform(one, log, options, report, await peers.ffjavascript('bn254'));
    const three = `3 iNTT, shift, NTT BN254 Fr 2^${log}`;
    if (options.wants(three)) await threeShifts(three, log, options, report, await peers.ffjavascript('bn254'));
  }
}

/** One transform. Ours runs on this thread; ffjavascript divides it between its workers. */
async function oneTransform(work: string, log: number, options: CpuOptions, report: BenchReport, ff: Ffjavascript) {
  const kernel = await loadKernel('bn254', wasmModulesOf('bn254', 'points').fastest);
  const values = makeScalars(bn254, 2 ** log, 'uniform');
  const montgomery = await ff.Fr.batchToMontgomery(values);
  const expected = await ff.Fr.batchFromMontgomery(await ff.Fr.fft(montgomery));
  const contenders = [
    {
      name: 'pippin, 1 thread',
      run: () => kernel.transform({ values, direction: 'forward' }),
      check: (result: unknown) => expectEqual(result as Uint8Array, expected, 'transform'),
    },
    { name: 'ffjavascript', run: () => ff.Fr.fft(montgomery) },
  ];
  report.add(work, await compare(contenders, 2 * options.runs, ROW_LIMIT_MS), { ffjavascript: BAR });
}

/**
 * The transforms of a proof, from the domain to its coset. Ours gives each vector to one worker. The peer, like
 * snarkjs, transforms one vector after another, and divides each between its workers.
 */
async function threeShifts(work: string, log: number, options: CpuOptions, report: BenchReport, ff: Ffjavascript) {
  const pool = new KernelPool(
    () => nodeWorkerChannel(new URL('../../dist/kernel-node.js', import.meta.url)),
    options.threads,
  );
  await pool.open('bn254', fastestModules('bn254'));
  const vectors = (['uniform', 'clustered', 'circuit'] as const).map((kind) => makeScalars(bn254, 2 ** log, kind));
  const montgomery = await Promise.all(vectors.map((values) => ff.Fr.batchToMontgomery(values)));
  const shift = async (values: Uint8Array): Promise<Uint8Array> => {
    const coefficients = await ff.Fr.ifft(values);
    return ff.Fr.fft(await ff.Fr.batchApplyKey(coefficients, ff.Fr.one, ff.Fr.w[log + 1]!));
  };
  const expected = await Promise.all(montgomery.map(async (values) => ff.Fr.batchFromMontgomery(await shift(values))));
  const contenders = [
    {
      name: `pippin, ${options.threads} threads`,
      run: () => Promise.all(vectors.map((values) => pool.call('bn254', 'shiftToCoset', { values }))),
      check: (results: unknown) => {
        for (const [i, result] of (results as Uint8Array[]).entries()) expectEqual(result, expected[i]!, 'coset');
      },
    },
    {
      name: 'ffjavascript',
      run: async () => {
        for (const values of montgomery) await shift(values);
      },
    },
  ];
  report.add(work, await compare(contenders, 2 * options.runs, ROW_LIMIT_MS), { ffjavascript: BAR });
  await pool.dispose();
}
