import { parseArgs } from 'node:util';
import type { BackendChoice, KeyLoadOptions, NumberForm, Precompute, ProveOptions, SumCheck } from '../api.js';
import { CURVES, type Curve } from '../curves/index.js';
import { PippinError } from '../errors.js';
import { GROTH16_CURVE_NAMES } from '../snarkjs/known-curves.js';
import { TUNING_FLAGS } from './tuning.js';

export const COMMANDS = ['prove', 'verify', 'msm', 'tune', 'doctor'] as const;
export type Command = (typeof COMMANDS)[number];

const PROVER_OPTIONS = `  --backend auto|webgpu|wasm   what computes; webgpu fails where there is no adapter (default: auto)
  --threads N                  number of WASM workers, 1 to 64 (default: that of the machine's threads, at most 16)
  --no-cache                   keep nothing prepared on disk
  --precompute N|auto          multiples of each base, 1 to 32, that make later sums faster; kept in the cache (default: 1)
  --json                       print one line of JSON`;

/** The names that --curve takes. */
export const CURVE_IDS = Object.keys(CURVES);

/** A number of bytes on every curve. */
function onCurves(bytes: (curve: Curve) => number): string {
  return Object.values(CURVES)
    .map((curve) => `${bytes(curve)} on ${curve.id}`)
    .join(', ');
}

export const USAGE: Readonly<Record<Command, string>> = {
  prove: `pippin prove --zkey F (--witness F | --input F.json --wasm F) [options]

  --zkey F         Groth16 proving key of snarkjs over ${GROTH16_CURVE_NAMES}: a path or URL
  --witness F      witness (.wtns)
  --input F        the circuit's inputs (JSON), with --wasm F, the witness WASM that circom made
  --strict-inputs  take only integers from 0 to r - 1; without it inputs are taken as snarkjs takes them, modulo r
  --witness-timeout MS    end the WASM after so many milliseconds (default: 120000)
  --witness-memory BYTES  the most that the WASM's memory may take (default: 2^30)
  --vkey F         refuse the proving key unless it is that of this verification key (JSON)
  --sha256 HEX     refuse the proving key unless its file has this SHA-256
  --allow-unfinished  take a key without a contribution in phase 2 of its set-up: anyone can forge proofs for it
  --proof F        write the proof there (JSON in snarkjs' form)
  --public F       write the public signals there (JSON)
  --no-verify      do not check the proof before giving it
  --constant-work  do work that does not depend on the witness, which takes longer
${PROVER_OPTIONS}

Without --proof, --public and --json, prints {"proof", "publicSignals"}. What the circuit logs goes to stderr and may show its inputs.`,
  verify: `pippin verify --vkey F --proof F --public F [--allow-unfinished] [--json]

  --allow-unfinished  take a key without a contribution in phase 2 of its set-up: anyone can forge proofs for it

Exits with 1 when the proof does not hold.`,
  msm: `pippin msm --curve ${CURVE_IDS.join('|')} [--group g1|g2] --points F --scalars F [options]

  --points F         affine points: x, y little-endian (bytes each: ${onCurves(({ coordinateBytes }) => coordinateBytes)}; G2 as c0, c1 for x then y), infinity all zero
  --points-form W    the coordinates are canonical, or montgomery: times 2 to the bits of their bytes (default: canonical)
  --scalars F        little-endian, below the group's order (bytes each: ${onCurves(({ scalarBytes }) => scalarBytes)})
  --scalars-form W   the scalars are canonical, or montgomery: times 2 to the bits of their bytes (default: canonical)
  --check random|recompute|curve   how a sum of the GPU is checked: by another sum of random weights, by the workers computing it as well, or
                     only that it is on the curve, which most faults pass (default: random)
  --constant-work    do work that does not depend on the scalars, which takes longer
${PROVER_OPTIONS}

How the sum is computed; what is left out is chosen for the device:
  --window-bits N             bits of a window, 4 to 20; also of those for which multiples are made
  --large-bucket-factor X     cut buckets of more than X times the mean number of points, 1 to 1000 (GPU)
  --chunks N                  cut the points into N chunks, 1 to 1024 (GPU)
  --reduction merged|cross-window  with --precompute: one set of buckets for all windows of a row, or one for each (GPU)
  --accumulation limbs|bytes  the products by which points are added to buckets (GPU)
  --digits gpu|workers        who cuts the scalars into digits (GPU)`,
  tune: `pippin tune [--max-ms N] [--curve ${CURVE_IDS.join('|')}] [options]

  --max-ms N     measure for about so many milliseconds (default: 3000)
  --curve C      measure sums on this curve (default: bn254)
${PROVER_OPTIONS}

Measures how fast this machine computes sums, prints it, and keeps it in the cache: later provers plan by it. With --json it is a map that
createProver takes as performanceMap.`,
  doctor: `pippin doctor [--json]

Reports what Pippin finds on this machine, and checks that each backend computes correctly.`,
};

export const OVERVIEW = `pippin: zero-knowledge proofs on this device, on WebGPU and WebAssembly workers

${COMMANDS.map((command) => USAGE[command].split('\n')[0]).join('\n')}

pippin COMMAND --help tells more; pippin --version tells the version.
Exit codes: 0 done; 1 the proof does not hold, or the work failed; 2 the usage or the input is wrong; 130 interrupted.`;

const OPTIONS = {
  zkey: { type: 'string' },
  witness: { type: 'string' },
  input: { type: 'string' },
  wasm: { type: 'string' },
  proof: { type: 'string' },
  public: { type: 'string' },
  vkey: { type: 'string' },
  sha256: { type: 'string' },
  'allow-unfinished': { type: 'boolean' },
  curve: { type: 'string' },
  group: { type: 'string' },
  points: { type: 'string' },
  scalars: { type: 'string' },
  'points-form': { type: 'string' },
  'scalars-form': { type: 'string' },
  check: { type: 'string' },
  backend: { type: 'string' },
  threads: { type: 'string' },
  precompute: { type: 'string' },
  'no-cache': { type: 'boolean' },
  'no-verify': { type: 'boolean' },
  'constant-work': { type: 'boolean' },
  'strict-inputs': { type: 'boolean' },
  'witness-timeout': { type: 'string' },
  'witness-memory': { type: 'string' },
  'max-ms': { type: 'string' },
  'window-bits': { type: 'string' },
  'large-bucket-factor': { type: 'string' },
  chunks: { type: 'string' },
  reduction: { type: 'string' },
  accumulation: { type: 'string' },
  digits: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;
type OptionName = keyof typeof OPTIONS;

const PROVER = ['backend', 'threads', 'precompute', 'no-cache', 'json'] as const;
const TAKEN: Readonly<Record<Command, readonly OptionName[]>> = {
  prove: [
    ...['zkey', 'vkey', 'sha256', 'allow-unfinished', 'witness', 'input', 'wasm', 'proof', 'public', 'no-verify'],
    ...['strict-inputs', 'witness-timeout', 'witness-memory', 'constant-work'],
    ...PROVER,
  ] as OptionName[],
  verify: ['vkey', 'proof', 'public', 'allow-unfinished', 'json'],
  msm: [
    ...['curve', 'group', 'points', 'points-form', 'scalars', 'scalars-form', 'check', 'constant-work'],
    ...TUNING_FLAGS,
    ...PROVER,
  ] as OptionName[],
  tune: ['curve', 'max-ms', ...PROVER],
  doctor: ['json'],
};

export type Options = {
  readonly [name in OptionName]?: (typeof OPTIONS)[name]['type'] extends 'string' ? string : boolean;
};

/** An error in how the command was called. */
export function usageError(message: string): PippinError {
  return new PippinError('INVALID_ARGUMENT', message);
}

/** The options of a command; `INVALID_ARGUMENT` for one that it does not take, or a backend or thread count out of range. */
export function parseOptions(command: Command, args: readonly string[]): Options {
  let values: Options;
  try {
    ({ values } = parseArgs({ args: [...args], options: OPTIONS, strict: true, allowPositionals: false }));
  } catch (error) {
    // Node's message has several sentences; the first says what is wrong.
    throw usageError(`expected the options of ${command}, got: ${(error as Error).message.split('. ')[0]}`);
  }
  for (const name of Object.keys(values) as OptionName[]) {
    if (name !== 'help' && !TAKEN[command].includes(name))
      throw usageError(`expected the options of ${command}, got --${name}`);
  }
  curveOption(values);
  sha256Option(values);
  maxMsOption(values);
  backendOption(values);
  threadsOption(values);
  precomputeOption(values);
  numberForms(values);
  checkOption(values);
  witnessLimits(values);
  return values;
}

/** The value of an option that the command cannot do without. */
export function required(options: Options, name: OptionName, command: Command): string {
  const value = options[name];
  if (typeof value !== 'string' || value === '') throw usageError(`expected --${name} for ${command}, got none`);
  return value;
}

/** The curve, if it is given. */
export function curveOption({ curve }: Options): string | undefined {
  if (curve === undefined || CURVE_IDS.includes(curve)) return curve;
  throw usageError(`expected --curve ${CURVE_IDS.join(' or ')}, got ${curve}`);
}

/** The SHA-256 that the proving key must have, as `loadKey` takes it, if it is given. */
export function sha256Option({ sha256 }: Options): Pick<KeyLoadOptions, 'sha256'> {
  if (sha256 === undefined) return {};
  if (/^[0-9a-f]{64}$/i.test(sha256)) return { sha256 };
  throw usageError(`expected --sha256 with 64 hexadecimal digits, got ${sha256}`);
}

/** How long to measure, if it is given. The prover checks the range. */
export function maxMsOption({ 'max-ms': maxMs }: Options): number | undefined {
  if (maxMs === undefined) return undefined;
  if (/^[1-9][0-9]*$/.test(maxMs)) return Number(maxMs);
  throw usageError(`expected --max-ms as a positive integer, got ${maxMs}`);
}

export function backendOption(options: Options): BackendChoice {
  const { backend = 'auto' } = options;
  if (backend === 'auto' || backend === 'webgpu' || backend === 'wasm') return backend;
  throw usageError(`expected --backend auto, webgpu or wasm, got ${backend}`);
}

export function threadsOption(options: Options): number | undefined {
  const { threads } = options;
  if (threads === undefined) return undefined;
  const count = Number(threads);
  if (!/^[0-9]+$/.test(threads) || count < 1 || count > 64)
    throw usageError(`expected --threads from 1 to 64, got ${threads}`);
  return count;
}

/** How many multiples the bases get, as `loadBases` and `loadKey` take it. */
export function precomputeOption({ precompute = '1' }: Options): { readonly precompute: Precompute } {
  if (precompute === 'auto') return { precompute };
  const multiples = Number(precompute);
  if (!/^[0-9]+$/.test(precompute) || multiples < 1 || multiples > 32)
    throw usageError(`expected --precompute auto, or from 1 to 32, got ${precompute}`);
  return { precompute: multiples };
}

/** The forms of points and scalars, as `loadBases` and `msm` take them. */
export function numberForms(options: Options): { readonly pointsForm: NumberForm; readonly scalarsForm: NumberForm } {
  const [pointsForm, scalarsForm] = (['points-form', 'scalars-form'] as const).map((name): NumberForm => {
    const { [name]: form = 'canonical' } = options;
    if (form === 'canonical' || form === 'montgomery') return form;
    throw usageError(`expected --${name} canonical or montgomery, got ${form}`);
  });
  return { pointsForm: pointsForm!, scalarsForm: scalarsForm! };
}

/** How a sum of the GPU is checked, if it is given. */
export function checkOption({ check }: Options): { readonly check?: SumCheck } {
  if (check === undefined) return {};
  if (check === 'random' || check === 'recompute' || check === 'curve') return { check };
  throw usageError(`expected --check random, recompute or curve, got ${check}`);
}

/** What a circuit's WASM may take, as far as it is given. The prover checks the ranges. */
export function witnessLimits(options: Options): Pick<ProveOptions, 'witnessTimeout' | 'witnessMemory'> {
  const { 'witness-timeout': timeout, 'witness-memory': memory } = options;
  for (const [name, value] of Object.entries({ timeout, memory })) {
    if (value !== undefined && !/^[1-9][0-9]*$/.test(value)) {
      throw usageError(`expected --witness-${name} as a positive integer, got ${value}`);
    }
  }
  return {
    ...(timeout === undefined ? {} : { witnessTimeout: Number(timeout) }),
    ...(memory === undefined ? {} : { witnessMemory: Number(memory) }),
  };
}
