import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root, runMain } from '../../scripts/lib/run.mjs';
import { compileCircuit, endSnarkjs, makeCircuit, makePowersOfTau } from '../../scripts/lib/trusted-setup.mjs';

/**
 * Compiles the circuits of tests/circuits and makes their keys. The folder appears only when all of them are done.
 *
 *     node tests/support/make-circuits.mjs FOLDER
 */
const WITH_KEY = ['smallest', 'chain', 'matrix', 'flags', 'hash', 'logging'];
/**
 * The level of optimisation that removes linear constraints by substitution: most constraints of Poseidon are linear.
 */
const FLAGS = { hash: ['--O2'] };
/**
 * The circuits that have keys of PLONK and FFLONK, too: the smallest domain and no public signal, a chain with additions,
 * and many public signals.
 */
const UNIVERSAL = {
  smallest: { plonk: 9, fflonk: 9 },
  chain: { plonk: 9, fflonk: 9 },
  matrix: { plonk: 9 },
};
/** The largest powers of tau that a key takes. */
const POWER = 9;
/** The circuits for which tests only compute witnesses. */
const WITHOUT_KEY = ['bus', 'constant'];

/** Further curves, by snarkjs' names. For each of them the circuit `chain` and its keys of Groth16 and PLONK are made. */
const OTHER_PRIMES = ['bls12381'];

await runMain(async () => {
  const folder = process.argv[2];
  if (folder === undefined) throw new Error('expected the name of the folder to make, got none');
  if (existsSync(folder)) return;
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  try {
    const source = (/** @type {string} */ name) => join(root, 'tests', 'circuits', `${name}.circom`);
    await makePowersOfTau(POWER, unfinished);
    for (const name of WITH_KEY) {
      await makeCircuit(source(name), unfinished, { flags: FLAGS[name], universal: UNIVERSAL[name] });
    }
    for (const name of WITHOUT_KEY) await compileCircuit(source(name), unfinished);
    for (const prime of OTHER_PRIMES) {
      await makeCircuit(source('chain'), join(unfinished, prime), { prime, universal: { plonk: 6 } });
    }
    renameSync(unfinished, folder);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
    await endSnarkjs();
  }
});
