import * as Comlink from 'comlink';
import { calculateWitness } from '../sdk/snarkjs/witness-calculator.js';
import { webWorkerScope } from '../sdk/transport/web-worker.js';

const { endpoint } = webWorkerScope();
Comlink.expose({ calculate: calculateWitness }, endpoint);
