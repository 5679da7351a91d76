import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/run.mjs';
import { compileCircuit } from '../lib/trusted-setup.mjs';

/** Powers of tau for up to 2^6 constraints, more than the circuit has. */
const POWER = 6;

/**
 * A small ceremony, made by the built package unless it is there: circuit, powers of tau, first key, and the key after a
 * contribution.
 *
 * @returns {Promise<{ r1cs: string, ptau: string, first: string, key: string }>} paths
 */
export async function ceremonyFiles() {
  const folder = join(root, 'build', 'pages', 'ceremony-files');
  if (!existsSync(folder)) {
    const unfinished = `${folder}.${process.pid}`;
    mkdirSync(unfinished, { recursive: true });
    try {
      await make(unfinished);
      renameSync(unfinished, folder);
    } finally {
      rmSync(unfinished, { recursive: true, force: true });
    }
  }
  return {
    r1cs: join(folder, 'chain.r1cs'),
    ptau: join(folder, 'pot.ptau'),
    first: join(folder, 'chain_0000.zkey'),
    key: join(folder, 'chain_0001.zkey'),
  };
}

/** @param {string} folder */
async function make(folder) {
  const ceremony = await import(new URL('../../dist/ceremony-node.js', import.meta.url).href);
  const { r1cs } = await compileCircuit(join(root, 'tests', 'circuits', 'chain.circom'), folder);
  const path = (/** @type {string} */ name) => join(folder, name);
  await ceremony.newPowersOfTau({ curve: 'bn254', power: POWER, to: path('begun.ptau') });
  await ceremony.contributeToPowersOfTau(path('begun.ptau'), { name: 'Emmy', to: path('raw.ptau') });
  await ceremony.preparePowersOfTau(path('raw.ptau'), { to: path('pot.ptau') });
  await ceremony.newKey(r1cs, path('pot.ptau'), { to: path('chain_0000.zkey') });
  await ceremony.contribute(path('chain_0000.zkey'), { name: 'Ada', to: path('chain_0001.zkey') });
}

/**
 * Throws unless a key comes from the ceremony's first key, for Pippin and for snarkjs.
 *
 * @param {string} zkey its path
 * @returns {Promise<readonly { name?: string, hash: string }[]>} its contributions
 */
export async function expectKeyOfCeremony(zkey) {
  const { first, ptau } = await ceremonyFiles();
  const { verifyContributions } = await import(new URL('../../dist/ceremony-node.js', import.meta.url).href);
  const report = await verifyContributions(zkey, { first, ptau });
  if (!report.isValid) throw new Error(`expected a key that Pippin verifies, got: ${report.fault}`);
  const { curves, zKey } = await import('snarkjs');
  try {
    const bytes = [first, ptau, zkey].map((path) => new Uint8Array(readFileSync(path)));
    if (!(await zKey.verifyFromInit(...bytes))) throw new Error('expected a key that snarkjs verifies');
  } finally {
    await (await curves.getCurveFromName('bn128')).terminate();
  }
  return report.contributions;
}
