import { Parcel } from '@parcel/core';

const options = { shouldContentHash: true, defaultTargetOptions: { sourceMaps: false } };
await new Parcel({
  ...options,
  mode: 'production',
  entries: 'index.html',
  defaultConfig: '@parcel/config-default',
}).run();
