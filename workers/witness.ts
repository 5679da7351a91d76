import { calculateWitness } from '../sdk/snarkjs/witness-calculator.js';
import { exposeMethods } from '../sdk/transport/remote.js';
import { webWorkerScope } from '../sdk/transport/web-worker.js';

const { endpoint } = webWorkerScope();
exposeMethods({ calculate: calculateWitness }, endpoint);
