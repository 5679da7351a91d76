import * as Comlink from 'comlink';
import { calculateWitness } from '../sdk/snarkjs/witness-calculator.js';
import { nodeWorkerScope } from '../sdk/transport/node-worker.js';

const { endpoint } = nodeWorkerScope();
Comlink.expose({ calculate: calculateWitness }, endpoint);
