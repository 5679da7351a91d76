import type { CurveParameters } from '../../../sdk/curves/index.js';
import { packedMontgomeryBits } from '../../../sdk/curves/limbs.js';
import { assembleBinary } from '../../../tests/support/assembly.js';
import { LANE_CLASSES } from '../../../tests/support/lane-forms.js';
import { wideModule } from './module.js';
import type { PageModule } from './page.js';
import type { ProductForm } from './products.js';

/** A product by one kind of arithmetic, in a module that a page can load. A product of a and b is a b / R modulo p. */
export interface FieldContender {
  readonly name: string;
  readonly r: bigint;
  readonly module: PageModule;
}

/** The forms with wide arithmetic of a modulus that were not kept: rows with add128 ship. */
export function wideForms(modulus: bigint): ProductForm[] {
  // 4 p < R, so that products of elements below 2p are below 2p.
  const bits = modulus.toString(2).length + 2;
  const rows = { layout: 'rows', limbs: Math.ceil(bits / 64), limbBits: 64 } as const;
  // A column of at most 2 * 8 products of 2^124 fits 128 bits.
  const limbs = Math.ceil(bits / 62);
  const columns = { layout: 'columns', limbs, limbBits: Math.ceil(bits / limbs) } as const;
  return [
    { modulus, ...rows, sums: 'compare' },
    { modulus, ...columns, sums: 'add128' },
    { modulus, ...columns, sums: 'compare' },
  ];
}

export function wideContender(form: ProductForm): FieldContender {
  const { layout, limbs, limbBits, sums } = form;
  return {
    name: `wide ${layout} ${sums}`,
    r: 1n << BigInt(limbs * limbBits),
    module: {
      base64: base64(wideModule(form)),
      elements: 1,
      bytes: 8 * limbs,
      limbs: { count: limbs, bits: limbBits, from: 16 * limbs },
    },
  };
}

/** The shipped forms of a curve's coordinate field, that with wide arithmetic only where the engine has it. */
export async function shippedContenders(curve: CurveParameters, isWide: boolean): Promise<FieldContender[]> {
  const r = 1n << BigInt(packedMontgomeryBits(curve.fq.bits));
  const bytes = curve.coordinateBytes;
  const compile = async (
    name: string,
    className: string,
    file: string,
    elements: 1 | 2,
    features: readonly string[],
    functions?: string,
  ): Promise<FieldContender> => {
    const text = moduleText(className, `${curve.id}-${file}`, elements);
    const binary = await assembleBinary(`bench-wide-${file}`, text, features, [], functions);
    return { name, r, module: { base64: base64(binary), elements, bytes } };
  };
  const lanes = LANE_CLASSES.map(({ name, file, features }) =>
    compile(name === 'FqLanes' ? 'lanes' : 'integer lanes', name, file, 2, features),
  );
  const wide = isWide ? [compile('wide rows add128', 'Fq', 'fq-wide', 1, [], `${curve.id}-fq-wide.wat`)] : [];
  return Promise.all([...lanes, compile('i64', 'Fq', 'fq', 1, []), ...wide]);
}

/** Loops over products and squares, of independent elements and in chains, and access to elements in packed form. */
function moduleText(className: string, file: string, elements: 1 | 2): string {
  const access =
    elements === 2
      ? `export function put(r: usize, x: usize, y: usize): void { the<F>().loadPacked(r, x, y); }
export function get(x: usize, y: usize, a: usize): void { the<F>().reduce(a, a); the<F>().storePacked(x, y, a); }
// @ts-ignore: decorator
@inline function reduce(a: usize): void { the<F>().reduce(a, a); }`
      : `export function put(r: usize, x: usize, y: usize): void { the<F>().loadPacked(r, x); }
export function get(x: usize, y: usize, a: usize): void { the<F>().storePacked(x, a); }
// @ts-ignore: decorator
@inline function reduce(a: usize): void {}`;
  return `import { the } from './field/field';
import { ${className} as F } from './generated/${file}';
export function heapBase(): usize { return __heap_base; }
export function size(): usize { return the<F>().size; }
${access}
export function products(r: usize, a: usize, b: usize, end: usize): void {
  const f = the<F>();
  do {
    f.mul(r, a, b);
    a += f.size;
    b += f.size;
    r += f.size;
  } while (r < end);
}
export function squares(r: usize, a: usize, end: usize): void {
  const f = the<F>();
  do {
    f.sqr(r, a);
    a += f.size;
    r += f.size;
  } while (r < end);
}
export function chain(r: usize, b: usize, count: i32): void {
  do {
    the<F>().mul(r, r, b);
  } while (--count);
}
export function squareChain(r: usize, count: i32): void {
  do {
    the<F>().sqr(r, r);
  } while (--count);
}
/**
 * What an affine addition of (a, b) and (b, a) takes when many share one inversion: the running products forward and
 * backward, the slope, and the sum, of which r becomes y. The products' factors are in scratch.
 */
export function additions(r: usize, a: usize, b: usize, end: usize, scratch: usize): void {
  const f = the<F>();
  const forward = scratch;
  const backward = scratch + f.size;
  const t = scratch + 2 * f.size;
  const inverse = scratch + 3 * f.size;
  const x = scratch + 4 * f.size;
  const slope = scratch + 5 * f.size;
  do {
    f.sub(t, b, a);
    f.mul(forward, forward, t);
    f.mul(inverse, forward, t);
    f.mul(backward, backward, t);
    f.sub(slope, a, b);
    f.mul(slope, slope, inverse);
    f.sqr(x, slope);
    f.sub2(x, x, a, b);
    f.sub(t, a, x);
    f.mul(t, t, slope);
    f.sub(r, t, b);
    reduce(r);
    a += f.size;
    b += f.size;
    r += f.size;
  } while (r < end);
}`;
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
