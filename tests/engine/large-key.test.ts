import { createHash } from 'node:crypto';
import { mkdtemp, open, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { Prover } from '../../sdk/api/index.js';
import { openNodeFile } from '../../sdk/files/node-file.js';
import { COEFFICIENT_BYTES } from '../../sdk/files/snarkjs/zkey.js';
import { MAKING_TIMEOUT, snarkjsWitness, type TestCircuit, testCircuit } from '../support/circuits.js';
import { endSnarkjs } from '../support/example.js';
import { inPlaceProver } from '../support/in-place-prover.js';
import { sectionsOf, withSection } from '../support/section-bytes.js';

/** Rows that say nothing: 0 times the constant, in a row of A. */
const EMPTY_ROWS = 300_000;

let folder: string;
let circuit: TestCircuit;
let zkey: Uint8Array;
let prover: Prover;
/** The lengths of all reads. */
let lengths: number[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pippin-large-'));
  circuit = await testCircuit('smallest');
  const rows = sectionsOf(circuit.zkey).find(([number]) => number === 4)![1];
  zkey = withSection(circuit.zkey, 4, () => {
    const section = new Uint8Array(rows.length + EMPTY_ROWS * COEFFICIENT_BYTES);
    section.set(rows);
    const view = new DataView(section.buffer);
    view.setUint32(0, view.getUint32(0, true) + EMPTY_ROWS, true);
    return section;
  });
  await writeFile(join(folder, 'c.zkey'), zkey);
  lengths = [];
  prover = await inPlaceProver(
    { backend: 'wasm', threads: 1 },
    {
      openFile: async (path) => {
        const file = await openNodeFile(String(path));
        return {
          ...file,
          read(offset, length) {
            lengths.push(length);
            return file.read(offset, length);
          },
        };
      },
    },
  );
}, MAKING_TIMEOUT);
afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(async () => {
  await prover.dispose();
  await rm(folder, { recursive: true });
  await endSnarkjs();
});

it('a key is read in pieces, each of which is told of', async () => {
  const path = join(folder, 'c.zkey');
  const sha256 = createHash('sha256').update(zkey).digest('hex');
  const told: string[] = [];
  const key = await prover.groth16.loadKey(path, {
    sha256,
    onProgress(event) {
      if (event.kind === 'progress') told.push(event.phase);
    },
  });
  const pieces = Math.floor((EMPTY_ROWS * COEFFICIENT_BYTES) / 2 ** 22);
  expect(pieces).toBeGreaterThan(2);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(2 ** 22);
  // While it is hashed, while its coefficients are counted, and while they go to the workers.
  for (const phase of ['hash', 'read', 'distribute']) {
    expect(told.filter((each) => each === phase).length, phase).toBeGreaterThanOrEqual(pieces);
  }
  const { proof, publicSignals } = await prover.groth16.prove(key, await snarkjsWitness(circuit));
  expect(await prover.groth16.verify(circuit.verificationKey, publicSignals, proof)).toBe(true);
  await key.dispose();
});

it('a wrong coefficient in a later piece is named by its number in the section', async () => {
  const rows = sectionsOf(zkey).find(([number]) => number === 4)![1];
  const row = EMPTY_ROWS - 1;
  for (const [word, message] of [
    [1, `coefficient ${row} to name matrix 0 or 1 and a constraint below`],
    [2, `coefficient ${row} of a signal below`],
  ] as const) {
    const wrong = withSection(zkey, 4, () => {
      const section = rows.slice();
      new DataView(section.buffer).setUint32(4 + row * COEFFICIENT_BYTES + 4 * word, 2 ** 31, true);
      return section;
    });
    const loading = prover.groth16.loadKey(wrong);
    await expect(loading).rejects.toMatchObject({ code: 'MALFORMED_FILE', message: expect.stringContaining(message) });
  }
});

it('Node is never asked for 2^31 bytes at a time, for which it ends the process', async () => {
  const path = join(folder, 'sparse');
  const size = 2 ** 31 + 10;
  await writeFile(path, '');
  await truncate(path, size);
  const handle = await open(path);
  await handle.close();
  const asked: number[] = [];
  // Nothing is read, so that the 2 GiB are never touched.
  vi.spyOn(Object.getPrototypeOf(handle), 'read').mockImplementation((async (
    _: unknown,
    __: unknown,
    length: number,
  ) => {
    asked.push(length);
    return { bytesRead: length };
  }) as never);
  const file = await openNodeFile(path);
  expect((await file.read(0, size)).length).toBe(size);
  await file.close();
  expect(Math.max(...asked)).toBeLessThan(2 ** 31);
  expect(asked.reduce((sum, length) => sum + length)).toBe(size);
});
