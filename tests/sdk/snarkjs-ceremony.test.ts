import * as snarkjs from 'snarkjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as Alias from '../../sdk/snarkjs-node.js';
import { firstKey } from '../ceremony/first-key.js';
import {
  chainOver,
  circuitFile,
  fflonkCircuit,
  MAKING_TIMEOUT,
  plonkCircuit,
  snarkjsWitness,
} from '../support/circuits.js';
import { endSnarkjs } from '../support/example.js';
import { built } from '../support/in-process-engine.js';

let alias: typeof Alias;
beforeAll(async () => {
  alias = await import(/* @vite-ignore */ built('snarkjs-node.js'));
}, MAKING_TIMEOUT);
afterAll(endSnarkjs);

describe.each(['bn254', 'bls12-381'] as const)('zKey of the alias, over %s', (curve) => {
  it('contributes, adds a beacon and verifies as snarkjs does, and both prove with the key', async () => {
    const { ptau, r1cs, zkey: first } = await firstKey(curve);
    const again: snarkjs.MemoryFile = { type: 'mem' };
    const circuitHash = await alias.zKey.newZKey(r1cs, ptau, again);
    expect(Buffer.from(first).equals(again.data!)).toBe(true);
    expect(circuitHash).toEqual(new Uint8Array(first.slice(-68, -4)));
    const one: snarkjs.MemoryFile = { type: 'mem' };
    await alias.zKey.contribute(first, one, 'Ada', 'some text');
    const [ours, theirs]: snarkjs.MemoryFile[] = [{ type: 'mem' }, { type: 'mem' }];
    const lines: string[][] = [[], []];
    const logger = (of: number) => ({
      info: (line: string) => lines[of]!.push(line),
      debug: () => {},
      error: () => {},
    });
    const hashes = [
      await alias.zKey.beacon(one.data!, ours!, 'Final', '0a0b', 10, logger(0)),
      await snarkjs.zKey.beacon(one.data!, theirs!, 'Final', '0a0b', 10, logger(1)),
    ];
    expect(hashes[0]).toEqual(new Uint8Array(hashes[1]!));
    const zkey = new Uint8Array(ours!.data!);
    expect(Buffer.from(zkey).equals(theirs!.data!)).toBe(true);
    expect(await alias.zKey.verifyFromInit(first, ptau, zkey, logger(0))).toBe(true);
    expect(await snarkjs.zKey.verifyFromInit(first, ptau, zkey, logger(1))).toBe(true);
    expect(lines[0]).toEqual(lines[1]);
    const told = lines[0]!.splice(0);
    expect(await alias.zKey.verifyFromR1cs(r1cs, ptau, zkey, logger(0))).toBe(true);
    expect(await snarkjs.zKey.verifyFromR1cs(r1cs, ptau, zkey)).toBe(true);
    expect(told.slice(-lines[0]!.length)).toEqual(lines[0]);
    expect(await alias.zKey.verifyFromR1cs(r1cs, ptau, first)).toBe(true);
    expect(await alias.zKey.verifyFromInit(first, ptau, first)).toBe(true);
    expect(await alias.zKey.verifyFromInit(zkey, ptau, zkey)).toBe(false);

    const witness = await snarkjsWitness(await chainOver(curve));
    const verificationKey = await alias.zKey.exportVerificationKey(zkey);
    const proofs = [await alias.groth16.prove(zkey, witness), await snarkjs.groth16.prove(zkey, witness)];
    for (const { proof, publicSignals } of proofs) {
      expect(await alias.groth16.verify(verificationKey, publicSignals as string[], proof as never)).toBe(true);
      expect(await snarkjs.groth16.verify(verificationKey, publicSignals as string[], proof)).toBe(true);
    }
  });
});

it('plonk.setup and fflonk.setup of the alias write what snarkjs writes', async () => {
  const [r1cs, ptau] = [await circuitFile('chain.r1cs'), await circuitFile('pot9.ptau')];
  const lines: string[] = [];
  const logger = { info: (line: string) => lines.push(line) };
  const [ofPlonk, ofFflonk]: snarkjs.MemoryFile[] = [{ type: 'mem' }, { type: 'mem' }];
  expect(await alias.plonk.setup(r1cs, ptau, ofPlonk!, logger)).toBeUndefined();
  expect(lines).toEqual(['Reading r1cs', 'Plonk constraints: 43', 'Setup Finished']);
  expect(await alias.fflonk.setup(r1cs, ptau, ofFflonk!)).toBe(0);
  expect((await plonkCircuit('chain')).zkey).toEqual(new Uint8Array(ofPlonk!.data!));
  expect((await fflonkCircuit('chain')).zkey).toEqual(new Uint8Array(ofFflonk!.data!));
  const tooSmall = await circuitFile('pot5.ptau');
  await expect(alias.plonk.setup(r1cs, tooSmall, { type: 'mem' })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
});
