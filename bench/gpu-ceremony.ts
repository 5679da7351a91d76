import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NewKey } from '../sdk/ceremony/api.js';
import { compare } from './lib/measure.js';
import { writeRepeatedKey } from './lib/repeated-key.js';
import { BenchReport, numbersOption, textOption } from './lib/report.js';

/**
 * Contributions by a beacon to Groth16 keys over BN254 of 2^k rows, from file to file, on the GPU and on the workers in
 * turn: opening the device and its kernels, and starting workers, count. The points are those of the example's key, over
 * and over. All must write the same bytes.
 *
 * Options: `--sizes 16,18,20`, `--key FILE` (the key whose points are repeated), `--runs 3`.
 */
const { beacon }: typeof import('../sdk/ceremony-node.js') = await import(
  new URL('./gpu-ceremony/sdk/ceremony-node.js', import.meta.url).href
);
const runs = numbersOption('--runs', [3])[0]!;
const from = textOption('--key') ?? join('examples', 'groth16-commitment', 'key', 'note.zkey');
const report = new BenchReport('contributions on the GPU, BN254; times in ms, medians');
for (const log of numbersOption('--sizes', [16, 18, 20])) {
  const made = mkdtempSync(join(tmpdir(), 'pippin-bench-'));
  const [zkey, out] = [join(made, 'first.zkey'), join(made, 'made.zkey')];
  try {
    await writeRepeatedKey(from, zkey, log);
    const hashes = new Set<string>();
    const contenders = (['webgpu', 'wasm'] as const).map((backend) => ({
      name: backend,
      run: () => beacon(zkey, { hash: '01', iterations: 10, to: out, backend }),
      check: (result: unknown) => {
        if ((result as NewKey).backend !== backend) throw new Error(`expected ${backend} to be used`);
        hashes.add(createHash('sha256').update(readFileSync(out)).digest('hex'));
        if (hashes.size > 1) throw new Error('expected the same key from GPU and workers');
      },
    }));
    report.add(`contribution, 2^${log} rows`, await compare(contenders, runs));
  } finally {
    rmSync(made, { recursive: true });
  }
}
report.finish();
process.exit();
