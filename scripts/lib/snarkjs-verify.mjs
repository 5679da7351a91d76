import { curves, groth16 } from 'snarkjs';

/** @type {Promise<unknown>} */
let latest = Promise.resolve();

/**
 * Whether snarkjs accepts a proof. It ends the threads that snarkjs starts for the curve, which would keep the process
 * alive; so calls at the same time, which would share them, run one after another.
 *
 * @param {{ curve: string }} verificationKey
 * @param {readonly string[]} publicSignals
 * @param {unknown} proof
 * @returns {Promise<boolean>}
 */
export function snarkjsVerifies(verificationKey, publicSignals, proof) {
  const verifying = latest.then(async () => {
    try {
      return await groth16.verify(verificationKey, [...publicSignals], proof);
    } finally {
      await (await curves.getCurveFromName(verificationKey.curve)).terminate();
    }
  });
  latest = verifying.catch(() => undefined);
  return verifying;
}
