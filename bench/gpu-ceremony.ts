import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compare } from './lib/measure.js';
import { writeRepeatedKey } from './lib/repeated-key.js';
import { BenchReport, numbersOption, textOption } from './lib/report.js';

/**
 * Ceremonies over BN254, from file to file, on the GPU and on the workers in turn: opening the device and its kernels,
 * and starting workers, count. All must write the same bytes.
 *
 * - Contributions by a beacon to Groth16 keys of 2^k rows, with the points of the example's key repeated.
 * - The preparation for phase 2 of 2^k powers of tau.
 *
 * Options: `--sizes 16,18,20` (of keys), `--powers 12` (logarithms of the numbers of powers), either 0 for none, `--key
 * FILE` (the key whose points are repeated), `--backends webgpu,wasm`, `--runs 3`, `--before FOLDER` (another version,
 * which is measured in turn with this one: what this bench has built there, build/bench/gpu-ceremony/sdk).
 */
type Ceremony = typeof import('../sdk/ceremony-node.js');
type Backend = 'webgpu' | 'wasm';
type Work = (
  ceremony: Ceremony,
  options: { readonly to: string; readonly backend: Backend },
) => Promise<{ readonly backend: Backend }>;

const load = (folder: URL): Promise<Ceremony> => import(new URL('ceremony-node.js', folder).href);
const ceremony = await load(new URL('./gpu-ceremony/sdk/', import.meta.url));
const folderBefore = textOption('--before');
const before = folderBefore === undefined ? undefined : await load(pathToFileURL(`${resolve(folderBefore)}/`));
const { addBeaconToPowersOfTau, newPowersOfTau } = ceremony;

const BEACON = { hash: '01', iterations: 10 };
const runs = numbersOption('--runs', [3])[0]!;
const backends = (textOption('--backends') ?? 'webgpu,wasm').split(',') as Backend[];
const report = new BenchReport('ceremonies on the GPU, BN254; times in ms, medians');
const folder = mkdtempSync(join(tmpdir(), 'pippin-bench-'));
const [first, given, out] = ['first', 'given', 'made'].map((name) => join(folder, name)) as [string, string, string];
try {
  const example = textOption('--key') ?? join('examples', 'groth16-commitment', 'key', 'note.zkey');
  for (const log of numbersOption('--sizes', [16, 18, 20]).filter((log) => log > 0)) {
    await writeRepeatedKey(example, given, log);
    await measure(`contribution, 2^${log} rows`, ({ beacon }, options) => beacon(given, { ...BEACON, ...options }));
  }
  for (const log of numbersOption('--powers', [12]).filter((log) => log > 0)) {
    await newPowersOfTau({ curve: 'bn254', power: log, to: first });
    await addBeaconToPowersOfTau(first, { ...BEACON, to: given });
    await measure(`preparation, 2^${log} powers`, (version, options) => version.preparePowersOfTau(given, options));
  }
} finally {
  rmSync(folder, { recursive: true });
}
report.finish();
process.exit();

async function measure(title: string, work: Work): Promise<void> {
  const hashes = new Set<string>();
  const versions = [
    { version: ceremony, name: '' },
    ...(before === undefined ? [] : [{ version: before, name: ' before' }]),
  ];
  const of = versions.flatMap(({ version, name }) => backends.map((backend) => ({ version, name, backend })));
  const contenders = of.map(({ version, name, backend }) => ({
    name: `${backend}${name}`,
    run: () => work(version, { to: out, backend }),
    check: (made: unknown) => {
      if ((made as { backend: Backend }).backend !== backend) throw new Error(`expected ${backend} to be used`);
      hashes.add(createHash('sha256').update(readFileSync(out)).digest('hex'));
      if (hashes.size > 1) throw new Error('expected the same bytes from GPU and workers');
    },
  }));
  report.add(title, await compare(contenders, runs));
}
