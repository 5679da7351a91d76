import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A library on npm that calls snarkjs, and whose package brings its own tests. They run as they are, in the unpacked
 * package, by the runner they were written for.
 *
 * @typedef {object} Library
 * @property {string} name
 * @property {string} version
 * @property {Record<string, string>} packages that the tests need beside the library's own dependencies
 * @property {(folder: string) => Promise<void> | void} [prepare] puts keys where the tests look for them
 * @property {Record<string, string>} [env]
 * @property {'jest' | 'mocha' | 'node'} runner a program without a runner counts as one test, which passes if it ends
 * with 0
 * @property {readonly string[]} args of the runner
 */

/** @type {readonly Library[]} */
export const LIBRARIES = [
  {
    name: '@semaphore-protocol/proof',
    version: '2.6.1',
    packages: {
      '@babel/core': '7.28.5',
      '@babel/preset-env': '7.28.5',
      '@babel/preset-typescript': '7.28.5',
      '@pcd/semaphore-signature-pcd': '0.15.1',
      '@semaphore-protocol/group': '2.6.1',
      '@semaphore-protocol/identity': '2.6.1',
      // Its dependency circomlibjs imports this package without naming it.
      'big-integer': '1.6.52',
      ffjavascript: '0.2.63',
      jest: '29.7.0',
    },
    prepare(folder) {
      const presets = [['@babel/preset-env', { targets: { node: 'current' } }], '@babel/preset-typescript'];
      writeFileSync(join(folder, 'babel.config.json'), JSON.stringify({ presets }));
      // The keys of Semaphore's own ceremony, for trees of depth 16, as another package ships them.
      const artifacts = join(folder, 'node_modules', '@pcd', 'semaphore-signature-pcd', 'artifacts');
      for (const kind of ['wasm', 'zkey', 'json'])
        cpSync(join(artifacts, `16.${kind}`), join(folder, 'snark-artifacts', `semaphore.${kind}`));
    },
    env: { TREE_DEPTH: '16' },
    runner: 'jest',
    args: ['src'],
  },
  {
    name: '@lightprotocol/prover.js',
    version: '0.1.0-alpha.3',
    packages: { chai: '4.5.0', 'chai-as-promised': '7.1.2', circomlib: '2.0.5', mocha: '10.8.2' },
    prepare: makeKeyOfLightProtocol,
    runner: 'mocha',
    args: ['--timeout', '500000', 'lib/tests/prover.test.js'],
  },
  {
    name: '@zkthings/proof-membership-evm',
    version: '0.1.42',
    packages: {},
    runner: 'node',
    args: ['dist/test/test-proof-verify.js'],
  },
];

/**
 * Compiles the circuit of the tests and makes a key for it, as the package's own script does by a circom that must be
 * installed. @param {string} folder
 */
async function makeKeyOfLightProtocol(folder) {
  // Only here, because it takes packages that may have been missing.
  const { makeCircuit, endSnarkjs } = await import('../lib/trusted-setup.mjs');
  const circuits = join(folder, 'tests', 'circuits');
  const made = await makeCircuit(join(circuits, 'poseidonMain.circom'), join(circuits, 'made'));
  await endSnarkjs();
  const wanted = join(circuits, 'build-circuits');
  mkdirSync(join(wanted, 'poseidonMain_js'), { recursive: true });
  cpSync(made.wasm, join(wanted, 'poseidonMain_js', 'poseidonMain.wasm'));
  cpSync(made.zkey, join(wanted, 'poseidon.zkey'));
}
