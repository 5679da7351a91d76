import { build } from 'esbuild';

await build({ entryPoints: ['main.js'], bundle: true, minify: true, format: 'esm', outdir: 'dist' });
