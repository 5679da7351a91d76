import { runWorkerProcess } from '../sdk/server/farm/worker-main.js';

runWorkerProcess();
