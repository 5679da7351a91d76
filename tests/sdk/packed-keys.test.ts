import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as snarkjs from 'snarkjs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Prover } from '../../sdk/api/index.js';
import {
  chainOver,
  fflonkCircuit,
  MAKING_TIMEOUT,
  plonkCircuit,
  type TestCircuit,
  testCircuit,
} from '../support/circuits.js';
import { endSnarkjs } from '../support/example.js';
import { inPlaceProver } from '../support/in-place-prover.js';
import { packed } from '../support/packed-keys.js';

let prover: Prover;
const start = async (options: Parameters<typeof inPlaceProver>[0] = {}): Promise<Prover> => {
  prover = await inPlaceProver({ backend: 'wasm', threads: 2, ...options });
  return prover;
};
afterEach(() => prover?.dispose());
afterAll(endSnarkjs);

describe.each([true, false])('a packed key, with points as x and a sign: %s', (isCompressed) => {
  it.each([
    ['BN254', () => testCircuit('hash')],
    ['BLS12-381', () => chainOver('bls12-381')],
  ] as const)(
    'of Groth16 over %s proves as its .zkey does',
    async (_, circuitOf) => {
      const circuit = await circuitOf();
      const { groth16 } = await start();
      const key = await groth16.loadKey(await packed(circuit.zkey, isCompressed), {
        verificationKey: circuit.verificationKey,
      });
      expect(key.verificationKey).toEqual(circuit.verificationKey);
      const { proof, publicSignals } = await groth16.fullProve(key, circuit.inputs, circuit.wasm);
      expect(await snarkjs.groth16.verify(circuit.verificationKey, publicSignals, proof)).toBe(true);
    },
    MAKING_TIMEOUT,
  );

  it('of PLONK and FFLONK as well', async () => {
    const { plonk, fflonk } = await start();
    const ofPlonk = await plonkCircuit('chain');
    const plonkKey = await plonk.loadKey(await packed(ofPlonk.zkey, isCompressed));
    const one = await plonk.fullProve(plonkKey, ofPlonk.inputs, ofPlonk.wasm);
    expect(await snarkjs.plonk.verify(ofPlonk.verificationKey, one.publicSignals, one.proof)).toBe(true);
    const ofFflonk = await fflonkCircuit('chain');
    const fflonkKey = await fflonk.loadKey(await packed(ofFflonk.zkey, isCompressed));
    const other = await fflonk.fullProve(fflonkKey, ofFflonk.inputs, ofFflonk.wasm);
    expect(await snarkjs.fflonk.verify(ofFflonk.verificationKey, other.publicSignals, other.proof)).toBe(true);
  });
});

describe('a packed key', () => {
  let circuit: TestCircuit;
  let bytes: Uint8Array<ArrayBuffer>;
  let folder: string;
  beforeAll(async () => {
    circuit = await testCircuit('flags');
    bytes = await packed(circuit.zkey);
    folder = await mkdtemp(join(tmpdir(), 'pippin-packed-'));
  }, MAKING_TIMEOUT);
  afterAll(() => rm(folder, { recursive: true }));

  it('is loaded from bytes, a Blob and a path, pinned by the SHA-256 of its own bytes, and from the cache', async () => {
    const path = join(folder, 'flags.pzkey');
    await writeFile(path, bytes);
    const { groth16 } = await start({ cache: { directory: join(folder, 'cache') } });
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const cached: boolean[] = [];
    for (const source of [bytes, new Blob([bytes]), path]) {
      const key = await prover.loadKey(source, { sha256 });
      if (key.protocol !== 'groth16') throw new Error(`expected a key of Groth16, got ${key.protocol}`);
      cached.push(key.report.cached === true);
      const { proof, publicSignals } = await groth16.fullProve(key, circuit.inputs, circuit.wasm);
      expect(await groth16.verify(circuit.verificationKey, publicSignals, proof)).toBe(true);
      await key.dispose();
      await prover.cacheWritten();
    }
    expect(cached.at(-1)).toBe(true);
    const original = createHash('sha256').update(circuit.zkey).digest('hex');
    await expect(prover.loadKey(bytes, { sha256: original })).rejects.toMatchObject({ code: 'KEY_MISMATCH' });
  });

  it('is refused where a byte of it has changed, or its end is missing', async () => {
    await start();
    for (const at of [20, 60, 700, 2000, bytes.length - 600]) {
      const damaged = bytes.slice();
      damaged[at]! ^= 1;
      await expect(prover.loadKey(damaged)).rejects.toMatchObject({ code: 'MALFORMED_FILE' });
    }
    await expect(prover.loadKey(bytes.subarray(0, bytes.length - 1))).rejects.toMatchObject({ code: 'MALFORMED_FILE' });
  });
});
