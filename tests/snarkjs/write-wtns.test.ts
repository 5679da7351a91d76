import { expect, it } from 'vitest';
import { SCALAR_BYTES } from '../../sdk/curves/index.js';
import { memorySource } from '../../sdk/io/byte-source.js';
import { GROTH16_CURVES } from '../../sdk/snarkjs/known-curves.js';
import { writeWtns } from '../../sdk/snarkjs/write-wtns.js';
import { readWtns } from '../../sdk/snarkjs/wtns.js';
import { chainOver, MAKING_TIMEOUT, snarkjsWitness } from '../support/circuits.js';
import { endSnarkjsOver } from '../support/example.js';
import { sectionsOf } from '../support/section-bytes.js';

it.each(GROTH16_CURVES)("writes snarkjs' bytes over $id", { timeout: MAKING_TIMEOUT }, async ({ id }) => {
  const expected = await snarkjsWitness(await chainOver(id));
  await endSnarkjsOver(id);
  expect(writeWtns(sectionsOf(expected)[1]![1], id)).toEqual(new Uint8Array(expected));
});

it('writes a witness of the constant alone', async () => {
  const values = new Uint8Array(SCALAR_BYTES);
  values[0] = 1;
  expect(await readWtns(memorySource(writeWtns(values, 'bn254')), 'bn254', 1)).toEqual(values);
});
