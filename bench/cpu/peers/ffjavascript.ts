import { buildBls12381, buildBn128 } from 'ffjavascript';
import type { ModuleBuilder } from 'wasmbuilder';
import { bytesToBigint, writeBigint } from '../../../sdk/base/bytes.js';
import type { Curve, CurveId } from '../../../sdk/curves/index.js';
import type { ProductLoop } from '../product-loop.js';
import { limitCpus } from './limit-cpus.js';

/** A group in ffjavascript. Points and scalars are bytes; coordinates have the form that `toFfjavascript` gives. */
export interface FfGroup {
  multiExpAffine(bases: Uint8Array, scalars: Uint8Array): Promise<Uint8Array>;
  toAffine(point: Uint8Array): Uint8Array;
  toObject(point: Uint8Array): unknown;
}

type PairingCurve = Awaited<ReturnType<typeof buildBn128>>;
/** A curve in ffjavascript, which snarkjs is built on and which computes with wasmcurves. */
export type Ffjavascript = PairingCurve & { readonly G2: FfGroup };

/** The curves that ffjavascript has, by our ids. */
const BUILDERS: Partial<Record<CurveId, typeof buildBn128>> = { bn254: buildBn128, 'bls12-381': buildBls12381 };

export function hasFfjavascript(curve: CurveId): boolean {
  return BUILDERS[curve] !== undefined;
}

function builderOf(curve: CurveId): typeof buildBn128 {
  const build = BUILDERS[curve];
  if (build === undefined) throw new Error(`expected a curve of ffjavascript, got ${curve}`);
  return build;
}

/** Starts a curve with `threads` workers of its own. */
export async function startFfjavascript(curve: CurveId, threads: number): Promise<Ffjavascript> {
  limitCpus(threads);
  return (await builderOf(curve)(false)) as Ffjavascript;
}

/** Brings coordinates x from boundary form to ffjavascript's Montgomery form: x R mod p, with R = 2^256 or 2^384. */
export function toFfjavascript({ coordinateBytes, fq }: Curve, bytes: Uint8Array): Uint8Array {
  const result = new Uint8Array(bytes.length);
  for (let at = 0; at < bytes.length; at += coordinateBytes) {
    const value = bytesToBigint(bytes, at, coordinateBytes) << BigInt(8 * coordinateBytes);
    writeBigint(result, at, coordinateBytes, value % fq.modulus);
  }
  return result;
}

interface WasmCurves {
  readonly tm: {
    readonly instance: {
      readonly exports: { bench_products(r: number, a: number, b: number, end: number): void };
    };
    readonly u8: Uint8Array;
    alloc(bytes: number): number;
  };
}

/** wasmcurves' product in a curve's coordinate field, called by a loop in WASM that is added to its module. */
export async function wasmcurvesLoop(curve: Curve, count: number): Promise<ProductLoop> {
  const { coordinateBytes: size, fq } = curve;
  const build = builderOf(curve.id) as unknown as (
    singleThread: boolean,
    plugin: (module: ModuleBuilder) => void,
  ) => Promise<WasmCurves>;
  const { tm } = await build(true, (module) => addLoop(module, size));
  const radix = 1n << BigInt(8 * size);
  const [r, a, b] = [0, 1, 2].map(() => tm.alloc(count * size)) as [number, number, number];
  const put = (at: number, value: bigint): void => writeBigint(tm.u8, at, size, (value * radix) % fq.modulus);
  return {
    load: (i, x, y) => {
      put(a + i * size, x);
      put(b + i * size, y);
    },
    run: () => tm.instance.exports.bench_products(r, a, b, r + count * size),
    result: (i) => ({ value: bytesToBigint(tm.u8, r + i * size, size), r: radix }),
  };
}

function addLoop(module: ModuleBuilder, size: number): void {
  const f = module.addFunction('bench_products');
  for (const name of ['r', 'a', 'b', 'end']) f.addParam(name, 'i32');
  const c = f.getCodeBuilder();
  f.addCode(
    c.loop(
      c.call('f1m_mul', c.getLocal('a'), c.getLocal('b'), c.getLocal('r')),
      ...['r', 'a', 'b'].map((name) => c.setLocal(name, c.i32_add(c.getLocal(name), c.i32_const(size)))),
      c.br_if(0, c.i32_ne(c.getLocal('r'), c.getLocal('end'))),
    ),
  );
  module.exportFunction('bench_products');
}
