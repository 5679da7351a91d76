import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { endSnarkjs, example, snarkjsVerifies } from '../support/example.js';
import { built } from '../support/in-process-engine.js';
import { LOCKDOWN_MODULE } from '../support/ses.js';

/**
 * Proves, verifies, sums and fails under SES' `lockdown` with the built package, in a process of its own, since intrinsics cannot be thawed.
 * The caller freezes all that it gives and gets.
 */
const PROGRAM = `
import './lockdown.mjs';
import { createProver, PippinError } from '${built('node.js')}';
const { assets, directory, zkey, wasm, inputs } = harden(JSON.parse(process.argv[2]));
const notices = [];
const onNotice = ({ code, message }) => notices.push(code + ': ' + message);
const options = { backend: 'wasm', threads: 2, cache: { directory }, onNotice };
const prover = harden(await createProver(harden(assets === undefined ? options : { ...options, assets })));
let events = 0;
const call = harden({ onProgress: () => events++ });
const key = harden(await prover.groth16.loadKey(zkey, call));
const { proof, publicSignals } = harden(await prover.groth16.fullProve(key, inputs, wasm, call));
const verified = await prover.groth16.verify(key.verificationKey, publicSignals, proof);
const point = new Uint8Array(64);
point[0] = 1;
point[32] = 2;
const bases = harden(await prover.loadBases({ curve: 'bn254', points: point }));
const { x, y } = harden(await prover.msm(bases, new Uint8Array(32).fill(1, 0, 1)));
const failure = (promise) => promise.then(
  () => 'none',
  (error) => [error instanceof PippinError, error.name, error.code],
);
const failures = [
  await failure(prover.msm(bases, new Uint8Array(31))),
  await failure(prover.groth16.fullProve(key, {}, wasm)),
  await failure(prover.groth16.prove(key, new Uint8Array(100), { signal: AbortSignal.abort() })),
];
await prover.dispose();
console.log(JSON.stringify({ proof, publicSignals, verified, sum: [String(x), String(y)], events, notices, failures }));
`;

const WORKERS = ['coordinator', 'kernel', 'witness'];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pippin-lockdown-'));
  await writeFile(join(folder, 'lockdown.mjs'), LOCKDOWN_MODULE);
  await writeFile(join(folder, 'program.mjs'), PROGRAM);
  for (const name of WORKERS) {
    await writeFile(
      join(folder, `${name}.mjs`),
      `import './lockdown.mjs';\nimport ${JSON.stringify(built(`${name}-node.js`))};\n`,
    );
  }
});
afterAll(async () => {
  await endSnarkjs();
  await rm(folder, { recursive: true });
});

it.each([
  ["in the caller's thread", false],
  ['in every thread', true],
])('proves under lockdown %s', async (_, everywhere) => {
  const scripts = WORKERS.map((name) => [name, pathToFileURL(join(folder, `${name}.mjs`)).href]);
  const request = {
    ...(everywhere ? { assets: Object.fromEntries(scripts) } : {}),
    directory: join(folder, everywhere ? 'cache-locked' : 'cache'),
    zkey: example.zkeyPath,
    wasm: example.wasmPath,
    inputs: example.inputs,
  };
  const { stdout } = await promisify(execFile)(process.execPath, [
    join(folder, 'program.mjs'),
    JSON.stringify(request),
  ]);
  const { proof, publicSignals, ...told } = JSON.parse(stdout.trim().split('\n').at(-1)!);
  expect(told).toMatchObject({ verified: true, sum: ['1', '2'], notices: [] });
  expect(told.events).toBeGreaterThan(5);
  expect(await snarkjsVerifies(publicSignals, proof)).toBe(true);
  expect(told.failures).toEqual([
    [true, 'PippinError', 'INVALID_LENGTH'],
    [true, 'PippinError', 'INVALID_INPUT'],
    [true, 'PippinError', 'ABORTED'],
  ]);
});
