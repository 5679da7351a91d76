import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * Libraries that call snarkjs inside. Each is used as its own documentation shows, with keys that come from npm. This
 * file runs in a folder where they are installed.
 *
 * @typedef {{
 *   entry: string,
 *   open(): Promise<{
 *     prove(): Promise<unknown>,
 *     verify(proof: any): Promise<boolean>,
 *     forge(proof: any): unknown,
 *   }>,
 * }} Library `entry` calls snarkjs; `forge` makes a proof of another statement that must not verify
 */

const require = createRequire(import.meta.url);

/** @param {string} name @returns {string} the folder of an installed package */
const folderOf = (name) => dirname(require.resolve(`${name}/package.json`));

/** @type {Record<string, Library>} */
export const LIBRARIES = {
  '@semaphore-protocol/proof': {
    entry: '@semaphore-protocol/proof',
    async open() {
      const { generateProof, verifyProof } = await import('@semaphore-protocol/proof');
      const { Identity } = await import('@semaphore-protocol/identity');
      const { Group } = await import('@semaphore-protocol/group');
      const identity = new Identity('secret');
      const group = new Group([1n, 2n, identity.commitment]);
      const depth = 20;
      const files = join('node_modules', '@zk-kit', 'semaphore-artifacts', `semaphore-${depth}`);
      const artifacts = { wasm: `${files}.wasm`, zkey: `${files}.zkey` };
      return {
        prove: () => generateProof(identity, group, 'message', 'scope', depth, artifacts),
        verify: (proof) => verifyProof(proof),
        forge: (proof) => ({ ...proof, message: '1' }),
      };
    },
  },
  '@pcd/gpc': {
    entry: '@pcd/gpc',
    async open() {
      const { gpcProve, gpcVerify } = require('@pcd/gpc');
      const { POD } = require('@pcd/pod');
      const number = (/** @type {bigint} */ value) => ({ type: 'int', value });
      const pod = POD.sign({ A: number(123n), B: number(321n) }, '00'.repeat(31).concat('07'));
      const config = { pods: { pod: { entries: { A: { isRevealed: true }, B: { isRevealed: false } } } } };
      const artifacts = folderOf('@pcd/proto-pod-gpc-artifacts');
      return {
        prove: () => gpcProve(config, { pods: { pod } }, artifacts),
        verify: ({ proof, boundConfig, revealedClaims }) => gpcVerify(proof, boundConfig, revealedClaims, artifacts),
        forge(proof) {
          const claims = structuredClone(proof.revealedClaims);
          claims.pods.pod.entries.A.value = 124n;
          return { ...proof, revealedClaims: claims };
        },
      };
    },
  },
  '@unirep/circuits': {
    entry: '@unirep/circuits/provers/defaultProver.js',
    async open() {
      const { defaultProver } = require('@unirep/circuits/provers/defaultProver.js');
      const inputs = { attester_id: 1234n, epoch: 20n, identity_secret: 99n, chain_id: 31337n };
      return {
        prove: () => defaultProver.genProofAndPublicSignals('signup', inputs),
        verify: ({ publicSignals, proof }) => defaultProver.verifyProof('signup', publicSignals, proof),
        forge: ({ publicSignals, proof }) => ({ proof, publicSignals: ['1', ...publicSignals.slice(1)] }),
      };
    },
  },
};
