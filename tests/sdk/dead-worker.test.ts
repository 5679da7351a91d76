import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { endSnarkjs, example, exampleWtns, snarkjsVerifies } from '../support/example.js';
import { built } from '../support/in-process-engine.js';
import { createProver } from '../support/prover.js';

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
    const kernel = join(folder, 'kernel.mjs');
    // The kernel worker's own script, and beside it the death of the first worker that finds the order to die.
    await writeFile(
      kernel,
      `import { rmSync } from 'node:fs';
     setInterval(() => { try { rmSync(${JSON.stringify(order)}); process.exit(3); } catch {} }, 1);
     await import(${JSON.stringify(built('kernel-node.js'))});`,
    );
    const wtns = await exampleWtns();
    const prover = await createProver({
      backend: 'wasm',
      threads: 2,
      cache: false,
      assets: { kernel: pathToFileURL(kernel) },
    });
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
