import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Groth16Proof } from '../../../sdk/api/index.js';
import { bigintToBytes, joinBytes } from '../../../sdk/base/bytes.js';
import { CURVES, pointBytes } from '../../../sdk/curves/index.js';
import { encodePoint } from '../../../sdk/curves/point-bytes.js';
import { memorySource } from '../../../sdk/files/byte-source.js';
import {
  curveOfVerificationKey,
  parseProof,
  proofToJson,
  verificationKeyToJson,
} from '../../../sdk/files/snarkjs/groth16-json.js';
import { parsePublicSignals } from '../../../sdk/files/snarkjs/json-values.js';
import { KEY_CURVES } from '../../../sdk/files/snarkjs/known-curves.js';
import { readWtns } from '../../../sdk/files/snarkjs/wtns.js';
import { readZkey } from '../../../sdk/files/snarkjs/zkey.js';
import { calculateWitness } from '../../../sdk/files/witness/witness-calculator.js';
import { chainOver, MAKING_TIMEOUT, snarkjsProof, snarkjsWitness, type TestCircuit } from '../../support/circuits.js';
import { endSnarkjsOver } from '../../support/example.js';
import { failureOf, patched, withSection } from '../../support/section-bytes.js';
import { verifyProof } from '../../support/verify-proof.js';
import { loadKernel } from '../../support/wasm.js';

/** The files of every curve that has Groth16, of whichever are in the registry. */
describe.each(KEY_CURVES.map(({ id }) => id))('the files of snarkjs over %s', (curve) => {
  const { coordinateBytes, fq, fr } = CURVES[curve];
  let circuit: TestCircuit;
  beforeAll(async () => {
    circuit = await chainOver(curve);
  }, MAKING_TIMEOUT);
  afterAll(() => endSnarkjsOver(curve));

  it('give the key, with the verification key that snarkjs exports', async () => {
    const key = await readZkey(memorySource(circuit.zkey));
    expect(key.curve).toBe(curve);
    expect(curveOfVerificationKey(circuit.verificationKey)).toBe(curve);
    const alphaBeta = joinBytes(
      circuit.verificationKey.vk_alphabeta_12!.flat(2).map((value) => bigintToBytes(BigInt(value), coordinateBytes)),
    );
    expect(JSON.stringify(verificationKeyToJson(curve, key.points, alphaBeta))).toBe(
      JSON.stringify(circuit.verificationKey),
    );
    for (const { group, count, bytes } of Object.values(key.vectors)) {
      expect(bytes.size).toBe(count * pointBytes(curve, group));
    }
  });

  it('are refused with a point off its curve or a coordinate that is not below p', async () => {
    const at = 2 * 4 + coordinateBytes + 32 + 12;
    const [g1, g2] = [pointBytes(curve, 'g1'), pointBytes(curve, 'g2')];
    for (const [point, offset] of [
      ['alpha1', at],
      ['beta2', at + 2 * g1],
      ['gamma2', at + 2 * g1 + g2],
      ['delta2', at + 3 * g1 + 2 * g2],
    ] as const) {
      for (const bytes of [bigintToBytes(5n, coordinateBytes), bigintToBytes(fq.modulus, coordinateBytes)]) {
        const bad = withSection(circuit.zkey, 2, (header) => patched(header, offset, bytes));
        const { code, message } = await failureOf(() => readZkey(memorySource(bad)));
        expect(code).toBe('INVALID_POINT');
        expect(message).toContain(point);
      }
    }
  });

  it('give the witness, which the circuit gives too', async () => {
    const { facts } = await readZkey(memorySource(circuit.zkey));
    const witness = await readWtns(memorySource(await snarkjsWitness(circuit)), { curve, variables: facts.variables });
    const module = await WebAssembly.compile(circuit.wasm as Uint8Array<ArrayBuffer>);
    expect(await calculateWitness(module, circuit.inputs, curve)).toEqual(witness);
    for (const other of KEY_CURVES.filter(({ id }) => id !== curve)) {
      const wtns = await snarkjsWitness(circuit);
      const failures = [
        await failureOf(() => readWtns(memorySource(wtns), { curve: other.id, variables: facts.variables })),
        await failureOf(() => calculateWitness(module, circuit.inputs, other.id)),
      ];
      expect(failures.map(({ code }) => code)).toEqual(['CURVE_MISMATCH', 'CURVE_MISMATCH']);
    }
  });

  it('give proofs, which verify, and no others', async () => {
    const { proof, publicSignals } = await snarkjsProof(circuit);
    const { a, b, c } = parseProof(proof, curve);
    const again = proofToJson(
      curve,
      encodePoint(curve, 'g1', [a!.x, a!.y]),
      encodePoint(curve, 'g2', [b!.x, b!.y]),
      encodePoint(curve, 'g1', [c!.x, c!.y]),
    );
    expect(again).toEqual(proof);
    expect(parsePublicSignals(publicSignals, curve)).toEqual(publicSignals.map(BigInt));
    expect(parsePublicSignals([String(fr.modulus)], curve)).toBeUndefined();

    const kernel = await loadKernel(curve);
    const verifies = (signals: readonly string[], candidate: Groth16Proof): Promise<boolean> =>
      verifyProof(kernel, circuit.verificationKey, signals, candidate);
    expect(await verifies(publicSignals, proof)).toBe(true);
    expect(await verifies(publicSignals.with(0, '1'), proof)).toBe(false);
    expect(await verifies(publicSignals, { ...proof, pi_a: proof.pi_c, pi_c: proof.pi_a })).toBe(false);
    expect(await verifies(publicSignals, { ...proof, pi_c: ['1', '1', '1'] })).toBe(false);
  });
});
