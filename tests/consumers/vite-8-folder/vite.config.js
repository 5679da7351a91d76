import { cpSync } from 'node:fs';
import { defineConfig } from 'vite';

cpSync('node_modules/pippin-prover/dist', 'public/pippin', { recursive: true }); // for Pippin

export default defineConfig({});
