import { App } from './app.js';

/** URL parameters: `backend` (auto, webgpu, wasm), `threads` (1, 2, 4, 8), and `autorun=1`, which proves once ready. */
const parameters = new URLSearchParams(location.search);
const app = new App(parameters);
await app.restart(false);
if (parameters.get('autorun') === '1') await app.prove();
