import type { AliasOptions } from './api.js';
import { AliasCeremony } from './ceremony.js';
import { AliasContext, type AliasPlatform } from './context.js';
import { curvesCalls } from './curves.js';
import { AliasGroth16, groth16Calls } from './groth16.js';
import { powersOfTauCalls } from './powers-of-tau.js';
import { r1csCalls } from './r1cs.js';
import { fflonkCalls, plonkCalls } from './universal.js';
import { wtnsCalls } from './wtns.js';
import { zKeyCalls } from './zkey.js';

/** The exports of snarkjs 0.7.6, over a prover of Pippin: its namespaces, one file each. */
export function snarkjsAlias(platform: AliasPlatform) {
  const context = new AliasContext(platform);
  const groth16 = new AliasGroth16(context);
  const ceremony = new AliasCeremony(context);
  return {
    /** Groth16, as `groth16` of snarkjs. */
    groth16: groth16Calls(context, groth16),
    /** PLONK, as `plonk` of snarkjs. */
    plonk: plonkCalls(context, ceremony),
    /** FFLONK, as `fflonk` of snarkjs but for its `exportSolidityVerifier`. */
    fflonk: fflonkCalls(context, ceremony),
    /** Witnesses, as `wtns` of snarkjs. */
    wtns: wtnsCalls(context),
    /** Keys, as `zKey` of snarkjs. */
    zKey: zKeyCalls(context, groth16, ceremony),
    /** Constraint systems, as `r1cs` of snarkjs. */
    r1cs: r1csCalls(context),
    /**
     * What takes the place of the curves of ffjavascript: their names, moduli and `terminate()`. A member that would
     * compute throws `UNSUPPORTED_CALL`.
     */
    curves: curvesCalls(context),
    /** Powers of tau, phase 1 of a set-up, as `powersOfTau` of snarkjs. */
    powersOfTau: powersOfTauCalls(context),
    /**
     * Not of snarkjs: options of what is behind the alias. They hold from the next call on, and replace earlier ones as
     * a whole.
     *
     * @param options of the prover, of the keys that stay loaded, and of downloads.
     * @returns nothing.
     * @throws {PippinError} INVALID_ARGUMENT for options out of range.
     * @example
     * ```js run
     * import { configure } from 'pippin-prover/snarkjs';
     *
     * configure({ prover: { backend: 'wasm', threads: 2 }, maxKeys: 1, allowUnfinished: false });
     * console.log('configured');
     * ```
     */
    configure: (options: AliasOptions): void => context.configure(options),
  };
}
