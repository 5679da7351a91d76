import { build } from './build.mjs';
import { buildBenchmarkPage } from './lib/benchmark-page.mjs';
import { buildExample } from './lib/example.mjs';
import { installPackages } from './lib/packages.mjs';
import { runMain } from './lib/run.mjs';
import { expectNode } from './lib/setup.mjs';
import { formatTable } from './lib/table.mjs';
import { Trials } from './lib/trials.mjs';
import { buildWebviewExample } from './lib/webview-example.mjs';
import { requireWebKit } from './webkit/programs.mjs';

/**
 * `npm run test:webkit`: the example pages, the benchmark page and the snarkjs alias in WebKitGTK, which is Safari's
 * engine without WebGPU, on Linux. `-- TEXT` runs the trials with that text in their names.
 */
await runMain(async () => {
  const wanted = process.argv[2] ?? '';
  expectNode();
  await installPackages();
  const programs = await requireWebKit();
  console.log('Building the package and its pages ...');
  await build();
  await buildExample();
  await buildBenchmarkPage();
  await buildWebviewExample();

  // Not before: packages may only now have been installed.
  const [{ TRIALS }, { launchWebKit }, { makeVerifier }] = await Promise.all([
    import('./webkit/trials.mjs'),
    import('./webkit/browser.mjs'),
    import('./webview/check.mjs'),
  ]);
  const trials = new Trials();
  const verifier = await makeVerifier();
  let engine = 'WebKitGTK';
  const rows = [['', 'workers', 'first proof', 'later proof', 'key from cache', 'abort']];
  for (const { name, run } of TRIALS.filter((trial) => trial.name.includes(wanted))) {
    // Each has a browser, and with it a storage, of its own.
    await trials.run(name, async () => {
      const { session, close } = await launchWebKit(programs);
      try {
        engine = `WebKitGTK ${session.capabilities.browserVersion}`;
        const { threads, first, later, fromCache, abort } = await run({ session, verifier });
        rows.push([name, String(threads), ms(first), ms(later), ms(fromCache), ms(abort)]);
      } finally {
        await close();
      }
    });
  }
  await verifier.close();
  const { passed, failed } = trials;
  console.log(`\n${engine}, ${process.platform} ${process.arch}, no WebGPU\n\n${formatTable(rows)}`);
  console.log(`\nwebkit: ${passed} passed, ${failed} failed`);
  return failed > 0 || passed === 0 ? 1 : 0;
});

/** @param {number | undefined} value milliseconds */
function ms(value) {
  return value === undefined ? '–' : `${Math.round(value)} ms`;
}
