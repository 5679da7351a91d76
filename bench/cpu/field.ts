import { bls12377, bls12381, bn254, type CurveParameters } from '../../sdk/curves/index.js';
import { hasFusedLanes } from '../../sdk/executors/workers/kernel/wasm-module.js';
import { compare, type Measurement } from '../lib/measure.js';
import type { BenchReport } from '../lib/report.js';
import { type CpuOptions, ROW_LIMIT_MS } from './options.js';
import { i64Loop, lanesLoop } from './own-loops.js';
import { hasFfjavascript, wasmcurvesLoop } from './peers/ffjavascript.js';
import type { Peers } from './peers/peers.js';
import type { ProductLoop } from './product-loop.js';

/** Products in a batch, few enough that its three arrays stay in a core's cache; and batches in a run. */
const BATCH = 1024;
const BATCHES = 512;

/** Measures products in the coordinate fields: nanoseconds for each. */
export async function fieldRows(options: CpuOptions, report: BenchReport, peers: Peers): Promise<void> {
  const bn254Row = 'product BN254 Fq, ns';
  const peer = await peers.montgomery();
  const montgomery = async ({ fq }: CurveParameters): Promise<[string, ProductLoop][]> =>
    peer === undefined ? [] : [['montgomery', await peer.productLoop(fq.modulus, BATCH)]];
  if (options.wants(bn254Row)) {
    const loops: [string, ProductLoop][] = [
      ...(hasFusedLanes() ? [['pippin f64x2', await lanesLoop('FqLanes', BATCH)] as [string, ProductLoop]] : []),
      ['pippin i64x2', await lanesLoop('FqIntegerLanes', BATCH)],
      ['pippin i64', await i64Loop('bn254', bn254.coordinateBytes, BATCH)],
      ['wasmcurves', await wasmcurvesLoop(bn254, BATCH)],
      ...(await montgomery(bn254)),
    ];
    const measured = await measure(bn254, loops, options.runs);
    if (hasFusedLanes()) report.add(bn254Row, measured, { wasmcurves: 1.8 });
    report.add(
      `${bn254Row}, i64`,
      measured.filter(({ name }) => !name.endsWith('x2')),
      { wasmcurves: 1.25 },
    );
  }
  for (const curve of [bls12377, bls12381]) {
    const row = `product ${curve.name} Fq, ns`;
    if (!options.wants(row)) continue;
    const loops: [string, ProductLoop][] = [['pippin i64', await i64Loop(curve.id, curve.coordinateBytes, BATCH)]];
    if (hasFfjavascript(curve.id)) loops.push(['wasmcurves', await wasmcurvesLoop(curve, BATCH)]);
    loops.push(...(await montgomery(curve)));
    report.add(row, await measure(curve, loops, options.runs));
  }
}

async function measure(
  { fq }: CurveParameters,
  loops: readonly (readonly [string, ProductLoop])[],
  runs: number,
): Promise<Measurement[]> {
  const p = fq.modulus;
  const a = powers(3n, p);
  const b = powers(7n, p);
  for (const [, loop] of loops) for (let i = 0; i < BATCH; i++) loop.load(i, a[i]!, b[i]!);
  const contenders = loops.map(([name, loop]) => ({
    name,
    run: () => {
      for (let i = 0; i < BATCHES; i++) loop.run();
    },
    check: () => {
      for (let i = 0; i < BATCH; i++) {
        const { value, r } = loop.result(i);
        if ((value - a[i]! * b[i]! * r) % p !== 0n) throw new Error(`${name}: product ${i} is wrong`);
      }
    },
  }));
  const nanoseconds = 1e6 / (BATCH * BATCHES);
  return (await compare(contenders, 3 * runs, ROW_LIMIT_MS)).map(({ name, median, min, max, cpu }) => ({
    name,
    median: median * nanoseconds,
    min: min * nanoseconds,
    max: max * nanoseconds,
    cpu: cpu! * nanoseconds,
  }));
}

/** `BATCH` values: p - 1, p - 2, 0, 1, and then base^400, base^401, ... mod p. */
function powers(base: bigint, p: bigint): bigint[] {
  const values = [p - 1n, p - 2n, 0n, 1n, base ** 400n % p];
  while (values.length < BATCH) values.push((values.at(-1)! * base) % p);
  return values;
}
