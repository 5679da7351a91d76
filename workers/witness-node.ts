import { calculateWitness } from '../sdk/snarkjs/witness-calculator.js';
import { nodeWorkerScope } from '../sdk/transport/node-worker.js';
import { exposeMethods } from '../sdk/transport/remote.js';

const { endpoint } = nodeWorkerScope();
exposeMethods({ calculate: calculateWitness }, endpoint);
