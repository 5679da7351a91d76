import { circuitFile } from './circuits.js';

/** Has the circuits and keys of the tests made, unless they are there: no test then waits for those that another makes. */
await circuitFile('chain.zkey');
