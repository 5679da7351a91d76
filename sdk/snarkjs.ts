import { browserAliasPlatform } from './hosts/page/browser-alias.js';
import { snarkjsAlias } from './hosts/snarkjs-alias/alias.js';

export type * from './hosts/snarkjs-alias/api.js';

const alias = snarkjsAlias(browserAliasPlatform);

export const { groth16, wtns, zKey, r1cs, curves, powersOfTau, plonk, fflonk, configure } = alias;
/** For what imports snarkjs as a whole, as code that was compiled from CommonJS does. */
export default alias;
