import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { bigintToBytes, joinBytes } from '../../../sdk/base/bytes.js';
import { bn254 } from '../../../sdk/curves/index.js';
import { encodePoint } from '../../../sdk/curves/point-bytes.js';
import { memorySource } from '../../../sdk/files/byte-source.js';
import { parseProof } from '../../../sdk/files/snarkjs/parse-proof.js';
import {
  g2PointToJson,
  pointToJson,
  proofToJson,
  verificationKeyToJson,
} from '../../../sdk/files/snarkjs/proof-json.js';
import { readZkey } from '../../../sdk/files/snarkjs/zkey.js';
import { MAKING_TIMEOUT, type TestCircuit, testCircuit } from '../../support/circuits.js';
import { failureOf } from '../../support/section-bytes.js';

const p = bn254.fq.modulus;
describe('points as JSON', () => {
  it('goes forth and back', () => {
    const coordinate = fc.bigInt(1n, p - 1n);
    fc.assert(
      fc.property(fc.array(coordinate, { minLength: 8, maxLength: 8 }), (v) => {
        const [a, b, c] = [
          encodePoint('bn254', 'g1', [v[0]!, v[1]!]),
          encodePoint('bn254', 'g2', [
            [v[2]!, v[3]!],
            [v[4]!, v[5]!],
          ]),
          encodePoint('bn254', 'g1', [v[6]!, v[7]!]),
        ];
        const json = JSON.parse(JSON.stringify(proofToJson('bn254', a, b, c)));
        expect(parseProof(json, 'bn254')).toEqual({
          a: { x: v[0], y: v[1] },
          b: { x: [v[2], v[3]], y: [v[4], v[5]] },
          c: { x: v[6], y: v[7] },
        });
      }),
    );
  });

  it('writes infinity as snarkjs does', () => {
    const [g1, g2] = [pointToJson('bn254', new Uint8Array(64)), g2PointToJson('bn254', new Uint8Array(128))];
    expect(g1).toEqual(['0', '1', '0']);
    expect(g2).toEqual([
      ['0', '0'],
      ['1', '0'],
      ['0', '0'],
    ]);
  });
});

describe('verificationKeyToJson', () => {
  let circuit: TestCircuit;
  beforeAll(async () => {
    circuit = await testCircuit('chain');
  }, MAKING_TIMEOUT);

  /** What the pairing of alpha and beta gives, taken from the key that snarkjs exports. */
  const alphaBeta = (): Uint8Array =>
    joinBytes(circuit.verificationKey.vk_alphabeta_12!.flat(2).map((value) => bigintToBytes(BigInt(value), 32)));

  it('writes what snarkjs exports, member by member in its order', async () => {
    const { curve, points } = await readZkey(memorySource(circuit.zkey));
    expect(JSON.stringify(verificationKeyToJson(curve, points, alphaBeta()))).toBe(
      JSON.stringify(circuit.verificationKey),
    );
  });

  it('refuses a pairing value of another length, and a curve that snarkjs does not have', async () => {
    const { points } = await readZkey(memorySource(circuit.zkey));
    const short = alphaBeta().subarray(1);
    expect((await failureOf(() => verificationKeyToJson('bn254', points, short))).code).toBe('INTERNAL');
    expect((await failureOf(() => verificationKeyToJson('bls12-377', points))).code).toBe('CURVE_MISMATCH');
  });
});
