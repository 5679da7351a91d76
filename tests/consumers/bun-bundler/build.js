await Bun.build({ entrypoints: ['main.js'], minify: true, target: 'browser', outdir: 'dist' });
