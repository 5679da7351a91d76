import { defineConfig } from 'vite';

export default defineConfig({
  worker: { format: 'es' }, // for Pippin: a smaller package
  build: {
    // The policy of extensions has no data: URLs, and a document that is not shown needs no preloading.
    assetsInlineLimit: 0, // for Pippin
    modulePreload: false,
    rolldownOptions: { input: ['popup.html', 'offscreen.html'] },
  },
});
