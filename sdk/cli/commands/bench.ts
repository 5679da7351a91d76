import { availableParallelism, cpus } from 'node:os';
import { basename } from 'node:path';
import type { Bases, Coordinate, Prover } from '../../api/index.js';
import { bigintToBytes, bytesToBigint, joinBytes } from '../../base/bytes.js';
import { PippinError } from '../../base/errors.js';
import { CURVES, type Curve, type CurveId } from '../../curves/index.js';
import { encodePoint } from '../../curves/point-bytes.js';
import { sampleScalars } from '../../engine/tune/sample-bases.js';
import { proveWith } from '../../hosts/session/proof-system-of.js';
import { type BackendTimes, type BenchWork, benchBackends, type Timings } from '../bench-backends.js';
import { defineCommand } from '../command.js';
import { DOWNLOAD_OPTIONS, givenMaxBytes } from '../common-options.js';
import type { Context } from '../context.js';
import { file, fileOrStdin, integer, usageError, type Values, word } from '../option.js';
import { stepOf, withProver } from '../prover.js';
import { PROVER_OPTIONS } from '../prover-options.js';
import { allowUnfinished, WITNESS_OPTIONS } from '../proving-options.js';
import { msText, table } from '../text.js';
import { proofInput, readWitnessSource, type WitnessSource } from '../witness-source.js';

const DEFAULT_RUNS = 5;
const DEFAULT_SIZE = 14;
const CURVE_IDS = Object.keys(CURVES) as CurveId[];
const DEFAULT_CURVE = CURVE_IDS[0]!;

const { wasm, input } = WITNESS_OPTIONS;
const { backend: _, 'no-cache': __, ...THREADS } = PROVER_OPTIONS;

const OPTIONS = {
  zkey: file('.zkey', 'measure proofs with this proving key: a path or URL'),
  witness: fileOrStdin('.wtns', 'the witness of these proofs (.wtns)'),
  wasm,
  input,
  'allow-unfinished': allowUnfinished,
  ...DOWNLOAD_OPTIONS,
  curve: word(CURVE_IDS, `without a key, measure MSMs on this curve (default: ${DEFAULT_CURVE})`),
  size: integer('K', `without a key, measure MSMs over 2^K points, 4 to 20 (default: ${DEFAULT_SIZE})`, 4, 20),
  runs: integer('N', `how many later runs are measured, 1 to 100 (default: ${DEFAULT_RUNS})`, 1, 100),
  backend: word(
    ['webgpu', 'wasm'],
    'measure only this one (default: both, WebGPU where the adapter is no software adapter)',
  ),
  ...THREADS,
};

/** What a proof costs on this machine. */
export const benchCommand = defineCommand({
  name: 'bench',
  topic: 'machine',
  summary: 'measure what a proof or an MSM costs on this machine, on each backend',
  usage: '[--zkey FILE (--witness FILE | --input FILE --wasm FILE)] [options]',
  options: OPTIONS,
  notes: [
    "For each backend: starting a prover; loading the key or the points; the first run, and the median of later ones with the shortest and the longest; and for a key, loading it again in a new prover, from the cache. Proofs are verified and sums checked before anything is timed. The cache is a folder of the system's for temporary files, which is deleted afterwards.",
    'Without a key it measures an MSM over points of G1 with random scalars, which is most of what a proof takes.',
  ],
  examples: [
    'pippin bench',
    'pippin bench --zkey circuit.zkey --wasm circuit.wasm --input input.json --runs 10',
    'pippin bench --zkey circuit.zkey --witness witness.wtns --backend wasm --json',
  ],
  exits: { 0: 'done', 1: 'no backend could be measured, or the work failed' },
  async work(values, context) {
    const { runs = DEFAULT_RUNS, threads, backend, curve = DEFAULT_CURVE, size = DEFAULT_SIZE } = values;
    const files = await proofFiles(values, context);
    const work = files === undefined ? await msmWork(curve, size, context) : proofWork(files, context);
    const plan = { runs, backends: backend === undefined ? (['wasm', 'webgpu'] as const) : [backend], threads };
    const measured = await benchBackends(work, plan, { allowSoftware: backend === 'webgpu' }, context);
    const facts = { what: work.name, ...machineFacts(), date: new Date().toISOString(), runs };
    await context.result(
      { ...facts, backends: measured },
      [work.name, machineText(), '', tableOf(measured)].join('\n'),
    );
    return measured.some(({ timings }) => timings !== undefined) ? 0 : 1;
  },
});

/** The files of a proof; undefined if none is named. `INVALID_ARGUMENT` for a part of them. */
async function proofFiles(values: Values<typeof OPTIONS>, context: Context): Promise<ProofFiles | undefined> {
  const { zkey } = values;
  if (zkey === undefined) {
    const alone = (['witness', 'wasm', 'input', 'allow-unfinished', 'max-bytes'] as const).find((name) => values[name]);
    if (alone !== undefined) throw usageError(`expected --zkey with --${alone}, got --${alone} alone`);
    return undefined;
  }
  if (values.curve !== undefined || values.size !== undefined) {
    throw usageError('expected --curve and --size for MSMs, got them with --zkey');
  }
  const source = await readWitnessSource('bench', values, context);
  return { zkey, source, allowUnfinished: values['allow-unfinished'], downloads: givenMaxBytes(values) };
}

const COLUMNS: readonly (readonly [title: string, text: (timings: Timings) => string])[] = [
  ['Start', ({ start }) => msText(start)],
  ['Load', ({ load }) => msText(load)],
  ['First run', ({ first }) => msText(first)],
  ['Later runs (range)', ({ later }) => `${msText(later.median)} (${msText(later.least)} to ${msText(later.most)})`],
  ['Load from cache', ({ loadCached }) => (loadCached === undefined ? '' : msText(loadCached))],
];

function tableOf(measured: readonly BackendTimes[]): string {
  const done = measured.flatMap(({ timings, ...rest }) => (timings === undefined ? [] : [{ ...rest, timings }]));
  const failed = measured.flatMap(({ backend, reason }) => (reason === undefined ? [] : [`${backend}: ${reason}`]));
  if (done.length === 0) return failed.join('\n');
  const columns = COLUMNS.map(([title, text]) => [title, ...done.map(({ timings }) => text(timings))]);
  // What was not measured on any backend gets no column.
  const shown = [
    ['Backend', ...done.map(({ backend }) => backend)],
    ...columns.filter((column) => column.slice(1).some((cell) => cell !== '')),
  ];
  const rows = [0, ...done.map((_, i) => i + 1)].map((row) => shown.map((column) => column[row]!));
  const adapters = done.flatMap(({ backend, adapter }) => (adapter === undefined ? [] : [`${backend}: on ${adapter}`]));
  return [table(rows), ...adapters, ...failed].join('\n');
}

/** The machine, as far as it decides how fast Pippin is. */
interface MachineFacts {
  readonly node: string;
  readonly platform: string;
  readonly cpu: string;
  readonly cores: number;
}

function machineFacts(): MachineFacts {
  return {
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    cpu: cpus()[0]?.model.trim() ?? 'unknown CPU',
    cores: availableParallelism(),
  };
}

function machineText(): string {
  const { node, platform, cpu, cores } = machineFacts();
  return `${cpu}, ${cores} threads, Node ${node} on ${platform}`;
}

/** A proving key, and a witness or what it is computed from. */
interface ProofFiles {
  readonly zkey: string;
  readonly source: WitnessSource;
  /** Whether the key may be one without a contribution. */
  readonly allowUnfinished: boolean;
  /** The bound of downloads, as calls take it. */
  readonly downloads: { readonly maxBytes?: number };
}

/** Proofs with a key. Each is verified before it is given, as always. */
function proofWork({ zkey, source, allowUnfinished, downloads }: ProofFiles, context: Context): BenchWork {
  const from = source.kind === 'witness' ? 'a witness' : 'inputs';
  return {
    name: `A proof with ${basename(zkey)} from ${from}`,
    isCached: true,
    async load(prover) {
      const options = { allowUnfinished, ...downloads };
      const key = await prover.loadKey(zkey, { ...stepOf(context, 'Loading the key'), ...options });
      return {
        cached: key.report.cached === true,
        async run(step) {
          const proving = { ...stepOf(context, step), ...downloads };
          await proveWith(prover, key, proofInput(source), proving);
        },
      };
    },
  };
}

/** Different points among the bases, which repeat them: so many that equal ones hardly ever meet in a bucket. */
const DISTINCT_POINTS = 256;

/** Points of G1, scalars, and the MSM's result. */
interface Operands {
  readonly points: Uint8Array;
  readonly scalars: Uint8Array;
  readonly sum: readonly [x: Coordinate, y: Coordinate];
}

/**
 * An MSM over 2^size points of G1 with random scalars, which is checked each time: the points are known multiples of
 * the generator.
 */
async function msmWork(id: CurveId, size: number, context: Context): Promise<BenchWork> {
  const curve = CURVES[id];
  const { points, scalars, sum } = await makeOperands(curve, 2 ** size, context);
  return {
    name: `An MSM over 2^${size} points of G1 on ${curve.name} with random scalars`,
    isCached: false,
    async load(prover) {
      const bases = await prover.loadBases({ curve: id, points }, stepOf(context, 'Loading the points'));
      return {
        cached: false,
        async run(step) {
          const { x, y } = await prover.msm(bases, scalars, stepOf(context, step));
          if (x === sum[0] && y === sum[1]) return;
          throw new PippinError('RESULT_INVALID', 'expected the MSM that is known beforehand, got another point');
        },
      };
    },
  };
}

/** Computed with another prover, so that the measured ones start cold. */
function makeOperands(curve: Curve, count: number, context: Context): Promise<Operands> {
  const { id, g1 } = curve;
  return withProver({ backend: 'wasm', cache: false }, context, async (prover) => {
    const call = stepOf(context, 'Making points');
    const generator = await prover.loadBases({ curve: id, points: encodePoint(id, 'g1', g1.generator) }, call);
    const distinct = Math.min(DISTINCT_POINTS, count);
    const scalars = sampleScalars(id, count);
    const factors = [
      factorOfResult(curve, scalars, distinct),
      ...Array.from({ length: distinct }, (_, i) => BigInt(i + 1)),
    ];
    const [sum, ...multiples] = await multiplesOf(prover, curve, generator, factors, context);
    const few = joinBytes(multiples.map(([x, y]) => encodePoint(id, 'g1', [x as bigint, y as bigint])));
    const points = joinBytes(Array.from({ length: count / distinct }, () => few));
    return { points, scalars, sum: sum! };
  });
}

/** These multiples of one base. */
async function multiplesOf(
  prover: Prover,
  { scalarBytes }: Curve,
  base: Bases,
  factors: readonly bigint[],
  { signal }: Context,
): Promise<Operands['sum'][]> {
  const scalars = joinBytes(factors.map((factor) => bigintToBytes(factor, scalarBytes)));
  const { points } = await prover.msmBatch(base, scalars, { batchSize: factors.length, signal });
  return points.map(({ x, y }) => [x, y]);
}

/**
 * sum k_i (1 + i mod period) mod r: the MSM's result as a multiple of the generator, since point i is 1 + i mod period
 * times it.
 */
function factorOfResult({ scalarBytes, fr }: Curve, scalars: Uint8Array, period: number): bigint {
  let factor = 0n;
  for (let i = 0; i < scalars.length / scalarBytes; i++) {
    factor += bytesToBigint(scalars, i * scalarBytes, scalarBytes) * BigInt(1 + (i % period));
  }
  return factor % fr.modulus;
}
