import { cpSync } from 'node:fs';

cpSync('node_modules/pippin-prover/dist', 'dist', { recursive: true }); // for Pippin
await Bun.build({ entrypoints: ['main.js'], minify: true, target: 'browser', outdir: 'dist' });
