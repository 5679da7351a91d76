import { buildBn128 } from 'ffjavascript';
import type { ModuleBuilder } from 'wasmbuilder';
import { bn254 } from '../../../sdk/curves/index.js';
import { bigintToBytes, bytesToBigint } from '../../../sdk/field/bytes.js';
import type { ProductLoop } from '../product-loop.js';
import { limitCpus } from './limit-cpus.js';

/** A group of ffjavascript's; coordinates and scalars in bytes, coordinates times 2^256. */
export interface FfGroup {
  multiExpAffine(bases: Uint8Array, scalars: Uint8Array): Promise<Uint8Array>;
  toAffine(point: Uint8Array): Uint8Array;
  toObject(point: Uint8Array): unknown;
}

type Bn128 = Awaited<ReturnType<typeof buildBn128>>;
/** BN254 in ffjavascript, which computes with wasmcurves: what snarkjs runs. */
export type Ffjavascript = Bn128 & { readonly G2: FfGroup };

/** Starts it with that many workers of its own. */
export async function startFfjavascript(threads: number): Promise<Ffjavascript> {
  limitCpus(threads);
  return (await buildBn128(false)) as Ffjavascript;
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

const SIZE = bn254.coordinateBytes;
const P = bn254.fq.modulus;

/** wasmcurves' product of BN254's coordinate field, called by a loop in WASM that is added to its module. */
export async function wasmcurvesLoop(count: number): Promise<ProductLoop> {
  const build = buildBn128 as unknown as (
    singleThread: boolean,
    plugin: (module: ModuleBuilder) => void,
  ) => Promise<WasmCurves>;
  const { tm } = await build(true, addLoop);
  const [r, a, b] = [0, 1, 2].map(() => tm.alloc(count * SIZE)) as [number, number, number];
  const put = (at: number, value: bigint): void => tm.u8.set(bigintToBytes((value << 256n) % P, SIZE), at);
  return {
    load: (i, x, y) => {
      put(a + i * SIZE, x);
      put(b + i * SIZE, y);
    },
    run: () => tm.instance.exports.bench_products(r, a, b, r + count * SIZE),
    result: (i) => ({ value: bytesToBigint(tm.u8, r + i * SIZE, SIZE), r: 1n << 256n }),
  };
}

function addLoop(module: ModuleBuilder): void {
  const f = module.addFunction('bench_products');
  for (const name of ['r', 'a', 'b', 'end']) f.addParam(name, 'i32');
  const c = f.getCodeBuilder();
  f.addCode(
    c.loop(
      c.call('f1m_mul', c.getLocal('a'), c.getLocal('b'), c.getLocal('r')),
      ...['r', 'a', 'b'].map((name) => c.setLocal(name, c.i32_add(c.getLocal(name), c.i32_const(SIZE)))),
      c.br_if(0, c.i32_ne(c.getLocal('r'), c.getLocal('end'))),
    ),
  );
  module.exportFunction('bench_products');
}
