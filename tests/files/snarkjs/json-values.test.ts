import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bn254 } from '../../../sdk/curves/index.js';
import { encodePoint } from '../../../sdk/curves/point-bytes.js';
import { parseProof, proofToJson } from '../../../sdk/files/snarkjs/groth16-json.js';
import { g2PointToJson, pointToJson } from '../../../sdk/files/snarkjs/json-values.js';
import { protocolNamedIn } from '../../../sdk/files/snarkjs/named-protocol.js';
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

describe('the proof system that JSON names', () => {
  it.each(['groth16', 'plonk', 'fflonk'])('is %s', (protocol) => {
    expect(protocolNamedIn({ protocol }, 'a proof')).toBe(protocol);
  });

  it('is Groth16 where it names none', () => {
    expect(protocolNamedIn({}, 'a proof')).toBe('groth16');
  });

  it('must be one that snarkjs has', async () => {
    expect(await failureOf(() => protocolNamedIn({ protocol: 'marlin' }, 'a proof'))).toMatchObject({
      code: 'UNSUPPORTED_FORMAT',
      message: 'expected a proof of groth16, plonk or fflonk, got marlin',
    });
    expect((await failureOf(() => protocolNamedIn('groth16', 'a proof'))).code).toBe('MALFORMED_FILE');
  });
});
