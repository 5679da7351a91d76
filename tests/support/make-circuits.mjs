import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root, runMain } from '../../scripts/lib/run.mjs';
import { compileCircuit, endSnarkjs, makeCircuit } from '../../scripts/lib/trusted-setup.mjs';

/**
 * Compiles the circuits of tests/circuits and makes their keys. All appear in the folder at once, when they are done.
 *
 *     node tests/support/make-circuits.mjs FOLDER
 */
const WITH_KEY = ['smallest', 'chain', 'matrix', 'flags', 'hash', 'logging'];
/** The level of optimisation that removes linear constraints by substitution: most constraints of Poseidon are linear. */
const FLAGS = { hash: ['--O2'] };
/** Those that the tests only compute witnesses of. */
const WITHOUT_KEY = ['bus', 'constant'];

/** The other curves of snarkjs, by its names, for which one circuit with its key is made. */
const OTHER_PRIMES = ['bls12381'];

await runMain(async () => {
  const folder = process.argv[2];
  if (folder === undefined) throw new Error('expected the folder to be made');
  if (existsSync(folder)) return;
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  try {
    const source = (/** @type {string} */ name) => join(root, 'tests', 'circuits', `${name}.circom`);
    for (const name of WITH_KEY) await makeCircuit(source(name), unfinished, { flags: FLAGS[name] });
    for (const name of WITHOUT_KEY) await compileCircuit(source(name), unfinished);
    for (const prime of OTHER_PRIMES) await makeCircuit(source('chain'), join(unfinished, prime), { prime });
    renameSync(unfinished, folder);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
    await endSnarkjs();
  }
});
