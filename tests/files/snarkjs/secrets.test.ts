import { beforeAll, describe, expect, it } from 'vitest';
import type { CircuitInputs } from '../../../sdk/api/index.js';
import { bigintToBytes, joinBytes } from '../../../sdk/base/bytes.js';
import { PippinError } from '../../../sdk/base/errors.js';
import { ScalarCheck } from '../../../sdk/bases/scalar-bits.js';
import { bn254 } from '../../../sdk/curves/index.js';
import { memorySource } from '../../../sdk/files/byte-source.js';
import { checkedWitness } from '../../../sdk/files/snarkjs/witness-values.js';
import { readWtns } from '../../../sdk/files/snarkjs/wtns.js';
import { flattenInputs, plainInputs } from '../../../sdk/files/witness/circuit-inputs.js';
import { calculateWitness } from '../../../sdk/files/witness/witness-calculator.js';
import { circom1Module } from '../../support/circom1-module.js';
import { MAKING_TIMEOUT, snarkjsWitness, testCircuit, witnessWasm } from '../../support/circuits.js';
import { patched, withSection } from '../../support/section-bytes.js';

const r = bn254.fr.modulus;

/** A secret and another one, which errors must not show in any notation. */
const SECRET = 918_273_645_546_372_819n;
const OTHER = 192_837_465_564_738_291n;
const MARKS = [SECRET, OTHER, r - SECRET, r + SECRET, SECRET - r].flatMap((value) => [
  String(value).replace('-', ''),
  value.toString(16).replace('-', ''),
]);
const WORD = 'c0ffee-not-a-number';

/** All that an error tells: its message, hint and stack, and those of what caused it. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const hint = error instanceof PippinError ? error.hint : '';
  return [error.message, hint, error.stack, error.cause === undefined ? '' : textOf(error.cause)].join('\n');
}

/** That the call fails with a typed error that shows no secret. */
async function expectDiscreet(call: () => unknown): Promise<void> {
  const failure = await Promise.resolve()
    .then(call)
    .then(
      () => undefined,
      (error: unknown) => error,
    );
  expect(failure).toBeInstanceOf(PippinError);
  const text = textOf(failure).toLowerCase();
  for (const mark of [...MARKS, WORD]) expect(text).not.toContain(mark);
}

describe('errors show no secret', () => {
  it('from inputs of wrong types', async () => {
    const wrong: unknown[] = [
      `${SECRET}x`,
      `0x${SECRET.toString(16)}.`,
      WORD,
      Symbol(WORD),
      () => WORD,
      { x: WORD },
      [WORD],
      Number(`0.${SECRET}`),
    ];
    for (const value of wrong) {
      for (const inputs of [{ key: value }, { key: [[value]] }, { key: { x: value } }]) {
        for (const strict of [false, true]) {
          await expectDiscreet(() => flattenInputs(inputs as CircuitInputs, r, strict));
        }
      }
    }
    for (const value of [Symbol(WORD), () => WORD]) {
      await expectDiscreet(() => plainInputs({ key: value } as unknown as CircuitInputs));
    }
    for (const inputs of [WORD, SECRET, [SECRET], Symbol(WORD)]) {
      await expectDiscreet(() => flattenInputs(inputs as unknown as CircuitInputs, r));
      await expectDiscreet(() => plainInputs(inputs as unknown as CircuitInputs));
    }
  });

  it('from inputs out of range, where these are refused', async () => {
    for (const value of [
      r + SECRET,
      String(r + SECRET),
      SECRET - r,
      String(SECRET - r),
      Number(SECRET),
      ` ${SECRET}`,
    ]) {
      await expectDiscreet(() => flattenInputs({ key: [value] }, r, true));
    }
  });

  describe('from a circuit', () => {
    let chain: WebAssembly.Module;
    let flags: WebAssembly.Module;
    let circom1: WebAssembly.Module;
    beforeAll(async () => {
      await testCircuit('chain');
      [chain, flags, circom1] = await Promise.all([witnessWasm('chain'), witnessWasm('flags'), circom1Module()]);
    }, MAKING_TIMEOUT);

    it.each<[string, () => WebAssembly.Module, CircuitInputs]>([
      ['a value too many', () => chain, { start: [SECRET, OTHER], factor: 2, offset: 3 }],
      ['a value missing', () => chain, { start: SECRET, factor: OTHER }],
      ['an unknown input', () => chain, { start: SECRET, factor: 2, offset: 3, colour: OTHER }],
      ['a broken constraint', () => flags, { values: [SECRET, OTHER, 0, 0, 0, 0], bound: 9 }],
      ['a failed assertion', () => flags, { values: [1, 2, 3, 0, 0, 0], bound: SECRET }],
      ['an unknown input of circom 1', () => circom1, { a: SECRET, c: OTHER }],
      ['values too many of circom 1', () => circom1, { a: SECRET, b: [OTHER, OTHER, OTHER] }],
      ['a broken constraint of circom 1', () => circom1, { a: 1, b: [SECRET, OTHER] }],
    ])('by %s', async (_, module, inputs) => {
      await expectDiscreet(() => calculateWitness(module(), inputs, 'bn254'));
    });

    it('whose messages are not of the form that circom gives them', async () => {
      const { wasm, inputs } = await testCircuit('flags');
      const at = Buffer.from(wasm).indexOf('Error in template Num2Bits');
      const mark = new TextEncoder().encode(String(SECRET));
      const module = await WebAssembly.compile(patched(wasm, at, mark) as Uint8Array<ArrayBuffer>);
      await expectDiscreet(() => calculateWitness(module, { ...inputs, values: [1, 2, 65536, 0, 0, 0] }, 'bn254'));
    });
  });

  it('from a witness or scalars', async () => {
    const values = joinBytes([SECRET, OTHER].map((value) => bigintToBytes(value, 32)));
    const beyond = joinBytes([1n, r + SECRET].map((value) => bigintToBytes(value, 32)));
    await expectDiscreet(() => checkedWitness(values.slice(), { curve: 'bn254', variables: 2 }));
    await expectDiscreet(() => checkedWitness(values.slice(), { curve: 'bn254', variables: 3 }));
    await expectDiscreet(() => checkedWitness(beyond.slice(), { curve: 'bn254', variables: 2 }));
    await expectDiscreet(() => new ScalarCheck('bn254', beyond, 2).upTo());
    const wtns = await snarkjsWitness(await testCircuit('chain'));
    for (const [index, value] of [
      [0, SECRET],
      [3, r + SECRET],
    ] as const) {
      const changed = withSection(wtns, 2, (body) => patched(body, index * 32, bigintToBytes(value, 32)));
      await expectDiscreet(() => readWtns(memorySource(changed), { curve: 'bn254', variables: 25 }));
    }
  });
});
