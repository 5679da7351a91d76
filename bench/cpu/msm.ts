import type { MsmTuning, WasmModuleName } from '../../sdk/api/index.js';
import { pointForm } from '../../sdk/bases/prepared.js';
import { ENDOMORPHISMS } from '../../sdk/curves/endomorphisms.js';
import { bls12377, bls12381, bn254, type Curve } from '../../sdk/curves/index.js';
import { encodePoint } from '../../sdk/curves/point-bytes.js';
import { hasFusedLanes } from '../../sdk/executors/workers/kernel/wasm-module.js';
import { expectEqual, loadKernel } from '../lib/kernel.js';
import { type Contender, compare, type Measurement } from '../lib/measure.js';
import {
  consecutiveMultiples,
  type Distribution,
  expectedFactor,
  type KnownPoints,
  makeScalars,
  multipleBytes,
} from '../lib/points.js';
import type { Bars, BenchReport } from '../lib/report.js';
import { type CpuOptions, ROW_LIMIT_MS } from './options.js';
import { hasFfjavascript, toFfjavascript } from './peers/ffjavascript.js';
import type { Peers } from './peers/peers.js';

const FIRST = 3n ** 150n;
const SKEWED = ['sparse', 'clustered', 'circuit'] as const satisfies Distribution[];
/**
 * Logarithm of the size at which BLS12-377 and scalars that are not uniform are measured, and of the largest size for
 * BLS12-381.
 */
const MIDDLE = 16;
/**
 * The longest time that is allowed for other scalars, divided by our own time for uniform ones. Printed, not enforced.
 */
const SKEWED_BARS: Partial<Record<Distribution, number>> = { sparse: 0.5, clustered: 0.8 };
const BN254_BARS: Bars = { ffjavascript: 4, montgomery: 2 };
const BLS12377_BARS: Bars = { montgomery: 2 };

/** Measures multi-scalar multiplications in G1 over loaded bases, from scalars in bytes to the affine sum. */
export async function msmRows(options: CpuOptions, report: BenchReport, peers: Peers): Promise<void> {
  if (options.curves !== undefined) {
    for (const curve of options.curves) {
      for (const log of options.sizes) await sizeRows(options, report, peers, curve, log, ['uniform'], {});
    }
    return;
  }
  for (const log of options.sizes) {
    const distributions: Distribution[] = log === MIDDLE ? ['uniform', ...SKEWED] : ['uniform'];
    await sizeRows(options, report, peers, bn254, log, distributions, BN254_BARS);
  }
  if (options.sizes.includes(MIDDLE)) {
    await sizeRows(options, report, peers, bls12377, MIDDLE, ['uniform'], BLS12377_BARS);
  }
  for (const log of options.sizes.filter((size) => size <= MIDDLE)) {
    await sizeRows(options, report, peers, bls12381, log, ['uniform'], {});
  }
}

/** One implementation of the multiplication. */
interface Way {
  readonly name: string;
  readonly multiply: (scalars: Uint8Array) => Promise<Uint8Array>;
  /** Puts the scalars into the implementation's memory before it is timed, where it needs that. */
  readonly setScalars?: (scalars: Uint8Array) => void;
}

async function sizeRows(
  options: CpuOptions,
  report: BenchReport,
  peers: Peers,
  curve: Curve,
  log: number,
  distributions: readonly Distribution[],
  bars: Bars,
): Promise<void> {
  const rows = distributions
    .map((distribution) => ({ distribution, work: `MSM ${curve.id} G1 2^${log} ${distribution}` }))
    .filter(({ work }) => options.wants(work));
  if (rows.length === 0) return;
  const points = consecutiveMultiples(curve, 2 ** log, FIRST);
  const tuning = tuningOf(options);
  const bases = await (await peers.prover()).loadBases({ curve: curve.id, points: points.bytes, tuning });
  const ways: Way[] = [
    {
      name: `pippin, ${options.threads} threads`,
      multiply: async (scalars) => (await (await peers.prover()).msm(bases, scalars)).bytes,
    },
    ...(await multiplesWays(options, curve, points, peers)),
    ...(await kernelWays(curve, points)),
    ...(await peerWays(curve, points, peers)),
  ];
  let uniform: Measurement | undefined;
  for (const { distribution, work } of rows) {
    const scalars = makeScalars(curve, 2 ** log, distribution);
    const expected = multipleBytes(curve, expectedFactor(curve, points, scalars));
    for (const { setScalars } of ways) setScalars?.(scalars);
    const contenders = ways.map(
      ({ name, multiply }): Contender => ({
        name,
        run: () => multiply(scalars),
        check: (result) => expectEqual(result as Uint8Array, expected, name),
      }),
    );
    const measured = await compare(contenders, options.runs, ROW_LIMIT_MS);
    report.add(work, measured, bars);
    if (distribution === 'uniform') uniform = measured[0]!;
    else if (uniform !== undefined) addPart(report, distribution, measured[0]!, uniform);
  }
  await bases.dispose();
}

/** Adds a row with our own time for a distribution, divided by that for uniform scalars. */
function addPart(report: BenchReport, distribution: Distribution, ours: Measurement, uniform: Measurement): void {
  const bar = SKEWED_BARS[distribution];
  const part = (pick: 'median' | 'min' | 'max' | 'cpu'): number =>
    ours[pick]! / uniform[pick === 'cpu' ? 'cpu' : 'median']!;
  report.add(`  ${distribution} / uniform${bar === undefined ? '' : `, at most ${bar}`}`, [
    { name: ours.name, median: part('median'), min: part('min'), max: part('max'), cpu: part('cpu') },
  ]);
}

/** How our prover computes; the workers heed the windows alone. */
function tuningOf({ windowBits }: CpuOptions): MsmTuning {
  return windowBits === undefined ? {} : { windowBits };
}

/** Our prover with precomputed multiples of the bases. */
async function multiplesWays(options: CpuOptions, curve: Curve, { bytes }: KnownPoints, peers: Peers): Promise<Way[]> {
  const prover = await peers.prover();
  const ways: Way[] = [];
  for (const precompute of options.precompute) {
    const bases = await prover.loadBases({ curve: curve.id, points: bytes, precompute, tuning: tuningOf(options) });
    const { precompute: ms } = bases.report.ms;
    console.log(`${curve.id}, ${bases.count} points: ${precompute} multiples of each in ${ms?.toFixed(0)} ms`);
    ways.push({
      name: `${precompute} multiples, ${options.threads} threads`,
      multiply: async (scalars: Uint8Array) => (await prover.msm(bases, scalars)).bytes,
    });
  }
  return ways;
}

/** Each of our modules for the curve, on this thread alone. */
async function kernelWays(curve: Curve, points: KnownPoints): Promise<Way[]> {
  const fused: WasmModuleName[] = hasFusedLanes() ? [`${curve.id}-fma`] : [];
  const modules: WasmModuleName[] = [...fused, `${curve.id}-simd`, curve.id];
  const form = pointForm(curve.id, 'g1');
  return Promise.all(
    modules.map(async (module) => {
      const kernel = await loadKernel(curve.id, module);
      const prepared = await kernel.prepareBases({
        group: 'g1',
        form,
        encoding: 'canonical',
        points: points.bytes,
      });
      await kernel.loadShard({ id: 'bases', group: 'g1', form, points: prepared.points });
      return {
        name: `pippin, ${module}, 1 thread`,
        multiply: (scalars: Uint8Array) => kernel.multiply({ id: 'bases', scalars }),
      };
    }),
  );
}

async function peerWays(curve: Curve, points: KnownPoints, peers: Peers): Promise<Way[]> {
  const ways: Way[] = [];
  if (hasFfjavascript(curve.id)) {
    const { G1 } = await peers.ffjavascript(curve.id);
    const bases = toFfjavascript(curve, points.bytes);
    ways.push({
      name: 'ffjavascript',
      multiply: async (scalars) => {
        const [x, y] = G1.toObject(G1.toAffine(await G1.multiExpAffine(bases, scalars))) as [bigint, bigint];
        return encodePoint(curve.id, 'g1', [x, y]);
      },
    });
  }
  const montgomery = await peers.montgomery();
  // It has curves with an endomorphism alone.
  if (montgomery !== undefined && ENDOMORPHISMS[curve.id] !== undefined) {
    ways.push({ name: 'montgomery', ...(await montgomery.multiplication(curve, points)) });
  }
  return ways;
}
