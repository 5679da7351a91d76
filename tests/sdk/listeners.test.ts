import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { example, exampleWtns } from '../support/example.js';
import { built } from '../support/in-process-engine.js';

/** Proves in a process of its own, which an exception that nobody catches would end; prints the public signals. */
const PROGRAM = `
import { createProver } from '${built('node.js')}';
const [zkey, wtns, how] = process.argv.slice(2);
let calls = 0;
const fail = () => {
  calls++;
  if (how === 'throw') throw new Error('a listener failed');
  return Promise.reject(new Error('a listener failed'));
};
// A file in the place of the cache's folder is a notice.
const prover = await createProver({ backend: 'wasm', threads: 1, cache: { directory: zkey }, onNotice: fail });
const key = await prover.groth16.loadKey(zkey, { onProgress: fail });
const { publicSignals } = await prover.groth16.prove(key, wtns, { onProgress: fail });
console.log(JSON.stringify({ publicSignals: publicSignals.length, calls }));
await prover.dispose();
`;

it.each(['throw', 'reject'])('a listener that fails (%s) fails neither the proof nor the process', async (how) => {
  const folder = await mkdtemp(join(tmpdir(), 'pippin-listeners-'));
  const wtns = join(folder, 'witness.wtns');
  await writeFile(wtns, await exampleWtns());
  const program = join(folder, 'program.mjs');
  await writeFile(program, PROGRAM);
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [program, example.zkeyPath, wtns, how]);
  await rm(folder, { recursive: true });
  const { publicSignals, calls } = JSON.parse(stdout);
  expect(publicSignals).toBeGreaterThan(0);
  expect(calls).toBeGreaterThan(20);
  // Once for onNotice, and once for onProgress of each of the two calls.
  expect(stderr.match(/expected on(Notice|Progress) not to fail/g)).toHaveLength(3);
});
