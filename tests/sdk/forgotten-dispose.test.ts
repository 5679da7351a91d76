import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAKING_TIMEOUT, snarkjsWitness, testCircuit } from '../support/circuits.js';
import { endSnarkjs } from '../support/example.js';
import { built } from '../support/in-process-engine.js';
import { root } from '../support/root.js';

/** How long the program may take to end by itself; it is far longer than it needs. */
const PATIENCE_MS = 120_000;

interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

let folder: string;
const files: string[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pippin-forgotten-'));
  const circuit = await testCircuit('smallest');
  files.push(join(folder, 'key.zkey'), join(folder, 'witness.wtns'));
  await writeFile(files[0]!, circuit.zkey);
  await writeFile(files[1]!, await snarkjsWitness(circuit));
}, MAKING_TIMEOUT);
afterAll(async () => {
  await rm(folder, { recursive: true });
  await endSnarkjs();
});

/** Runs the program that forgets to dispose its prover, and waits until it ends by itself. */
function run(how: string, env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const args = [`${root}/tests/support/forgetful-process.mjs`, built('node.js'), ...files, how];
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  let output = '';
  let errors = '';
  child.stdout.on('data', (data) => {
    output += data;
  });
  child.stderr.on('data', (data) => {
    errors += data;
  });
  return new Promise((resolve) => {
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code, output: output.trim(), errors });
    });
  });
}

describe('a program that never disposes its prover', () => {
  it.each([
    ['only started', 'started'],
    ['proved', 'proved 0 false'],
    ['proved after a pause', 'proved 0 false'],
    ['aborted', 'ABORTED'],
    ['failed', 'IO_FAILED'],
    // Where the machine has no adapter the GPU is not opened, and the program must end as well.
    ['with a GPU', 'proved 0 false'],
    ['without workers', 'proved 0 false'],
  ])('ends by itself, and without a failure: %s', async (how, output) => {
    expect(await run(how)).toMatchObject({ code: 0, output });
  });

  it('ends when its cache is written', async () => {
    const cache = join(folder, 'cache');
    const env = { PIPPIN_TEST_CACHE: cache };
    expect(await run('proved', env)).toMatchObject({ code: 0, output: 'proved 0 false' });
    expect((await readdir(cache, { recursive: true })).some((name) => name.includes('manifest'))).toBe(true);
    expect(await run('proved', env)).toMatchObject({ code: 0, output: 'proved 0 true' });
  });
});
