import { defineConfig } from 'vite';

export default defineConfig({
  worker: { format: 'es' }, // for Pippin: a smaller first download
});
