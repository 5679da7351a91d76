import { App } from './app.js';

/**
 * URL parameters: `upto` (12 to 18), `only` (webgpu, workers, one, snarkjs; with commas), `repeats` (3, 10, 30, 100),
 * and `autorun=1`, which starts by itself. The fragment may hold the results of a shared link.
 */
const parameters = new URLSearchParams(location.search);
const app = new App(parameters);
await app.open();
if (parameters.get('autorun') === '1') await app.start();
