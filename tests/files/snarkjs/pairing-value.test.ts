import { beforeAll, describe, expect, it } from 'vitest';
import { memorySource } from '../../../sdk/files/byte-source.js';
import { verificationKeyToJson } from '../../../sdk/files/snarkjs/groth16-json.js';
import { KEY_CURVES } from '../../../sdk/files/snarkjs/known-curves.js';
import { pairingValue } from '../../../sdk/files/snarkjs/pairing-value.js';
import { readZkey } from '../../../sdk/files/snarkjs/zkey.js';
import { chainOver, MAKING_TIMEOUT, type TestCircuit } from '../../support/circuits.js';
import { failureOf } from '../../support/section-bytes.js';
import { loadKernel } from '../../support/wasm.js';

describe.each(KEY_CURVES.map(({ id }) => id))('pairingValue over %s', (curve) => {
  let circuit: TestCircuit;
  beforeAll(async () => {
    circuit = await chainOver(curve);
  }, MAKING_TIMEOUT);

  it("is the vk_alphabeta_12 of snarkjs' verification key", async () => {
    const { points } = await readZkey(memorySource(circuit.zkey));
    const value = pairingValue(curve, points.alpha1, points.beta2);
    expect(verificationKeyToJson(curve, points, value)).toEqual(circuit.verificationKey);
  });

  it('is what the kernel computes for other points', async () => {
    const { points } = await readZkey(memorySource(circuit.zkey));
    const kernel = await loadKernel(curve);
    const [g1, g2] = [points.ic[1]!, points.delta2];
    expect(pairingValue(curve, g1, g2)).toEqual(await kernel.pairing({ g1, g2 }));
  });
});

it('refuses a curve without a pairing', async () => {
  const { code } = await failureOf(() => pairingValue('mnt4-753', new Uint8Array(192), new Uint8Array(384)));
  expect(code).toBe('CURVE_MISMATCH');
});
