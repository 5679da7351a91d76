import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import * as snarkjs from 'snarkjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bigintToBytes, bytesToBigint, joinBytes } from '../../../sdk/base/bytes.js';
import { bn254 } from '../../../sdk/curves/index.js';
import { type ByteSource, memorySource, SLICE_BYTES } from '../../../sdk/files/byte-source.js';
import { type R1cs, readR1cs } from '../../../sdk/files/snarkjs/r1cs.js';
import { circuitFile, MAKING_TIMEOUT, testCircuit } from '../../support/circuits.js';
import { endSnarkjs } from '../../support/example.js';
import { referenceR1cs, type Term } from '../../support/r1cs-reference.js';
import { failureOf, sectionFile, u32, withSection } from '../../support/section-bytes.js';

const R = bn254.fr.modulus;
/** A wire and a coefficient of BN254's field. */
const TERM_BYTES = 4 + 32;
const GOLDILOCKS = 2n ** 64n - 2n ** 32n + 1n;

type Sums = readonly [a: readonly Term[], b: readonly Term[], c: readonly Term[]];

interface Drawn {
  readonly prime?: bigint;
  readonly elementBytes?: number;
  readonly wires?: number;
  readonly publicOutputs?: number;
  readonly publicInputs?: number;
  readonly labels?: bigint;
  readonly constraints?: readonly Sums[];
  /** What the header says, if it is not the number of those. */
  readonly count?: number;
}

function headerBytes(drawn: Drawn): Uint8Array {
  const { prime = R, elementBytes = 32, wires = 8, publicOutputs = 1, publicInputs = 2, labels = 9n } = drawn;
  const { constraints = [], count = constraints.length } = drawn;
  const field = [u32(elementBytes), bigintToBytes(prime, elementBytes)];
  return joinBytes([
    ...field,
    ...[wires, publicOutputs, publicInputs, 3].map(u32),
    bigintToBytes(labels, 8),
    u32(count),
  ]);
}

function sumBytes(terms: readonly Term[], elementBytes: number): Uint8Array {
  return joinBytes([u32(terms.length), ...terms.flatMap(([wire, k]) => [u32(wire), bigintToBytes(k, elementBytes)])]);
}

function fileOf(drawn: Drawn): Uint8Array {
  const { constraints = [], elementBytes = 32 } = drawn;
  const sums = constraints.flat().map((sum) => sumBytes(sum, elementBytes));
  return sectionFile('r1cs', 1, [
    [2, joinBytes(sums)],
    [1, headerBytes(drawn)],
  ]);
}

async function constraintsOf(source: Uint8Array | ByteSource): Promise<Sums[]> {
  const r1cs = await readR1cs(source instanceof Uint8Array ? memorySource(source) : source);
  const all: Sums[] = [];
  for await (const [a, b, c] of r1cs.constraints()) all.push([[...a], [...b], [...c]]);
  expect(await visitedTerms(r1cs)).toEqual(all);
  return all;
}

/** The same, as the terms are visited. */
async function visitedTerms({ header, visitTerms }: R1cs): Promise<Term[][][]> {
  const all: Term[][][] = [];
  const reading = visitTerms(({ row, matrix, count, at, view }) => {
    expect([row, matrix]).toEqual(
      all.at(-1)?.length === 3 || all.length === 0 ? [all.length, 0] : [all.length - 1, all.at(-1)!.length],
    );
    if (matrix === 0) all.push([]);
    const termBytes = 4 + header.elementBytes;
    const bytes = new Uint8Array(view.buffer, view.byteOffset + at, count * termBytes);
    all[row]!.push(
      Array.from({ length: count }, (_, i) => [
        view.getUint32(at + i * termBytes, true),
        bytesToBigint(bytes, i * termBytes + 4, header.elementBytes),
      ]),
    );
  });
  for await (const _ of reading) expect(all.length).toBeLessThanOrEqual(header.constraints);
  return all;
}

describe('readR1cs', () => {
  beforeAll(async () => {
    await testCircuit('chain');
  }, MAKING_TIMEOUT);
  afterAll(endSnarkjs);

  it.each(['smallest', 'chain', 'matrix', 'flags', 'bls12381/chain'])(
    'reads %s as the reference does',
    async (name) => {
      const file = new Uint8Array(readFileSync(await circuitFile(`${name}.r1cs`)));
      const { header } = await readR1cs(memorySource(file));
      const { constraints, ...expected } = referenceR1cs(file)!;
      expect(header).toEqual({ ...expected, constraints: constraints!.length });
      expect(await constraintsOf(file)).toEqual(constraints);
      const { nVars, nConstraints } = await snarkjs.r1cs.info(await circuitFile(`${name}.r1cs`));
      expect([header.wires, header.constraints]).toEqual([nVars, nConstraints]);
    },
  );

  it('reads constraints over a small field and over BN254', async () => {
    const fields = [
      { prime: 3n, elementBytes: 8 },
      { prime: GOLDILOCKS, elementBytes: 8 },
      { prime: R, elementBytes: 32 },
    ] as const;
    const wires = 2 ** 32 - 1;
    const sum = (prime: bigint) =>
      fc.uniqueArray(
        fc.tuple(fc.nat(wires - 1), fc.oneof(fc.bigInt(0n, prime - 1n), fc.constantFrom(0n, 1n, prime - 1n))),
        { selector: ([wire]) => wire, maxLength: 5 },
      );
    const drawn = fc.constantFrom(...fields).chain(({ prime, elementBytes }) =>
      fc.record({
        prime: fc.constant(prime),
        elementBytes: fc.constant(elementBytes),
        wires: fc.constant(wires),
        constraints: fc.array(fc.tuple(sum(prime), sum(prime), sum(prime)), { maxLength: 6 }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(drawn, async (one) => {
        expect(await constraintsOf(fileOf(one))).toEqual(one.constraints);
      }),
      { numRuns: 50 },
    );
  });

  it('reads a sum that is longer than a slice, and holds no more than it', async () => {
    const terms = Math.ceil(SLICE_BYTES / TERM_BYTES) + 1;
    const bytes = new Uint8Array(4 + terms * TERM_BYTES);
    const view = new DataView(bytes.buffer);
    view.setUint32(0, terms, true);
    for (let wire = 0; wire < terms; wire++) view.setUint32(4 + wire * TERM_BYTES, wire, true);
    bytes[bytes.length - 32] = 7;
    const one = sumBytes([[3, 5n]], 32);
    const file = sectionFile('r1cs', 1, [
      [1, headerBytes({ wires: terms, count: 2 })],
      [2, joinBytes([one, bytes, u32(0), u32(0), one, one])],
    ]);
    const memory = memorySource(file);
    const reads: number[] = [];
    const counted: ByteSource = {
      size: memory.size,
      read(offset, length) {
        reads.push(length);
        return memory.read(offset, length);
      },
    };
    const [[a, b, c], second] = (await constraintsOf(counted)) as [Sums, Sums];
    expect([a, b.length, b[1], b.at(-1), c]).toEqual([[[3, 5n]], terms, [1, 0n], [terms - 1, 7n], []]);
    expect(second).toEqual([[], [[3, 5n]], [[3, 5n]]]);
    // `constraints` reads the number of terms apart.
    expect(reads.filter((length) => length > SLICE_BYTES)).toEqual([terms * TERM_BYTES, 4 + terms * TERM_BYTES]);
  });

  const one: Sums = [[[0, 1n]], [[1, R - 1n]], []];
  it.each<[string, Drawn, string]>([
    [
      'a wire that is none',
      { constraints: [one, [[], [[8, 1n]], []]] },
      'expected wires below 8 in the .r1cs, got wire 8',
    ],
    [
      'a wire twice in a sum',
      {
        constraints: [
          [
            [
              [3, 1n],
              [3, 2n],
            ],
            [],
            [],
          ],
        ],
      },
      'expected each wire once in a sum',
    ],
    ['a coefficient that is the prime', { constraints: [[[[3, R]], [], []]] }, 'expected coefficients below the prime'],
    ['more constraints than are there', { constraints: [one], count: 2 }, 'got a section that ends before them'],
    ['far more constraints', { constraints: [one], count: 2 ** 32 - 1 }, 'got a section that ends before them'],
    ['fewer constraints than are there', { constraints: [one, one], count: 1 }, 'got 84 further bytes'],
  ])('refuses %s', async (_, drawn, message) => {
    const failure = await failureOf(() => constraintsOf(fileOf(drawn)));
    expect(failure).toMatchObject({ code: 'MALFORMED_FILE', message: expect.stringContaining(message) });
  });

  it('reads constraints without terms, of which each has 12 bytes', async () => {
    expect(await constraintsOf(fileOf({ constraints: [[[], [], []]] }))).toEqual([[[], [], []]]);
  });

  it('refuses more constraints than can be there before it gives the first', async () => {
    const none: Sums = [[], [], []];
    const r1cs = await readR1cs(memorySource(fileOf({ constraints: [none, none], count: 3 })));
    const failure = await failureOf(() => r1cs.constraints().next());
    expect(failure.message).toContain('got a section that ends before them');
  });

  it('reads a circuit whose wires are all public', async () => {
    const { header } = await readR1cs(memorySource(fileOf({ wires: 4, publicOutputs: 1, publicInputs: 2 })));
    expect(header.wires).toBe(4);
  });

  it.each([
    { sections: [], hasCustomGates: false },
    { sections: [4], hasCustomGates: false },
    { sections: [5], hasCustomGates: false },
    { sections: [4, 5], hasCustomGates: true },
    { sections: [5, 6], hasCustomGates: false },
  ])('has custom gates where it has sections 4 and 5: $sections', async ({ sections, hasCustomGates }) => {
    const others = sections.map((id): [number, Uint8Array] => [id, u32(0)]);
    const file = sectionFile('r1cs', 1, [[1, headerBytes({})], [2, new Uint8Array()], ...others]);
    expect((await readR1cs(memorySource(file))).header.hasCustomGates).toBe(hasCustomGates);
  });

  it('reads a modulus one bit longer than a word, and a number of labels of 53 bits', async () => {
    const [prime, labels] = [2n ** 64n + 13n, 2n ** 52n + 2n ** 40n + 5n];
    const { header } = await readR1cs(memorySource(fileOf({ prime, elementBytes: 16, labels })));
    expect(header).toMatchObject({ prime, elementBytes: 16, labels: Number(labels) });
  });

  it('refuses a header that is too short or too long', async () => {
    for (const change of [
      (body: Uint8Array) => body.subarray(0, -1),
      (body: Uint8Array) => joinBytes([body, new Uint8Array(1)]),
    ]) {
      const failure = await failureOf(() => readR1cs(memorySource(withSection(fileOf({}), 1, change))));
      expect(failure).toMatchObject({ code: 'MALFORMED_FILE', message: expect.stringContaining('a header of 64') });
    }
  });

  it('refuses another version', async () => {
    const file = sectionFile('r1cs', 2, [
      [1, headerBytes({})],
      [2, new Uint8Array()],
    ]);
    const failure = await failureOf(() => readR1cs(memorySource(file)));
    expect(failure).toMatchObject({ code: 'UNSUPPORTED_FORMAT', message: 'expected .r1cs version 1, got 2' });
  });

  it.each<[string, Drawn, string]>([
    ['an even modulus', { prime: R - 1n }, 'expected an odd modulus above 2'],
    ['the modulus 1', { prime: 1n, elementBytes: 8 }, 'expected an odd modulus above 2'],
    ['elements of more bytes than circom writes', { elementBytes: 40 }, 'expected a modulus of 32 bytes'],
    ['elements of odd bytes', { prime: 3n, elementBytes: 1 }, 'expected a modulus of 8 bytes'],
    ['more public signals than wires', { publicOutputs: 6 }, 'expected at least 9 wires'],
    [
      'counts that overflow 32 bits',
      { publicOutputs: 2 ** 32 - 1, publicInputs: 8 },
      'expected at least 4294967304 wires',
    ],
    ['labels beyond 2^53', { labels: 2n ** 53n }, 'expected a number of labels below 2^53'],
  ])('refuses a header with %s', async (_, drawn, message) => {
    const failure = await failureOf(() => readR1cs(memorySource(fileOf(drawn))));
    expect(failure).toMatchObject({ code: 'MALFORMED_FILE', message: expect.stringContaining(message) });
  });

  it('refuses one byte after the last constraint', async () => {
    const file = withSection(fileOf({ constraints: [one] }), 2, (body) => joinBytes([body, new Uint8Array(1)]));
    expect((await failureOf(() => constraintsOf(file))).message).toContain('got 1 further bytes');
  });

  it('refuses a number of terms beyond the section, at once', async () => {
    const file = withSection(fileOf({ constraints: [one] }), 2, (body) => joinBytes([u32(2 ** 32 - 1), body.slice(4)]));
    expect((await failureOf(() => constraintsOf(file))).message).toContain('got a section that ends before them');
  });
});
