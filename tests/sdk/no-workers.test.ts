import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Groth16Key, Prover } from '../../sdk/api/index.js';
import { bn254 } from '../../sdk/curves/index.js';
import { endSnarkjs, example, snarkjsVerifies } from '../support/example.js';
import { encodePoints, multipleOf } from '../support/points.js';
import { createProver } from '../support/prover.js';

/** `threads: 0` in the built package, in Node: everything on this thread. */

let prover: Prover;
let key: Groth16Key;
beforeAll(async () => {
  prover = await createProver({ threads: 0, backend: 'wasm', cache: false });
  key = await prover.groth16.loadKey(example.zkeyPath);
});
afterAll(async () => {
  await prover?.dispose();
  await endSnarkjs();
});

describe('without workers', () => {
  it('says so', () => {
    expect(prover.capabilities).toMatchObject({ threads: 0, backend: 'wasm' });
  });

  it('proves, and lets the thread do other things meanwhile', async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    const done: number[] = [];
    const { proof, publicSignals } = await prover.groth16.fullProve(key, example.inputs, example.wasmPath, {
      onProgress: (event) => event.kind === 'progress' && done.push(event.done / event.total),
    });
    clearInterval(timer);
    expect(await snarkjsVerifies(publicSignals, proof)).toBe(true);
    expect(turns).toBeGreaterThan(3);
    expect(done.length).toBeGreaterThan(3);
  });

  it('an abort arrives in the middle of a proof, and the next one works', async () => {
    const controller = new AbortController();
    const proving = prover.groth16.fullProve(key, example.inputs, example.wasmPath, {
      signal: controller.signal,
      onProgress: (event) => event.kind === 'progress' && event.phase === 'msm' && controller.abort(),
    });
    await expect(proving).rejects.toMatchObject({ code: 'ABORTED' });
    const { proof, publicSignals } = await prover.groth16.fullProve(key, example.inputs, example.wasmPath);
    expect(await prover.groth16.verify(key.verificationKey, publicSignals, proof)).toBe(true);
  });

  it('a prover can be disposed of while it works', async () => {
    const other = await createProver({ threads: 0, backend: 'wasm', cache: false });
    const points = encodePoints(
      bn254,
      Array.from({ length: 256 }, (_, i) => multipleOf(bn254, BigInt(i + 1))),
    );
    const loading = other.loadBases({ curve: 'bn254', points });
    const ended = expect(loading).rejects.toMatchObject({ code: 'DISPOSED' });
    await other.dispose();
    await ended;
  });
});
