import * as Comlink from 'comlink';
import { calculateWitness } from '../sdk/groth16/witness-calculator.js';
import { nodeWorkerScope } from '../sdk/transport/node-worker.js';

const { endpoint } = nodeWorkerScope();
Comlink.expose({ calculate: calculateWitness }, endpoint);
