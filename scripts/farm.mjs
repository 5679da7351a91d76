import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';
import { ChildProgram } from './lib/child-program.mjs';
import { installPackages } from './lib/packages.mjs';
import { needRedis } from './lib/redis.mjs';
import { root, runMain, SetupError } from './lib/run.mjs';
import { expectNode } from './lib/setup.mjs';
import { formatTable } from './lib/table.mjs';

/**
 * `npm run farm [-- --notes 100 --workers 2 --clients 8]`: starts Redis, worker processes and the HTTP front of
 * examples/prover-farm, proves notes of examples/groth16-commitment over HTTP, verifies all proofs here, and ends
 * everything.
 */

const farm = join(root, 'examples', 'prover-farm');
const keys = join(root, 'examples', 'groth16-commitment', 'key');

await runMain(async () => {
  const { notes, workers, clients } = readArguments();
  expectNode();
  await installPackages();
  await needRedis();
  console.log('Building the package ...');
  await build();

  const folder = mkdtempSync(join(tmpdir(), 'pippin-farm-'));
  const { startRedis } = await import('pippin-farm');
  const redis = await startRedis({ folder, persistent: true });
  /** @type {ChildProgram[]} */
  const programs = [];
  const interrupted = new AbortController();
  for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
    process.once(name, () => interrupted.abort(new SetupError(`ended by ${name}`)));
  }
  try {
    const key = makeKeys(folder);
    const env = {
      REDIS_URL: redis.connection,
      PORT: '0',
      PIPPIN_FARM: join(farm, 'farm.json'),
      WORKER_KEYS: join(folder, 'workers', 'keys.json'),
      FRONT_KEYS: join(folder, 'front', 'keys.json'),
    };
    console.log(`Starting ${workers} workers and the front ...`);
    programs.push(new ChildProgram(join(farm, 'workers.mjs'), { ...env, WORKERS: String(workers) }));
    programs.push(new ChildProgram(join(farm, 'front.mjs'), env));
    const [, url = ''] = await Promise.all(programs.map(({ ready }) => ready));
    console.log(`The front is at ${url}. Proving ${notes} notes over HTTP, for ${clients} clients at a time ...`);
    const began = performance.now();
    const proved = await proveAll({ url, key }, notesOf(notes), clients, interrupted.signal);
    const seconds = (performance.now() - began) / 1000;
    const wrong = await countWrong(proved);
    console.log(`\n${formatTable(tableOf(proved, seconds, workers, clients))}\n`);
    console.log(wrong === 0 ? `All ${notes} proofs are verified.` : `${wrong} of ${notes} proofs are WRONG.`);
    return wrong === 0 ? 0 : 1;
  } finally {
    const codes = await Promise.all(programs.map((program) => program.end()));
    await redis.stop();
    rmSync(folder, { recursive: true, force: true });
    if (codes.some((code) => code !== 0)) {
      console.error(`A program did not end as it should: exit codes ${codes.join(', ')}`);
      process.exitCode = 1;
    }
  }
});

function readArguments() {
  const { values } = parseArgs({
    options: { notes: { type: 'string' }, workers: { type: 'string' }, clients: { type: 'string' } },
  });
  const number = (/** @type {'notes' | 'workers' | 'clients'} */ name, /** @type {number} */ standard) => {
    const value = Number(values[name] ?? standard);
    if (Number.isInteger(value) && value >= 1 && value <= 10_000) return value;
    throw new SetupError(`expected --${name} with an integer from 1 to 10000, got ${values[name]}`);
  };
  return { notes: number('notes', 100), workers: number('workers', 2), clients: number('clients', 8) };
}

/** Makes the keys of workers and front in a folder, and gives an API key. @param {string} folder */
function makeKeys(folder) {
  return execFileSync(process.execPath, [join(farm, 'new-keys.mjs'), folder], { encoding: 'utf8' }).trim();
}

/** Notes to be spent: those of the example in turn, each to a recipient of its own. @param {number} count */
function notesOf(count) {
  /** @type {{ inputs: Record<string, unknown> }[]} */
  const notes = JSON.parse(readFileSync(join(keys, 'notes.json'), 'utf8'));
  return Array.from({ length: count }, (_, i) => ({ ...notes[i % notes.length]?.inputs, recipient: String(1000 + i) }));
}

/** @typedef {{ inputs: Record<string, unknown>, job: any, ms: number }} Proved */

/**
 * Has all notes proved by clients that each ask for the next one when they have a proof.
 *
 * @param {{ url: string, key: string }} front
 * @param {Record<string, unknown>[]} notes
 * @param {number} clients
 * @param {AbortSignal} signal
 * @returns {Promise<Proved[]>}
 */
async function proveAll(front, notes, clients, signal) {
  const { prove } = await import(new URL('../examples/prover-farm/client.mjs', import.meta.url).href);
  /** @type {Proved[]} */
  const proved = [];
  let next = 0;
  const client = async () => {
    while (next < notes.length) {
      signal.throwIfAborted();
      const inputs = notes[next++] ?? {};
      const began = performance.now();
      const job = await prove(front, { circuit: 'note', inputs, id: `note-${next}` });
      proved.push({ inputs, job, ms: performance.now() - began });
      if (process.stdout.isTTY) process.stdout.write(`\r${proved.length} of ${notes.length}`);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return proved;
}

/** How many proofs do not verify, or are of another note. @param {Proved[]} proved */
async function countWrong(proved) {
  const { createProver } = await import('pippin-prover');
  const verificationKey = JSON.parse(readFileSync(join(keys, 'note.vkey.json'), 'utf8'));
  const prover = await createProver({ backend: 'wasm', threads: 1, cache: false });
  try {
    let wrong = 0;
    for (const { inputs, job } of proved) {
      const { proof, publicSignals } = job.result;
      const isOwn = publicSignals.includes(inputs.recipient) && publicSignals.includes(inputs.root);
      if (!isOwn || !(await prover.groth16.verify(verificationKey, publicSignals, proof))) wrong++;
    }
    return wrong;
  } finally {
    await prover.dispose();
  }
}

/**
 * @param {Proved[]} proved
 * @param {number} seconds
 * @param {number} workers
 * @param {number} clients
 */
function tableOf(proved, seconds, workers, clients) {
  const all = proved.map(({ ms }) => ms);
  const atWorker = proved.map(({ job }) => job.finished - job.started);
  return [
    ['', `${workers} workers, ${clients} clients`],
    ['proofs', String(proved.length)],
    ['seconds', seconds.toFixed(1)],
    ['proofs a second', (proved.length / seconds).toFixed(2)],
    ['latency p50 (with the wait in the queue)', ms(quantile(all, 0.5))],
    ['latency p99 (with the wait in the queue)', ms(quantile(all, 0.99))],
    ['at the worker p50', ms(quantile(atWorker, 0.5))],
    ['at the worker p99', ms(quantile(atWorker, 0.99))],
  ];
}

/** The nearest-rank quantile. @param {number[]} values @param {number} share */
function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

/** @param {number} value milliseconds */
function ms(value) {
  return `${value.toFixed(0)} ms`;
}
