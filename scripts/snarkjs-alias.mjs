import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from './build.mjs';
import { installPackages } from './lib/packages.mjs';
import { root, runMain } from './lib/run.mjs';
import { formatTable } from './lib/table.mjs';
import { npm } from './release/npm.mjs';

/**
 * `npm run test:snarkjs-alias [-- ROUNDS]`: libraries that call snarkjs inside, from npm, once with snarkjs and once with `pippin-prover/snarkjs` in its
 * place. Both are installed as an application installs them, make and verify proofs in alternation, and are timed.
 */

/** The packages of the trial, with those that bring keys. */
const LIBRARIES = {
  '@pcd/gpc': '0.4.1',
  '@pcd/pod': '0.5.1',
  '@pcd/proto-pod-gpc-artifacts': '0.13.0',
  '@semaphore-protocol/group': '4.14.3',
  '@semaphore-protocol/identity': '4.14.3',
  '@semaphore-protocol/proof': '4.14.3',
  '@unirep/circuits': '2.0.0',
  '@zk-kit/semaphore-artifacts': '4.13.0',
};
const SNARKJS = '0.7.6';

/** The package that takes the place of snarkjs: what docs/moving-from-snarkjs.md tells applications in Node to have. */
const STAND_IN = {
  'package.json': JSON.stringify({ name: 'snarkjs', version: SNARKJS, type: 'module', exports: './index.js' }),
  'index.js': "export * from 'pippin-prover/snarkjs';\nexport { default } from 'pippin-prover/snarkjs';\n",
};

const LATER_PROOFS = 3;
/** A process that has not ended by then counts as hanging. */
const PROCESS_MS = 5 * 60_000;
const scratch = join(root, 'build', 'snarkjs-alias');

await runMain(async () => {
  const rounds = Number(process.argv[2] ?? 3);
  await installPackages();
  await build();
  const folders = { snarkjs: join(scratch, 'snarkjs'), pippin: join(scratch, 'pippin') };
  rmSync(join(scratch, 'cache'), { recursive: true, force: true });
  await install(folders.snarkjs, { ...LIBRARIES, snarkjs: SNARKJS });
  writeStandIn(folders.pippin);
  await install(folders.pippin, { ...LIBRARIES, snarkjs: 'file:stand-in', 'pippin-prover': `file:${pack()}` });
  const { LIBRARIES: trials } = await import('./snarkjs-alias/trial/libraries.mjs');
  const rows = [['', 'first: snarkjs', 'pippin', 'ratio', 'later: snarkjs', 'pippin', 'ratio']];
  for (const name of Object.keys(trials)) rows.push([name, ...(await compare(name, folders, rounds))]);
  const { model } = cpus()[0];
  console.log(
    `\nMilliseconds, medians of ${rounds} runs in alternation (Node ${process.version}, ${availableParallelism()} x ${model})\n`,
  );
  console.log(formatTable(rows));
  console.log(`\n${rows.length - 1} libraries prove and verify with pippin-prover/snarkjs in the place of snarkjs`);
});

/** Installs packages and the trial's files. @param {string} folder @param {Record<string, string>} dependencies */
async function install(folder, dependencies) {
  mkdirSync(folder, { recursive: true });
  // All copies of snarkjs are of one version, so that one is compared.
  const content = { name: 'trial', private: true, type: 'module', dependencies, overrides: { snarkjs: '$snarkjs' } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(content));
  console.log(`Installing in ${folder} ...`);
  npm(['install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts', '--no-package-lock']);
  const trial = join(root, 'scripts', 'snarkjs-alias', 'trial');
  for (const file of readdirSync(trial)) copyFileSync(join(trial, file), join(folder, file));
}

/** @param {string} folder */
function writeStandIn(folder) {
  mkdirSync(join(folder, 'stand-in'), { recursive: true });
  for (const [file, text] of Object.entries(STAND_IN)) writeFileSync(join(folder, 'stand-in', file), text);
}

/** The package as npm would publish it. */
function pack() {
  const [{ filename }] = JSON.parse(npm(['pack', '--json', '--ignore-scripts', '--pack-destination', scratch]));
  return join(scratch, filename);
}

/**
 * @param {string} name
 * @param {{ snarkjs: string, pippin: string }} folders
 * @param {number} rounds
 */
async function compare(name, folders, rounds) {
  /** @type {Record<'snarkjs' | 'pippin', { first: number, later: number }[]>} */
  const times = { snarkjs: [], pippin: [] };
  for (let round = 0; round < rounds; round++) {
    for (const used of /** @type {const} */ (['snarkjs', 'pippin'])) {
      const { first, later } = await measure(name, used, folders[used]);
      times[used].push({ first, later: median(later) });
    }
  }
  const of = (/** @type {'snarkjs' | 'pippin'} */ used, /** @type {'first' | 'later'} */ which) =>
    median(times[used].map((each) => each[which]));
  return /** @type {const} */ (['first', 'later']).flatMap((which) => {
    const [snarkjs, pippin] = [of('snarkjs', which), of('pippin', which)];
    return [snarkjs.toFixed(0), pippin.toFixed(0), `${(snarkjs / pippin).toFixed(1)}x`];
  });
}

/** A process of its own, which must end by itself. @param {string} name @param {string} used @param {string} folder */
async function measure(name, used, folder) {
  const env = { XDG_CACHE_HOME: join(scratch, 'cache') };
  const args = ['measure.mjs', name, used, String(LATER_PROOFS)];
  const options = { cwd: folder, env: { ...process.env, ...env }, timeout: PROCESS_MS };
  const { stdout } = await promisify(execFile)(process.execPath, args, options);
  return JSON.parse(stdout);
}

/** @param {readonly number[]} values */
function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return (sorted[Math.floor((sorted.length - 1) / 2)] + sorted[Math.ceil((sorted.length - 1) / 2)]) / 2;
}
