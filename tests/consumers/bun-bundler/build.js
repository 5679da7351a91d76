import { cpSync } from 'node:fs';

cpSync('node_modules/pippin-prover/dist', 'dist/pippin', { recursive: true }); // for Pippin
await Bun.build({ entrypoints: ['main.js'], minify: true, target: 'browser', outdir: 'dist' });
