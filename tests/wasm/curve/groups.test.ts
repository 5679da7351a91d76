import { beforeAll, describe, expect, it } from 'vitest';
import { writeBigint } from '../../../sdk/base/bytes.js';
import { type Curve, type FieldParameters, pointBytes } from '../../../sdk/curves/index.js';
import { packedMontgomeryBits, packedWords } from '../../../sdk/curves/limbs.js';
import { mod } from '../../../sdk/curves/modular.js';
import { encodePoint } from '../../../sdk/curves/point-bytes.js';
import { type AssemblyExports, assemble } from '../../support/assembly.js';
import type { AffinePoint } from '../../support/curve-reference.js';
import { edwardsToWeierstrass, packBases, packSum } from '../../support/msm-reference.js';
import { nobleG2 } from '../../support/noble-curves.js';
import { multipleOf } from '../../support/points.js';
import { edgeValues, Random } from '../../support/random.js';
import { ALL_CURVES, CURVES_WITH_EDWARDS, CURVES_WITH_G2 } from '../../support/registry.js';

/** What a group needs for its law to be tested: everything by the logarithm of a point to the base of the generator. */
interface GroupUnderTest {
  readonly name: string;
  readonly imports: string;
  readonly type: string;
  /** What brings sums to affine points, where it is not the group itself. */
  readonly out?: string;
  readonly order: bigint;
  readonly affineBytes: number;
  /** Boundary bytes of log * G. */
  affine(log: bigint): Uint8Array;
  /** Prepared bytes of log * G, log not 0, where bases are added to sums. */
  readonly base?: ((log: bigint) => Uint8Array) | undefined;
  /** The packed coordinates of log * G as a sum with denominator z. */
  sum(log: bigint, z: bigint): Uint8Array;
}

function g1(curve: Curve, imports: string, type: string): GroupUnderTest {
  const order = curve.fr.modulus;
  const at = (log: bigint): AffinePoint => multipleOf(curve, log);
  return {
    name: `G1 of ${curve.id}`,
    imports,
    type,
    order,
    affineBytes: pointBytes(curve.id, 'g1'),
    affine: (log) => encodePoint(curve.id, 'g1', at(log)),
    base: (log) => packBases(curve.id, [at(log)!]).points,
    sum: (log, z) => new Uint8Array(packSum(curve.id, at(log), z).buffer),
  };
}

function g2({ id, fq, fr, coordinateBytes: bytes }: Curve): GroupUnderTest {
  const { Point, Fp2 } = nobleG2(id);
  type Element = ReturnType<typeof Fp2.mul>;
  const known = new Map<bigint, { x: Element; y: Element } | undefined>();
  const affinePoint = (log: bigint): { x: Element; y: Element } | undefined => {
    const reduced = mod(log, fr.modulus);
    if (!known.has(reduced)) {
      known.set(reduced, reduced === 0n ? undefined : Point.BASE.multiplyUnsafe(reduced).toAffine());
    }
    return known.get(reduced);
  };
  const pack = (elements: readonly Element[]): Uint8Array =>
    packMontgomery(
      fq,
      elements.flatMap(({ c0, c1 }) => [c0, c1]),
    );
  return {
    name: `G2 of ${id}`,
    imports: `import { Weierstrass, ZeroA } from './curve/weierstrass'; import { Fq2 } from './field/fq2'; import { Fq } from './generated/${id}-fq';`,
    type: 'Weierstrass<Fq2<Fq>, ZeroA>',
    order: fr.modulus,
    affineBytes: 4 * bytes,
    affine: (log) => {
      const point = affinePoint(log);
      return encodePoint(
        id,
        'g2',
        point && [
          [point.x.c0, point.x.c1],
          [point.y.c0, point.y.c1],
        ],
      );
    },
    base: (log) => {
      const { x, y } = affinePoint(log)!;
      return pack([x, y]);
    },
    sum: (log, z) => {
      const point = affinePoint(log);
      if (point === undefined) return pack([Fp2.ZERO, Fp2.ZERO, Fp2.ZERO, Fp2.ZERO]);
      const factor = Fp2.create({ c0: z, c1: 3n });
      const zz = Fp2.sqr(factor);
      const zzz = Fp2.mul(zz, factor);
      return pack([Fp2.mul(point.x, zz), Fp2.mul(point.y, zzz), zz, zzz]);
    },
  };
}

/** Imports of what brings sums to a boundary on the Edwards form. */
function onEdwards({ id, boundary }: Curve): string {
  if (boundary === 'weierstrass') return '';
  return `import { EdwardsBoundary } from './curve/edwards-boundary'; import { EdwardsForm } from './generated/${id}-constants';`;
}

/** The Weierstrass form of G1, on which bases are added. */
function weierstrass(curve: Curve): GroupUnderTest {
  const at = (log: bigint): AffinePoint => {
    const point = multipleOf(curve, log);
    return point === undefined || curve.boundary === 'weierstrass' ? point : edwardsToWeierstrass(curve, point);
  };
  const a = curve.g1.a === 0n ? 'ZeroA' : 'LinearTerm';
  const constants = curve.g1.a === 0n ? '' : `import { LinearTerm } from './generated/${curve.id}-constants';`;
  const pack = (values: readonly bigint[]): Uint8Array => packMontgomery(curve.fq, values);
  return {
    ...g1(
      curve,
      `import { Weierstrass, ZeroA } from './curve/weierstrass'; import { Fq } from './generated/${curve.id}-fq'; ${constants}${onEdwards(curve)}`,
      `Weierstrass<Fq, ${a}>`,
    ),
    name: `G1 of ${curve.id} on the Weierstrass form`,
    out: curve.boundary === 'edwards' ? 'EdwardsBoundary<Fq, EdwardsForm>' : `Weierstrass<Fq, ${a}>`,
    base: (log) => pack(at(log)!),
    sum: (log, z) => {
      const point = at(log);
      return pack(point ? [point[0] * z * z, point[1] * z ** 3n, z * z, z ** 3n] : [0n, 0n, 0n, 0n]);
    },
  };
}

/** The Edwards form of G1, on which a GPU's window sums are summed. */
function edwards(curve: Curve): GroupUnderTest {
  const imports = `import { Edwards } from './curve/edwards'; import { WeierstrassImage } from './curve/edwards-map';
      import { Fq } from './generated/${curve.id}-fq'; import { EdwardsForm } from './generated/${curve.id}-constants';`;
  const group = g1(curve, imports, 'Edwards<Fq, EdwardsForm>');
  return {
    ...group,
    name: `${group.name} on the Edwards form`,
    base: undefined,
    out: curve.boundary === 'edwards' ? group.type : 'WeierstrassImage<Fq, EdwardsForm>',
  };
}

const groups = [...ALL_CURVES.map(weierstrass), ...CURVES_WITH_EDWARDS.map(edwards), ...CURVES_WITH_G2.map(g2)];

/** Coordinates in packed Montgomery form. */
function packMontgomery({ modulus, bits }: FieldParameters, values: readonly bigint[]): Uint8Array {
  const size = 4 * packedWords(bits);
  const bytes = new Uint8Array(size * values.length);
  for (const [i, value] of values.entries()) {
    writeBigint(bytes, size * i, size, mod(value << BigInt(packedMontgomeryBits(bits)), modulus));
  }
  return bytes;
}

describe.each(groups)('the law of $name', (group) => {
  let wasm: AssemblyExports;
  /** Addresses: bytes coming and going, two sums and a base. */
  let [bytesAt, a, b, base] = [0, 0, 0, 0];

  beforeAll(async () => {
    const call = `the<${group.type}>()`;
    const withBases = `
      export function loadBase(r: usize, source: usize): void { ${call}.loadBase(r, source); }
      export function addBase(r: usize, a: usize, base: usize, negative: bool): void { ${call}.addBase(r, a, base, negative); }`;
    wasm = await assemble(
      'group-under-test',
      `import { the } from './field/field';
      ${group.imports}
      export function heapBase(): usize { return __heap_base; }
      export function loadSum(r: usize, source: usize): void { ${call}.loadSum(r, source); }
      export function setIdentity(r: usize): void { ${call}.setIdentity(r); }
      export function add(r: usize, a: usize, b: usize): void { ${call}.add(r, a, b); }
      export function dbl(r: usize, a: usize): void { ${call}.dbl(r, a); }
      export function storeAffine(target: usize, a: usize): void { the<${group.out ?? group.type}>().storeAffine(target, a); }
      ${group.base === undefined ? '' : withBases}`,
    );
    bytesAt = wasm.heapBase!();
    [a, b, base] = [bytesAt + 1024, bytesAt + 2048, bytesAt + 3072];
  });

  function write(bytes: Uint8Array): number {
    new Uint8Array(wasm.memory.buffer).set(bytes, bytesAt);
    return bytesAt;
  }

  function affineOf(sum: number): Uint8Array {
    wasm.storeAffine!(bytesAt, sum);
    return new Uint8Array(wasm.memory.buffer, bytesAt, group.affineBytes).slice();
  }

  function putSum(at: number, log: bigint, z: bigint): void {
    wasm.loadSum!(at, write(group.sum(log, z)));
  }

  const logs = [0n, 1n, 2n, 3n, -1n, -2n, 12345n, group.order / 2n];
  const z = edgeValues(group.order).filter((value) => value !== 0n);

  const addsBases = (): void => {
    let k = 0;
    for (const left of logs) {
      for (const right of logs.filter((log) => log !== 0n)) {
        wasm.loadBase!(base, write(group.base!(right)));
        for (const [negative, expected] of [
          [0, left + right],
          [1, left - right],
        ] as const) {
          putSum(a, left, z[k++ % z.length]!);
          wasm.addBase!(b, a, base, negative);
          expect(affineOf(b)).toEqual(group.affine(expected));
          wasm.addBase!(a, a, base, negative);
          expect(affineOf(a)).toEqual(group.affine(expected));
        }
      }
    }
  };
  if (group.base) it('adds bases and their opposites to sums, with every coincidence', addsBases);

  it('adds and doubles sums, with every coincidence', () => {
    let k = 0;
    for (const left of logs) {
      for (const right of logs) {
        putSum(a, left, z[k++ % z.length]!);
        putSum(b, right, z[k++ % z.length]!);
        wasm.add!(b, a, b);
        expect(affineOf(b)).toEqual(group.affine(left + right));
        putSum(b, right, z[k++ % z.length]!);
        wasm.add!(a, a, b);
        expect(affineOf(a)).toEqual(group.affine(left + right));
      }
      putSum(a, left, z[k++ % z.length]!);
      wasm.dbl!(b, a);
      expect(affineOf(b)).toEqual(group.affine(2n * left));
      wasm.dbl!(a, a);
      expect(affineOf(a)).toEqual(group.affine(2n * left));
    }
  });

  it('adds a sum to itself at one address', () => {
    for (const log of logs) {
      putSum(a, log, 7n);
      wasm.add!(a, a, a);
      expect(affineOf(a)).toEqual(group.affine(2n * log));
    }
  });

  it('begins with the neutral element, and keeps its bounds over long chains', () => {
    wasm.setIdentity!(a);
    expect(affineOf(a)).toEqual(group.affine(0n));
    const random = new Random(11);
    let log = 0n;
    if (group.base) wasm.loadBase!(base, write(group.base(5n)));
    putSum(b, 5n, 7n);
    for (let step = 0; step < 300; step++) {
      const kind = random.integer(4);
      if (kind === 0) {
        wasm.dbl!(a, a);
        log *= 2n;
      } else if (kind === 1) {
        wasm.add!(a, a, a);
        log *= 2n;
      } else if (group.base === undefined) {
        wasm.add!(a, a, b);
        log += 5n;
      } else {
        wasm.addBase!(a, a, base, kind - 2);
        log += kind === 2 ? 5n : -5n;
      }
    }
    expect(affineOf(a)).toEqual(group.affine(log));
  });
});
