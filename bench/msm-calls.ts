import type { BackendChoice, Bases, MapTime, MsmCheck, MsmOptions, Prover } from '../sdk/api/index.js';
import { equalBytes } from '../sdk/base/bytes.js';
import { CURVES, type Curve, type CurveId, pointBytes } from '../sdk/curves/index.js';
import { bundledCreateProver } from './gpu-proof/create-prover.js';
import { type Contender, compare } from './lib/measure.js';
import {
  consecutiveMultiples,
  expectedFactor,
  type KnownPoints,
  makeSparseScalars,
  multipleBytes,
} from './lib/points.js';
import { BenchReport, numbersOption, textOption } from './lib/report.js';
import { warmUp } from './lib/warm-up.js';

/**
 * Measures `prover.msm` as a caller gets it: milliseconds from scalars in the caller's memory to the affine result
 * there, with each `check`, through the package for Node with its coordinator and workers. Bases are loaded; the result
 * of every run is compared with the known one. `gpu-msm` measures the GPU's pipeline alone. One bundled file with the
 * folder of its name beside it, which runs on a bare machine; there WEBGPU_PATH names Dawn's entry module, if Dawn is
 * not installed as a package.
 *
 * Options: `--sizes 12,16` (logarithms of the numbers of points), `--checks curve,random`, `--runs 15`, `--curves
 * bn254`, `--densities 0.1,1` (the part of the scalars that is neither 0 nor 1), `--bits 32,254` (of these), `--backend
 * wasm`, or `auto`, which tunes first and has the engine choose, `--threads N`, `--batch 16` (a batch of so many MSMs
 * besides), `--json FILE`. Each row names what computed the MSM with each check.
 */
const DISTINCT_POINTS = 2 ** 16;

const folder = new URL('./msm-calls/', import.meta.url);
const backend = (textOption('--backend') ?? 'webgpu') as BackendChoice;
const checks = (textOption('--checks') ?? 'curve,random').split(',') as MsmCheck[];
const curves = (textOption('--curves') ?? 'bn254').split(',') as CurveId[];
const densities = numbersOption('--densities', [1]);
const bits = numbersOption('--bits', [256]);
const [runs, threads, batch] = [
  numbersOption('--runs', [15])[0]!,
  numbersOption('--threads', [])[0],
  numbersOption('--batch', [])[0],
];

const createProver = await bundledCreateProver(new URL('sdk/node.js', folder));
const options = { backend, cache: false, ...(threads === undefined ? {} : { threads }) } as const;
const prover = backend === 'auto' ? await measuredProver() : await createProver(options);
const { webgpu, threads: workers } = prover.capabilities;
const sizes = numbersOption('--sizes', webgpu.available && !webgpu.software ? [12, 14, 16, 18, 20] : [8]);
const gpu = webgpu.available ? `${webgpu.vendor} ${webgpu.architecture} ${webgpu.description}`.trim() : 'no GPU';
const report = new BenchReport(`prover.msm, ${backend}, ${workers} workers, ${gpu}`);
for (const id of curves) for (const log of sizes) await benchSize(CURVES[id], log);
report.finish();
await prover.dispose();
process.exit();

/** A prover with the map that another one measured, whose GPU is ready. */
async function measuredProver(): Promise<Prover> {
  const first = await createProver({ ...options, backend: 'webgpu' });
  const performanceMap = await first.tune();
  for (const { rows } of [performanceMap.workers, performanceMap.gpu!]) {
    console.log(
      rows.map((row) => [Math.log2(row.points), row.ms, row.checkedMs, row.sparse].map(shown).join(' ')).join('\n'),
    );
  }
  await first.dispose();
  let isReady = false;
  const onNotice = ({ code }: { readonly code: string }) => {
    isReady ||= code === 'WEBGPU_READY';
  };
  const made = await createProver({ ...options, performanceMap, onNotice });
  // The GPU's kernels are compiled when bases are first loaded.
  const points = consecutiveMultiples(CURVES.bn254, 2, 3n).bytes;
  const bases = await made.loadBases({ curve: 'bn254', points });
  while (!isReady) await new Promise((resolve) => setTimeout(resolve, 10));
  await bases.dispose();
  return made;
}

function shown(value: number | MapTime | undefined): string {
  return value instanceof Object ? `sparse ${shown(value.ms)} ${shown(value.checkedMs)}` : `${value?.toPrecision(3)}`;
}

async function benchSize(curve: Curve, log: number): Promise<void> {
  const count = 2 ** log;
  const distinct = Math.min(count, DISTINCT_POINTS);
  const known = consecutiveMultiples(curve, distinct, 3n ** 50n);
  const points = new Uint8Array(count * pointBytes(curve.id, 'g1'));
  for (let at = 0; at < points.length; at += known.bytes.length) points.set(known.bytes, at);
  const bases = await prover.loadBases({ curve: curve.id, points });
  for (const density of densities) {
    for (const length of bits) await benchScalars(curve, bases, known, { log, density, length });
  }
  await bases.dispose();
}

/** Scalars, and which of the points they are for. */
interface Kind {
  readonly log: number;
  readonly density: number;
  readonly length: number;
}

async function benchScalars(curve: Curve, bases: Bases, known: KnownPoints, { log, density, length }: Kind) {
  const distinct = Math.min(2 ** log, DISTINCT_POINTS);
  const scalars = makeSparseScalars(curve, 2 ** log, density, length);
  const title = `${curve.id} 2^${log}, ${density} of ${Math.min(length, curve.fr.bits)} bits`;
  const expected = multipleBytes(curve, expectedFactor(curve, known, scalars, distinct));
  const contenders = checks.map((check) => oneMsm(bases, scalars, expected, { check }));
  // The checks of the default are prepared in the background, and an idle GPU runs at a fraction of its clock.
  await warmUp(() => prover.msm(bases, scalars));
  const places = await Promise.all(
    checks.map(async (check) => (await prover.msm(bases, scalars, { check })).report.backend),
  );
  const work = `${title}, ${places.join(', ')}`;
  report.add(work, await compare(contenders, runs));
  if (batch !== undefined) {
    const all = new Uint8Array(batch * scalars.length);
    for (let at = 0; at < all.length; at += scalars.length) all.set(scalars, at);
    const batches = checks.map((check) => manyMsms(bases, all, batch, expected, check));
    report.add(`${batch} x ${work}`, await compare(batches, runs));
  }
}

function oneMsm(bases: Bases, scalars: Uint8Array, expected: Uint8Array, options: MsmOptions): Contender {
  return {
    name: `check: ${options.check}`,
    run: () => prover.msm(bases, scalars, options),
    check: (result) => expectPoints([result as { bytes: Uint8Array }], expected),
  };
}

function manyMsms(
  bases: Bases,
  scalars: Uint8Array,
  batchSize: number,
  expected: Uint8Array,
  check: MsmCheck,
): Contender {
  return {
    name: `check: ${check}`,
    run: () => prover.msmBatch(bases, scalars, { batchSize, check }),
    check: (result) => expectPoints((result as { points: { bytes: Uint8Array }[] }).points, expected),
  };
}

function expectPoints(points: readonly { readonly bytes: Uint8Array }[], expected: Uint8Array): void {
  for (const { bytes } of points) {
    if (!equalBytes(bytes, expected)) throw new Error(`expected the known point, got ${bytes}`);
  }
}
