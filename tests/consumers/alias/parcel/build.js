import { cpSync } from 'node:fs';
import { Parcel } from '@parcel/core';

cpSync('node_modules/pippin-prover/dist', 'dist/pippin', { recursive: true }); // for Pippin
const options = { shouldContentHash: true, defaultTargetOptions: { sourceMaps: false } };
await new Parcel({
  ...options,
  mode: 'production',
  entries: 'index.html',
  defaultConfig: '@parcel/config-default',
}).run();
