import { beforeAll, describe, expect, it } from 'vitest';
import { bigintToBytes, bytesToBigint, joinBytes } from '../../../sdk/base/bytes.js';
import { bls12377, bn254 } from '../../../sdk/curves/index.js';
import { memorySource } from '../../../sdk/files/byte-source.js';
import { checkedWitness } from '../../../sdk/files/snarkjs/witness-values.js';
import { readWtns, wtnsInPlace, wtnsValues } from '../../../sdk/files/snarkjs/wtns.js';
import { SharedCopies } from '../../../sdk/hosts/prover/shared-copies.js';
import { MAKING_TIMEOUT, snarkjsWitness, testCircuit } from '../../support/circuits.js';
import { failureOf, patched, sectionFile, sectionsOf, u32, withSection } from '../../support/section-bytes.js';

const COUNT = 25;
const r = bn254.fr.modulus;
let wtns: Uint8Array;
beforeAll(async () => {
  wtns = await snarkjsWitness(await testCircuit('chain'));
}, MAKING_TIMEOUT);

const expected = (variables = COUNT) => ({ curve: 'bn254', variables }) as const;
const read = (bytes: Uint8Array, variables = COUNT) => readWtns(memorySource(bytes), expected(variables));
const withValue = (index: number, value: bigint) =>
  withSection(wtns, 2, (body) => patched(body, index * 32, bigintToBytes(value, 32)));

describe('a .wtns', () => {
  it('gives its values', async () => {
    const values = await read(wtns);
    expect(values.length).toBe(COUNT * 32);
    expect(bytesToBigint(values, 0, 32)).toBe(1n);
    // The output, then the public input.
    expect(bytesToBigint(values, 64, 32)).toBe(0x1fn);
    expect(values).toEqual(sectionsOf(wtns)[1]![1]);
  });

  it('in memory is read where it is, or copied', async () => {
    const file = wtns.slice();
    const values = await wtnsInPlace(file, expected());
    expect(values.buffer).toBe(file.buffer);
    expect(values).toEqual(await read(file));
    expect((await read(file)).buffer).not.toBe(file.buffer);
    // Refused values belong to the reader.
    const wrong = withValue(0, 2n);
    const kept = wrong.slice();
    expect((await failureOf(() => read(wrong))).code).toBe('MALFORMED_FILE');
    expect(wrong).toEqual(kept);
    expect((await failureOf(() => wtnsInPlace(wrong, expected()))).code).toBe('MALFORMED_FILE');
    expect(wrong.subarray(-32)).toEqual(new Uint8Array(32));
  });

  it('that is still being copied is read when it is there', async () => {
    const { copy, fill } = new SharedCopies().begin(wtns);
    const reading = wtnsInPlace(copy, expected());
    fill();
    expect((await reading).slice()).toEqual(await read(wtns));
  });

  it('of version 1 is read, others are not', async () => {
    expect(await read(patched(wtns, 4, u32(1)))).toEqual(await read(wtns));
    for (const version of [0, 3]) {
      expect((await failureOf(() => read(patched(wtns, 4, u32(version))))).code).toBe('UNSUPPORTED_FORMAT');
    }
  });

  it('over another field is refused by name', async () => {
    const other = withSection(wtns, 1, (body) => patched(body, 4, bigintToBytes(bls12377.fr.modulus, 32)));
    expect(await failureOf(() => read(other))).toMatchObject({
      code: 'CURVE_MISMATCH',
      message: expect.stringContaining("BLS12-377's scalar field"),
    });
    const goldilocks = withSection(wtns, 1, () =>
      joinBytes([u32(8), bigintToBytes(2n ** 64n - 2n ** 32n + 1n, 8), u32(COUNT)]),
    );
    expect(await failureOf(() => read(goldilocks))).toMatchObject({
      code: 'CURVE_MISMATCH',
      message: expect.stringContaining('Goldilocks'),
    });
  });

  it('whose modulus is written in another size than its values is refused', async () => {
    const wide = withSection(wtns, 1, (body) =>
      joinBytes([u32(40), body.subarray(4, 36), new Uint8Array(8), body.subarray(36)]),
    );
    expect(await failureOf(() => read(wide))).toMatchObject({
      code: 'MALFORMED_FILE',
      message: expect.stringContaining('a modulus of 32 bytes'),
    });
  });

  it('of another length than the key wants is refused', async () => {
    for (const variables of [0, COUNT - 1, COUNT + 1]) {
      const { code, message } = await failureOf(() => read(wtns, variables));
      expect(code).toBe('INVALID_LENGTH');
      expect(message).toContain(`${variables} values`);
      expect(message).toContain(`got ${COUNT}`);
    }
  });

  it('of any length has values where no key says how many', async () => {
    expect((await wtnsValues(memorySource(wtns), 'bn254', undefined)).size).toBe(COUNT * 32);
  });

  it.each([
    ['is empty', () => new Uint8Array(0)],
    ['is cut short', () => wtns.subarray(0, wtns.length - 1)],
    ['has no values', () => sectionFile('wtns', 2, sectionsOf(wtns).slice(0, 1))],
    ['has no header', () => sectionFile('wtns', 2, sectionsOf(wtns).slice(1))],
    ['has an empty header', () => withSection(wtns, 1, () => new Uint8Array(0))],
    ['has a header cut short', () => withSection(wtns, 1, (body) => body.subarray(0, 39))],
    ['has a header too long', () => withSection(wtns, 1, (body) => joinBytes([body, new Uint8Array(1)]))],
    ['has a modulus of 2^32 - 1 bytes', () => withSection(wtns, 1, (body) => patched(body, 0, u32(2 ** 32 - 1)))],
    ['has fewer values than it says', () => withSection(wtns, 2, (body) => body.subarray(32))],
    ['has more values than it says', () => withSection(wtns, 2, (body) => joinBytes([body, body.subarray(0, 32)]))],
    ['does not begin with one', () => withValue(0, 2n)],
  ])('that %s is malformed', async (_, make) => {
    expect((await failureOf(() => read(make()))).code).toBe('MALFORMED_FILE');
  });

  it.each([0, 7, COUNT - 1])('with value %i not below r is refused', async (index) => {
    for (const value of [r, r + 1n, 2n ** 256n - 1n]) {
      const { code, message } = await failureOf(() => read(withValue(index, value)));
      expect(code).toBe('INVALID_SCALAR');
      expect(message).toContain(` ${index} `);
    }
    if (index > 0) expect(bytesToBigint(await read(withValue(index, r - 1n)), index * 32, 32)).toBe(r - 1n);
  });
});

describe('checkedWitness', () => {
  it.each([false, true])('checks what did not come from a file, in constant time: %s', async (constantWork) => {
    const values = await read(wtns);
    const check = (bytes: Uint8Array, variables = COUNT) =>
      checkedWitness(bytes, { ...expected(variables), constantWork });
    expect(await check(values)).toBe(values);
    expect(values[0]).toBe(1);
    expect((await failureOf(() => check(values.slice(), COUNT + 1))).code).toBe('INVALID_LENGTH');
    expect((await failureOf(() => check(values.with(0, 0)))).code).toBe('MALFORMED_FILE');
    for (const index of [1, COUNT - 1]) {
      const beyond = patched(values, index * 32, bigintToBytes(r, 32));
      const { code, message } = await failureOf(() => check(beyond));
      expect([code, message]).toEqual(['INVALID_SCALAR', expect.stringContaining(` ${index} `)]);
    }
  });

  it('overwrites values that are refused', async () => {
    const values = await read(wtns);
    await failureOf(() => checkedWitness(values, expected(COUNT + 1)));
    expect(values.every((byte) => byte === 0)).toBe(true);
  });

  it.each([2 ** 13 - 1, 2 ** 13, 2 ** 14 + 1])('waits for %i values that are still being copied', async (variables) => {
    const bytes = new Uint8Array(variables * 32);
    bytes[0] = 1;
    bytes[bytes.length - 32] = 5;
    const { copy, fill } = new SharedCopies().begin(bytes);
    const checking = checkedWitness(copy, expected(variables));
    expect(await Promise.race([checking, new Promise((resolve) => setTimeout(resolve, 20, 'waits'))])).toBe('waits');
    fill();
    expect(await checking).toBe(copy);
  });
});
