import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Prover } from '../../sdk/api/index.js';
import { snarkjsWitness } from '../support/circuits.js';
import { endSnarkjs, example, exampleWtns, snarkjsVerifies } from '../support/example.js';
import { built } from '../support/in-process-engine.js';
import { createProver } from '../support/prover.js';
import { UNIVERSAL_SYSTEMS } from '../support/universal-systems.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pippin-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await endSnarkjs();
});

it.each([
  { source: 'a file', read: () => example.zkeyPath },
  { source: 'bytes', read: () => new Uint8Array(readFileSync(example.zkeyPath)) },
  { source: 'a Blob', read: () => new Blob([readFileSync(example.zkeyPath)]) },
])(
  'finishes a proof although a kernel worker dies in the middle of it, the key given as $source',
  async ({ read }) => {
    const order = join(folder, 'die');
    const wtns = await exampleWtns();
    const prover = await proverThatLosesAWorker(order);
    try {
      const key = await prover.groth16.loadKey(read(), { transfer: true });
      let ordered = false;
      const { proof, publicSignals } = await prover.groth16.prove(key, wtns, {
        onProgress: (event) => {
          if (event.kind !== 'progress' || event.done < 0.2 * event.total || ordered) return;
          ordered = true;
          writeFileSync(order, '');
        },
      });
      expect(ordered).toBe(true);
      expect(existsSync(order)).toBe(false);
      expect(await snarkjsVerifies(publicSignals, proof)).toBe(true);
    } finally {
      await prover.dispose();
    }
  },
  15 * 60_000,
);

it.each(UNIVERSAL_SYSTEMS)(
  'finishes a proof of $protocol although a kernel worker dies in the middle of it',
  async ({ of, circuitOf, snarkjsVerifies }) => {
    const circuit = await circuitOf('chain');
    const witness = await snarkjsWitness(circuit);
    const order = join(folder, 'die');
    const prover = await proverThatLosesAWorker(order);
    try {
      const key = await of(prover).loadKey(circuit.zkey);
      for (const share of [0.1, 0.3, 0.6]) {
        let ordered = false;
        const made = await of(prover).prove(key, witness, {
          onProgress: (event) => {
            if (event.kind !== 'progress' || event.done < share * event.total || ordered) return;
            ordered = true;
            writeFileSync(order, '');
          },
        });
        expect(ordered).toBe(true);
        await expect.poll(() => existsSync(order)).toBe(false);
        expect(await snarkjsVerifies(circuit.verificationKey, made)).toBe(true);
      }
    } finally {
      await prover.dispose();
    }
  },
  15 * 60_000,
);

/**
 * A prover of two workers with the kernel worker's own script, and beside it the death of the first worker that finds
 * the order to die.
 */
async function proverThatLosesAWorker(order: string): Promise<Prover> {
  const kernel = join(folder, 'kernel.mjs');
  await writeFile(
    kernel,
    `import { rmSync } from 'node:fs';
     setInterval(() => { try { rmSync(${JSON.stringify(order)}); process.exit(3); } catch {} }, 1);
     await import(${JSON.stringify(built('kernel-node.js'))});`,
  );
  return createProver({ backend: 'wasm', threads: 2, cache: false, assets: { kernel: pathToFileURL(kernel) } });
}

describe('a prover whose scripts are missing', () => {
  const missing = 'file:///no/such/script.js';

  it('fails every call typed and at once when it is the kernel, also long after the start', async () => {
    const prover = await createProver({ backend: 'wasm', threads: 2, cache: false, assets: { kernel: missing } });
    try {
      const failure = { code: 'WORKER_FAILED', message: expect.stringContaining(missing), hint: expect.any(String) };
      await expect(prover.groth16.loadKey(example.zkeyPath)).rejects.toMatchObject(failure);
      await new Promise((resolve) => setTimeout(resolve, 3000));
      await expect(prover.groth16.loadKey(example.zkeyPath)).rejects.toMatchObject(failure);
      const points = new Uint8Array(64);
      await expect(prover.loadBases({ curve: 'bn254', points })).rejects.toMatchObject(failure);
      await expect(prover.loadBases({ curve: 'bls12-377', points: new Uint8Array(96) })).rejects.toMatchObject(failure);
    } finally {
      await prover.dispose();
    }
  }, 60_000);

  it('fails the call that comes long after the start', async () => {
    const prover = await createProver({ backend: 'wasm', threads: 1, cache: false, assets: { kernel: missing } });
    try {
      await new Promise((resolve) => setTimeout(resolve, 3000));
      await expect(prover.groth16.loadKey(example.zkeyPath)).rejects.toMatchObject({ code: 'WORKER_FAILED' });
    } finally {
      await prover.dispose();
    }
  }, 60_000);

  it('does not start when it is the coordinator', async () => {
    await expect(createProver({ assets: { coordinator: missing } })).rejects.toMatchObject({
      code: 'WORKER_FAILED',
      message: expect.stringContaining(missing),
    });
  });

  it('fails fullProve when it is the witness worker', async () => {
    const prover = await createProver({ backend: 'wasm', threads: 1, cache: false, assets: { witness: missing } });
    try {
      const key = await prover.groth16.loadKey(example.zkeyPath);
      for (let i = 0; i < 2; i++) {
        const proving = prover.groth16.fullProve(key, { secret: 1 }, built('bn254.wasm'));
        await expect(proving).rejects.toMatchObject({
          code: 'WORKER_FAILED',
          message: expect.stringContaining(missing),
        });
      }
    } finally {
      await prover.dispose();
    }
  }, 60_000);
});
