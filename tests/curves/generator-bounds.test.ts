import { describe, expect, it } from 'vitest';
import { expectBound } from '../../scripts/generate/bounds.js';
import { packageExportFaults } from '../../scripts/generate/package-exports.js';
import { generateWasmEndomorphism, splitting } from '../../scripts/generate/wasm/endomorphism.js';
import { fieldModule } from '../../scripts/generate/wasm/field.js';
import { integerLaneFacts } from '../../scripts/generate/wasm/integer-lane-facts.js';
import { integerLaneModule } from '../../scripts/generate/wasm/integer-lanes.js';
import { laneFacts } from '../../scripts/generate/wasm/lane-facts.js';
import { laneTransformModule } from '../../scripts/generate/wasm/lane-transform.js';
import { laneModule } from '../../scripts/generate/wasm/lanes.js';
import { generateWasmPairing } from '../../scripts/generate/wasm/pairing.js';
import { parseSignature } from '../../scripts/generate/wasm/signature.js';
import { wideFacts } from '../../scripts/generate/wasm/wide-facts.js';
import { ENDOMORPHISMS } from '../../sdk/curves/endomorphisms.js';
import { bn254, CURVES, type FieldParameters } from '../../sdk/curves/index.js';

/** Any odd number does for a modulus here: the bounds follow from its size. */
const field = (bits: number, modulus = 2n ** BigInt(bits) - 1n): FieldParameters => ({
  modulus,
  bits,
});
/** Fields here are named by their bits, curves `of_the_test`. */
const refuses = (generate: () => unknown, what: string): void => {
  let message = '';
  try {
    generate();
  } catch (error) {
    message = (error as Error).message;
  }
  expect(message.replace(/^field_of_\d+:/, 'of_the_test:')).toContain(`of_the_test: expected ${what}`);
};

describe('the generators refuse a field for which a bound does not hold', () => {
  it('on limbs in i64', () => {
    refuses(() => fieldModule('Fq', field(254, 2n ** 260n + 1n), {}), 'a product of elements');
    refuses(() => fieldModule('Fq', field(930), {}), 'a column of 2 products a limb');
    expect(() => fieldModule('Fq', field(920), {})).not.toThrow();
  });

  it('on limbs in i64 with the quadratic extension', () => {
    refuses(() => fieldModule('Fq', field(460), { nonResidue: -1n }), 'a column of 2 products a limb, with a sign');
    expect(() => fieldModule('Fq', field(430), { nonResidue: -1n })).not.toThrow();
    // R is 2^5 p.
    const narrow = field(256);
    expect(() => fieldModule('Fq', narrow, { nonResidue: -2n })).not.toThrow();
    refuses(() => fieldModule('Fq', narrow, { nonResidue: -10n }), 'a product of the quadratic extension');
    refuses(() => fieldModule('Fq', narrow, { nonResidue: 17n }), 'an element times u^2');
    expect(() => fieldModule('Fq', field(355), { nonResidue: -65n })).toThrow('a non-residue from -64 to 64, got -65');
  });

  it('on limbs in i64 with transforms', () => {
    refuses(() => fieldModule('Fr', field(257), { transforms: true }), 'what transforms leave unreduced');
    expect(() => fieldModule('Fr', field(255, 2n ** 255n - 2n ** 250n - 1n), { transforms: true })).not.toThrow();
  });

  it('in lanes', () => {
    const module = (facts: ReturnType<typeof laneFacts>, extended: boolean) =>
      laneModule('FqLanes', facts, extended ? -5n : undefined);
    refuses(() => module(laneFacts(field(600)), true), 'the terms of a column in lanes');
    refuses(() => module(laneFacts(field(254, 2n ** 258n + 1n)), false), 'a product of operands up to 4 p, in lanes');
    expect(() => module(laneFacts(field(381)), true)).not.toThrow();
  });

  it('in integer lanes', () => {
    const module = (of: FieldParameters, extended: boolean) =>
      integerLaneModule('./of-the-test', integerLaneFacts(of), extended ? -5n : undefined);
    refuses(() => module(field(740), true), 'a column of products in integer lanes');
    expect(() => module(field(740), false)).not.toThrow();
    refuses(() => module(field(254, 2n ** 258n + 1n), false), 'a product of operands up to 4 p, in integer lanes');
    expect(() => module(field(381), true)).not.toThrow();
  });

  it('with wide arithmetic', () => {
    refuses(() => wideFacts(field(254, 2n ** 254n + 1n)), 'sums of rows of products, 5 p,');
    expect(() => wideFacts(field(288))).toThrow('expected that an element has an even number of words');
    expect(() => wideFacts(field(253))).not.toThrow();
  });

  it('in lanes with transforms', () => {
    const scalars = { ...field(255), twoAdicity: 1, nonResidue: -1n };
    refuses(() => laneTransformModule('FrLanes', scalars), 'the highest limb of an element of a transform in lanes');
    expect(() => laneTransformModule('FrLanes', bn254.fr)).not.toThrow();
  });

  it('for the splitting of scalars', () => {
    const r = 2n ** 256n - 1n;
    const curve = { id: 'of_the_test', fr: { ...bn254.fr, modulus: r } };
    // Vectors of determinant -r that are too long for halves of 127 bits.
    const basis = [
      [1n, 2n ** 128n - 1n],
      [2n ** 128n, 2n ** 128n - 1n],
    ] as const;
    expect(basis[0][0] * -basis[1][1] + basis[0][1] * basis[1][0]).not.toBe(r);
    refuses(() => splitting(curve, basis), 'vectors of determinant -r');
    refuses(
      () =>
        splitting(curve, [
          [1n, 2n ** 128n],
          [2n ** 128n, -(r - 2n ** 256n)],
        ]),
      'halves of scalars with the bias of windows of 4 bits',
    );
  });

  it('for the splitting of scalars that have not 32 bytes', () => {
    const curve = { ...bn254, id: 'of_the_test', scalarBytes: 96 } as const;
    refuses(() => generateWasmEndomorphism(curve, ENDOMORPHISMS.bn254), 'scalars of 32 bytes to split');
  });

  it('for a pairing', () => {
    const changed = (pairing: Partial<NonNullable<typeof bn254.pairing>>) => () =>
      generateWasmPairing({ ...bn254, id: 'of_the_test', pairing: { ...bn254.pairing!, ...pairing } });
    refuses(changed({ parameter: 5n }), 'the p and r of the family bn');
    refuses(changed({ family: 'bls12' }), 'the p and r of the family bls12');
    refuses(changed({ twist: 'M' }), 'a twist of type M');
    const g2 = { ...bn254.g2!, nonResidue: -5n };
    refuses(() => generateWasmPairing({ ...bn254, id: 'of_the_test', g2 }), 'u^2 = -1 for the pairing, got -5');
  });

  it('with an error that names both', () => {
    expect(() => expectBound('a field', 'a sum', 2n ** 64n, 2n ** 64n)).toThrow(
      'a field: expected a sum below 2^64, got up to 2^64',
    );
    expect(() => expectBound('a field', 'a sum', 2n ** 64n - 1n, 2n ** 64n)).not.toThrow();
  });
});

describe('the table of exports', () => {
  it('has signatures that are read by their parts', () => {
    expect(parseSignature('f(): usize')).toEqual({ name: 'f', parameters: [], result: 'usize' });
    expect(parseSignature('f(a: usize, b: i32): void').parameters).toEqual([
      { name: 'a', type: 'usize' },
      { name: 'b', type: 'i32' },
    ]);
    for (const text of ['f', 'f()', 'f(a usize)']) expect(() => parseSignature(text)).toThrow('expected a signature');
  });
});

describe("package.json's exports of WASM", () => {
  const curves = Object.values(CURVES);
  const all = Object.fromEntries(
    curves
      .flatMap(({ id, transforms, pairing }) => [
        ...[id, `${id}-fma`, `${id}-simd`, `${id}-scalars`],
        ...(transforms?.inLanes ? [`${id}-scalars-fma`] : []),
        ...(transforms === undefined ? [] : [`${id}-elements`]),
        ...(pairing === undefined ? [] : [`${id}-roots`, `${id}-roots-fma`, `${id}-wide`]),
        ...(pairing === undefined ? [] : [`${id}-rows`, `${id}-rows-fma`, `${id}-rows-simd`]),
      ])
      .map((name) => [`./${name}.wasm`, `./dist/${name}.wasm`]),
  );

  it('are those of the registry', () => {
    const text = (exports: object): string => JSON.stringify({ exports });
    expect(packageExportFaults(text({ '.': './dist/index.js', ...all }), curves)).toEqual([]);
    const { './bn254-fma.wasm': _, ...less } = all;
    expect(packageExportFaults(text(less), curves)).toEqual([
      'package.json: expected the export "./bn254-fma.wasm": "./dist/bn254-fma.wasm"',
    ]);
    expect(packageExportFaults(text({ ...all, './bn128.wasm': './dist/bn128.wasm' }), curves)).toEqual([
      'package.json: expected no export "./bn128.wasm", for which there is no curve',
    ]);
  });
});
