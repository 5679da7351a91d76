import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as snarkjs from 'snarkjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Multiples } from '../../../bench/cpu/setup/multiples.js';
import { plonkChain } from '../../../bench/plonk/chain.js';
import { makeFflonkKey } from '../../../bench/plonk/make-fflonk-key.js';
import { makePlonkKey } from '../../../bench/plonk/make-plonk-key.js';
import { permutationValues } from '../../../bench/plonk/permutation.js';
import { bytesToBigint } from '../../../sdk/base/bytes.js';
import { bn254, SCALAR_BYTES } from '../../../sdk/curves/index.js';
import { memorySource } from '../../../sdk/files/byte-source.js';
import { fflonkVerificationKeyToJson } from '../../../sdk/files/snarkjs/fflonk-json.js';
import { readFflonkZkey } from '../../../sdk/files/snarkjs/fflonk-zkey.js';
import { plonkVerificationKeyToJson } from '../../../sdk/files/snarkjs/plonk-json.js';
import { readPlonkZkey } from '../../../sdk/files/snarkjs/plonk-zkey.js';
import { endSnarkjsOver } from '../../support/example.js';
import { wiresOf } from '../../support/plonk-reference.js';
import { loadKernel } from '../../support/wasm.js';

const R = bn254.fr.modulus;
/** Bytes of a .wtns file before its values. */
const WTNS_HEADER = 76;

let multiples: Multiples;
beforeAll(async () => {
  multiples = await Multiples.create(readFileSync(join(import.meta.dirname, '../../../dist/bn254.wasm')));
});
afterAll(() => endSnarkjsOver('bn254'));

function valuesOf(wtns: Uint8Array): bigint[] {
  const count = (wtns.length - WTNS_HEADER) / SCALAR_BYTES;
  return Array.from({ length: count }, (_, i) => bytesToBigint(wtns, WTNS_HEADER + i * SCALAR_BYTES, SCALAR_BYTES));
}

describe.each([3, 4, 5, 8])('a chain of 2^%i gates', (log) => {
  const { circuit, witness } = plonkChain(log);
  const makeKey = async () => makePlonkKey(circuit, await loadKernel('bn254'), multiples);

  it('fills the domain but for three gates', () => {
    expect(circuit.gates).toHaveLength(2 ** log - 3);
    expect(valuesOf(witness)).toHaveLength(circuit.variables);
  });

  it('has a witness that satisfies its gates', async () => {
    const values = valuesOf(witness);
    const key = await readPlonkZkey(memorySource(await makeKey()));
    const [a, b, c] = await wiresOf(bn254, key, values);
    for (const [i, { qm, ql, qr, qo, qc }] of circuit.gates.entries()) {
      const publicInput = i < circuit.publicSignals ? -values[i + 1]! : 0n;
      const sum = qm * a[i]! * b[i]! + ql * a[i]! + qr * b[i]! + qo * c[i]! + publicInput + qc;
      expect(sum % R).toBe(0n);
    }
  });

  it('permutes the points of its wires', () => {
    const values = permutationValues(circuit).flat();
    expect(new Set(values).size).toBe(3 * 2 ** log);
    expect(new Set(permutationValues(circuit, 2).flat())).toEqual(new Set(values));
  });

  it('has a PLONK key whose proof by snarkjs snarkjs accepts, and the verification key that it exports', async () => {
    const zkey = await makeKey();
    const verificationKey = await snarkjs.zKey.exportVerificationKey({ type: 'mem', data: zkey });
    const ours = plonkVerificationKeyToJson(await readPlonkZkey(memorySource(zkey)));
    expect(JSON.parse(JSON.stringify(verificationKey))).toEqual(ours);
    const { proof, publicSignals } = await snarkjs.plonk.prove(zkey, witness);
    expect(publicSignals).toEqual(valuesOf(witness).slice(1, 4).map(String));
    expect(await snarkjs.plonk.verify(verificationKey, publicSignals, proof)).toBe(true);
  });

  it('has an FFLONK key whose proof by snarkjs snarkjs accepts, and the verification key that it exports', async () => {
    const zkey = await makeFflonkKey(circuit, await loadKernel('bn254'), multiples);
    const verificationKey = await snarkjs.zKey.exportVerificationKey({ type: 'mem', data: zkey });
    const ours = fflonkVerificationKeyToJson(await readFflonkZkey(memorySource(zkey)));
    expect(JSON.parse(JSON.stringify(verificationKey))).toEqual(ours);
    const { proof, publicSignals } = await snarkjs.fflonk.prove(zkey, witness);
    expect(publicSignals).toEqual(valuesOf(witness).slice(1, 4).map(String));
    expect(await snarkjs.fflonk.verify(verificationKey as never, publicSignals, proof as never)).toBe(true);
  });
});
