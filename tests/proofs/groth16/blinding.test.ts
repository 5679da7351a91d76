import { afterAll, describe, expect, it } from 'vitest';
import type { Groth16Proof, Prover } from '../../../sdk/api/index.js';
import { bigintToBytes, equalBytes, joinBytes } from '../../../sdk/base/bytes.js';
import { bn254, SCALAR_BYTES } from '../../../sdk/curves/index.js';
import { encodePoint } from '../../../sdk/curves/point-bytes.js';
import { memorySource } from '../../../sdk/files/byte-source.js';
import { parseProof } from '../../../sdk/files/snarkjs/groth16-json.js';
import { KEY_CURVES } from '../../../sdk/files/snarkjs/known-curves.js';
import { readZkey } from '../../../sdk/files/snarkjs/zkey.js';
import { randomBlinding, wipeBlinding } from '../../../sdk/proofs/groth16/prove.js';
import { MAKING_TIMEOUT, snarkjsWitness, testCircuit } from '../../support/circuits.js';
import { endSnarkjs } from '../../support/example.js';
import { expectRandom, SAMPLES } from '../../support/expect-random.js';
import { inPlaceProver } from '../../support/in-place-prover.js';
import { loadKernel } from '../../support/wasm.js';

/** Proofs that are compared with each other. */
const PROOFS = 4;

/** A difference of blinding factors of 8 bits is found among so many. */
const SMALL = 2 ** 10;

const R = bn254.fr.modulus;

describe.each(KEY_CURVES)('the blinding of proofs over $id', ({ id, fr }) => {
  it('has two factors that are drawn for each proof, and for themselves', () => {
    const drawn = Array.from({ length: SAMPLES }, () => randomBlinding(id));
    // No factor is that of another proof, or the other of the same one.
    expectRandom(
      drawn.flatMap(({ r, s }) => [r, s]),
      fr.modulus,
    );
    // Nor do they differ by a fixed value, or by a small one.
    expectRandom(
      drawn.map(({ r, s }) => r.map((byte, i) => byte ^ s[i]!)),
      2n ** BigInt(fr.bits),
    );
  });

  it('is overwritten after use', () => {
    const blinding = randomBlinding(id);
    wipeBlinding(blinding);
    expect(blinding).toEqual({
      r: new Uint8Array(fr.bits > 256 ? 96 : 32),
      s: new Uint8Array(fr.bits > 256 ? 96 : 32),
    });
  });
});

/**
 * What proofs of one witness show: A - A' = (r - r') delta and B - B' = (s - s') delta. Whoever knows r and s can undo
 * the blinding, and test guesses of the witness.
 */
describe('proofs of one witness', () => {
  let prover: Prover | undefined;
  afterAll(async () => {
    await prover?.dispose();
    await endSnarkjs();
  });

  it(
    'are blinded by factors that are large, differ from proof to proof, and are independent of each other',
    async () => {
      const circuit = await testCircuit('chain');
      prover = await inPlaceProver({ backend: 'wasm', threads: 1 });
      const key = await prover.groth16.loadKey(circuit.zkey);
      const witness = await snarkjsWitness(circuit);
      const proofs: Groth16Proof[] = [];
      for (let i = 0; i < PROOFS; i++) proofs.push((await prover.groth16.prove(key, witness)).proof);

      const kernel = await loadKernel('bn254');
      const { delta1, delta2 } = (await readZkey(memorySource(circuit.zkey))).points;
      const pointsOf = proofs.map((proof) => {
        const { a, b } = parseProof(proof, 'bn254');
        return { g1: encodePoint('bn254', 'g1', [a!.x, a!.y]), g2: encodePoint('bn254', 'g2', [b!.x, b!.y]) };
      });
      const minus = joinBytes([1n, R - 1n].map((value) => bigintToBytes(value, SCALAR_BYTES)));
      const opposite = (point: Uint8Array): Promise<Uint8Array> =>
        Promise.resolve(kernel.combine({ group: 'g1', points: point, scalars: minus.slice(SCALAR_BYTES) }));
      const multiples = new Set<string>();
      for (let k = 0n; k < SMALL; k++) {
        const multiple = await kernel.combine({ group: 'g1', points: delta1, scalars: bigintToBytes(k, SCALAR_BYTES) });
        multiples.add(hex(multiple)).add(hex(await opposite(multiple)));
      }
      const minusDelta1 = await opposite(delta1);
      for (const [i, one] of pointsOf.entries()) {
        for (const other of pointsOf.slice(0, i)) {
          const difference = (group: 'g1' | 'g2') =>
            kernel.combine({ group, points: joinBytes([one[group], other[group]]), scalars: minus });
          const [ofA, ofB] = [await difference('g1'), await difference('g2')];
          expect(multiples.has(hex(ofA))).toBe(false);
          expect(equalBytes(ofB, new Uint8Array(ofB.length))).toBe(false);
          // e(A - A', delta) = e(delta, B - B') would mean that r - r' = s - s'.
          const g1 = joinBytes([ofA, minusDelta1]);
          expect(await kernel.pairingProductIsOne({ g1, g2: joinBytes([delta2, ofB]) })).toBe(false);
        }
      }
    },
    MAKING_TIMEOUT,
  );
});

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
