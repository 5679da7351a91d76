import { App } from './app.js';

/** URL parameters: `upto` (10 to 18), `only` (webgpu, workers, one, snarkjs; with commas), and `autorun=1`, which starts by itself. */
const parameters = new URLSearchParams(location.search);
const app = new App(parameters);
await app.open();
if (parameters.get('autorun') === '1') await app.start();
