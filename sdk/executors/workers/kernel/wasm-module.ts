import type { WasmModuleName } from '../../../api/index.js';
import { CURVES, type CurveId } from '../../../curves/index.js';

/**
 * Which of a curve's computations a module has: on points, which every prover needs, on scalars, on vectors of scalars
 * (PLONK, FFLONK, KZG), the square roots of packed keys, or rows of points, which ceremonies multiply by scalars.
 */
export type ModulePart = 'points' | 'scalars' | 'elements' | 'roots' | 'rows';

/** A curve's module for a part that is the fastest on this machine, and the one that runs on every machine. */
export function wasmModulesOf(
  curve: CurveId,
  part: ModulePart,
): { readonly fastest: WasmModuleName; readonly plain: WasmModuleName } {
  if (part === 'points') return { fastest: fastestPoints(curve), plain: curve };
  if (part === 'scalars') return { fastest: fastestScalars(curve), plain: `${curve}-scalars` };
  const plain = `${curve}-${part}`;
  const fastest = part === 'elements' ? plain : `${plain}${laneSuffix(part)}`;
  // Which curves have such modules their type does not tell.
  return { fastest: fastest as WasmModuleName, plain: plain as WasmModuleName };
}

/** The end of the name of the module with the fastest lanes. Square roots are not computed in integer lanes. */
function laneSuffix(part: 'roots' | 'rows'): string {
  if (hasFusedLanes()) return '-fma';
  return part === 'rows' && hasFasterIntegerLanes() ? '-simd' : '';
}

function fastestPoints(curve: CurveId): WasmModuleName {
  // Every curve with pairings has such a module, which its type does not tell.
  if (CURVES[curve].pairing !== undefined && hasFastWideArithmetic()) return `${curve}-wide` as WasmModuleName;
  if (hasFusedLanes()) return `${curve}-fma`;
  return hasFasterIntegerLanes() ? `${curve}-simd` : curve;
}

function fastestScalars(curve: CurveId): WasmModuleName {
  // Every curve that transforms in lanes has such a module, which its type does not tell.
  const inLanes = `${curve}-scalars-fma` as WasmModuleName;
  return CURVES[curve].transforms?.inLanes && hasFusedLanes() ? inLanes : `${curve}-scalars`;
}

/**
 * A module with functions a and b of two f64 x, y: lane 0 of f64x2.relaxed_madd and of f64x2.relaxed_nmadd, both
 * applied to x, x, y.
 */
const PROBE = new Uint8Array([
  // Header; type 0, which is (f64, f64) -> f64; two functions of that type; their exports.
  ...[0, 97, 115, 109, 1, 0, 0, 0],
  ...[1, 7, 1, 96, 2, 124, 124, 1, 124],
  ...[3, 3, 2, 0, 0],
  ...[7, 9, 2, 1, 97, 0, 0, 1, 98, 0, 1],
  // Two bodies: local.get and f64x2.splat three times, the operation, f64x2.extract_lane 0.
  ...[10, 43, 2],
  ...[20, 0, 32, 0, 253, 20, 32, 0, 253, 20, 32, 1, 253, 20, 253, 135, 2, 253, 33, 0, 11],
  ...[20, 0, 32, 0, 253, 20, 32, 0, 253, 20, 32, 1, 253, 20, 253, 136, 2, 253, 33, 0, 11],
]);

let fused: boolean | undefined;

/**
 * Whether relaxed SIMD is available and rounds a fused multiply-add once, as the `-fma` modules require. On machines
 * without the instruction it may round twice, and then the low half of a product is lost: (1 + 2^-52)^2 - (1 + 2^-51)
 * gives 0 instead of 2^-104.
 */
export function hasFusedLanes(): boolean {
  fused ??= WebAssembly.validate(PROBE) && probe();
  return fused;
}

/**
 * False if a Content-Security-Policy forbids compilation; the caller gets that error later, when the curve's own module
 * is compiled.
 */
function probe(): boolean {
  try {
    return roundsOnce(new WebAssembly.Instance(new WebAssembly.Module(PROBE)).exports);
  } catch {
    return false;
  }
}

function roundsOnce(exports: WebAssembly.Exports): boolean {
  const { a, b } = exports as Record<string, (x: number, y: number) => number>;
  const x = 1 + 2 ** -52;
  const y = 1 + 2 ** -51;
  return a!(x, -y) === 2 ** -104 && b!(x, y) === -(2 ** -104);
}

/** What the first time of wide arithmetic may take, in milliseconds: where the clock is coarse nothing is timed. */
const FINE_CLOCK_MS = 1;

/** Sums that a loop of the probe adds products to; with fewer of them each product would wait for the one before it. */
const SUMS = 8;
/** Rounds in a call of a loop: some microseconds. */
const ROUNDS = 512;
/**
 * How long a loop is timed, at least. Where the clock ticks once in a millisecond, as in Safari, it is timed from one
 * tick to the next.
 */
const TIMED_MS = 0.1;
/**
 * How long and how often both loops are timed in turns, at least: what else the machine does, and code not optimised
 * yet, must not decide.
 */
const PROBE_MS = 2;
const LEAST_TURNS = 3;
/** Calls after which a clock that does not tick is given up. */
const MOST_CALLS = 4096;
/** A round that is compared with one of single products, i64.mul and i64.add. */
interface Round {
  /** The type of its sums. */
  readonly type: number;
  /** Instructions from the number of rounds to x, and from a sum to the result. */
  readonly convert: readonly number[];
  readonly result: readonly number[];
  readonly multiply: readonly number[];
  readonly add: readonly number[];
  /** What it may take, as a multiple of a round of single products (docs/strategies/field-products-wasm.md). */
  readonly most: number;
}

const [I64, V128] = [126, 123];

/** i64.extend_i32_u; i64.mul; i64.add; i32.wrap_i64. */
const SINGLE = { type: I64, convert: [173], multiply: [126], add: [124], result: [167] };

/**
 * i32x4.splat; i64x2.extmul_low_i32x4_s, which has two products; i64x2.add; i32x4.extract_lane 0. Where it takes 1.4
 * times as long as single products, sums of points in lanes take 0.67 to 0.76 times as long.
 */
const INTEGER_LANES: Round = {
  type: V128,
  convert: [253, 17],
  multiply: [253, 220, 1],
  add: [253, 206, 1],
  result: [253, 27, 0],
  most: 2,
};

/**
 * i64.mul_wide_u; i64.const 0 and i64.add128; i64.xor of both halves. Where it takes 1.3 to 2.8 times as long as single
 * products, sums of points take 0.78 to 0.98 times as long as in lanes; where 4.3 times, 1.03 to 1.04 times.
 */
const WIDE: Round = { ...SINGLE, multiply: [252, 22], add: [66, 0, 252, 19, 133], most: 3.5 };

type Loop = (rounds: number) => number;

let fastWide: boolean | undefined;

/**
 * Whether there is wide arithmetic, and fast enough that the `-wide` modules are faster than those with lanes. It takes
 * three milliseconds once where there is such arithmetic, or two where the clock is too coarse to tell.
 */
export function hasFastWideArithmetic(): boolean {
  fastWide ??= isFast(WIDE, FINE_CLOCK_MS);
  return fastWide;
}

let faster: boolean | undefined;

/**
 * Whether the `-simd` modules, which compute products of integers two at a time, are faster here than the modules
 * without SIMD. It takes three milliseconds once, and 13 where the clock is as coarse as Safari's.
 */
export function hasFasterIntegerLanes(): boolean {
  faster ??= isFast(INTEGER_LANES);
  return faster;
}

/**
 * False if a Content-Security-Policy forbids compilation; the caller gets that error later, when the curve's own module
 * is compiled.
 */
function isFast(round: Round, patience = Infinity): boolean {
  const probe = probeModule(round);
  if (!WebAssembly.validate(probe)) return false;
  let loops: Record<string, Loop>;
  try {
    loops = new WebAssembly.Instance(new WebAssembly.Module(probe)).exports as Record<string, Loop>;
  } catch {
    return false;
  }
  // A round that lost is timed once more: one of the loops may have been optimised before the other.
  return (isFaster(round, loops, patience) ?? isFaster(round, loops, patience)) === true;
}

/**
 * Whether a round takes less than it may, by the shortest times of some turns; undefined if it takes more. False where
 * the clock stands still, or is so coarse that the first time takes more than `patience` milliseconds.
 */
function isFaster({ most }: Round, { a, b }: Record<string, Loop>, patience: number): boolean | undefined {
  let [compared, single] = [Infinity, Infinity];
  const began = performance.now();
  for (let turn = 0; turn < LEAST_TURNS || performance.now() - began < PROBE_MS; turn++) {
    single = Math.min(single, timeOf(a!));
    if (turn === 0 && performance.now() - began > patience) return false;
    compared = Math.min(compared, timeOf(b!));
    if (single === Infinity || compared === Infinity) return false;
  }
  return compared < most * single || undefined;
}

/** Milliseconds of a call of the loop, from a tick of the clock on; infinite where the clock does not tick. */
function timeOf(loop: Loop): number {
  let start = performance.now();
  let hasTicked = false;
  let calls = 0;
  for (let i = 0; i < MOST_CALLS; i++) {
    loop(ROUNDS);
    calls++;
    const now = performance.now();
    if (hasTicked && now - start >= TIMED_MS) return (now - start) / calls;
    if (hasTicked || now === start) continue;
    hasTicked = true;
    start = now;
    calls = 0;
  }
  return Infinity;
}

/**
 * A module with the loops a and b, functions of the number of rounds. In a round each sum s_i becomes s_i x + s_(i +
 * 1): in `a` by single products, in `b` by the given round's products.
 */
function probeModule(round: Round): Uint8Array<ArrayBuffer> {
  const bodies = [SINGLE, round].map(loopBody).flatMap((body) => [...size(body.length), ...body]);
  return new Uint8Array([
    // Header; type 0, which is (i32) -> i32; two functions of that type; their exports.
    ...[0, 97, 115, 109, 1, 0, 0, 0],
    ...[1, 6, 1, 96, 1, 127, 1, 127],
    ...[3, 3, 2, 0, 0],
    ...[7, 9, 2, 1, 97, 0, 0, 1, 98, 0, 1],
    ...[10, ...size(bodies.length + 1), 2, ...bodies],
  ]);
}

/** A function's body. Local 0 is the number of rounds, 1 to 8 are the sums, and 9 is x. */
function loopBody({ type, convert, multiply, add, result }: Omit<Round, 'most'>): number[] {
  const [get, set] = [32, 33];
  const x = SUMS + 1;
  const steps = Array.from({ length: SUMS }, (_, i) => {
    const [sum, next] = [i + 1, ((i + 1) % SUMS) + 1];
    return [get, sum, get, x, ...multiply, get, next, ...add, set, sum];
  });
  return [
    ...[1, SUMS + 1, type],
    ...[get, 0, ...convert, set, x, get, x, set, 1],
    // A loop that ends when the number of rounds, one less each time, is 0.
    ...[3, 64, ...steps.flat(), get, 0, 65, 1, 107, 34, 0, 13, 0, 11],
    ...[get, 1, ...result, 11],
  ];
}

/** A number below 2^14 in LEB128. */
function size(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, value >> 7];
}
