import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Multiples } from '../../bench/cpu/setup/multiples.js';
import { preparedPtauFile } from '../../bench/cpu/setup/ptau-file.js';
import { root } from './root.js';

/**
 * Writes powers of tau for 2^power over BN254, prepared for phase 2, to a path: seconds where a ceremony takes minutes.
 */
export async function writePreparedPowers(power: number, path: string): Promise<void> {
  const multiples = await Multiples.create(await readFile(join(root, 'dist', 'bn254.wasm')));
  await writeFile(path, preparedPtauFile(power, multiples));
}

/** Runs `work` with the path of such a file, which is removed afterwards. */
export async function withPreparedPowers(power: number, work: (path: string) => Promise<unknown>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'pippin-powers-'));
  try {
    const path = join(folder, 'powers.ptau');
    await writePreparedPowers(power, path);
    await work(path);
  } finally {
    await rm(folder, { recursive: true });
  }
}
