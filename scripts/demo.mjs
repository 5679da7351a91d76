import { buildForPage } from './build.mjs';
import { plainFlags } from './lib/chromium.mjs';
import { buildExample, exampleCurve, exampleDist } from './lib/example.mjs';
import { runMain, SetupError } from './lib/run.mjs';
import { setUp } from './lib/setup.mjs';
import { serveFolder } from './lib/static-server.mjs';
import { formatTable } from './lib/table.mjs';

/**
 * `npm run demo`: proves on the example page in headless Chromium, and again as a later visit with the key from the
 * cache: on the GPU and then on the workers alone, or without a GPU on the workers at once. `npm run demo -- --open`
 * serves the page for one's own browser instead. Only what the page needs is built.
 *
 * @typedef {{ name: string, backend: 'webgpu' | 'wasm', cached: boolean | undefined }} Run
 */

/** @type {readonly Run[]} */
const GPU_RUNS = [
  { name: 'WebGPU', backend: 'webgpu', cached: false },
  { name: 'WebGPU, later visit', backend: 'webgpu', cached: true },
  { name: 'WASM', backend: 'wasm', cached: undefined },
];
/** @type {readonly Run[]} */
const WASM_RUNS = [
  { name: 'WASM', backend: 'wasm', cached: false },
  { name: 'WASM, later visit', backend: 'wasm', cached: true },
];

/** What a GPU changes; the figures are those of docs/performance.md, "Whole proofs with the GPU". */
const WITHOUT_GPU =
  'No GPU here, so the workers prove alone. With one the multi-scalar multiplications and the transforms move to it: 16.5 ms instead of 102 ms for a ' +
  'proof of 2^14 constraints (NVIDIA H200, 16 cores of Intel Xeon).';

await runMain(async () => {
  const [option, ...rest] = process.argv.slice(2);
  if ((option !== undefined && option !== '--open') || rest.length > 0) {
    throw new SetupError('usage: npm run demo [-- --open]');
  }
  const began = Date.now();
  const machine = await setUp({ vulkan: false });
  const ready = Date.now();
  console.log('Building what the example page needs ...');
  await buildForPage(exampleCurve);
  // Vite would warn of each curve whose WASM is not there.
  await buildExample('--logLevel', 'error');
  console.log(`Set up in ${seconds(ready - began)}, built in ${seconds(Date.now() - ready)}.`);
  if (option === '--open') return serve();
  return prove(machine);
});

/** Serves the page until Ctrl-C. */
async function serve() {
  const server = await serveFolder(exampleDist, { port: Number(process.env.PORT ?? 0) });
  console.log(`\nThe page is at ${server.url}\nCtrl-C ends it.`);
  await new Promise((resolve) => process.once('SIGINT', resolve));
  await server.close();
}

/** @param {Awaited<ReturnType<typeof setUp>>} machine */
async function prove({ chromium, chromiumFlags, software }) {
  const runs = software ? WASM_RUNS : GPU_RUNS;
  // Not before set-up: it may only now have been installed.
  const { launchBrowser, openExample, waitForReport } = await import('./lib/example-driver.mjs');
  const server = await serveFolder(exampleDist);
  const browser = await launchBrowser(chromium, software ? plainFlags() : chromiumFlags);
  try {
    if (software) console.log(`\n${WITHOUT_GPU}`);
    console.log(`\nProving in headless Chromium (${chromium})\n`);
    const reports = [];
    for (const { name, backend } of runs) {
      const url = `${server.url}?backend=${backend}&autorun=1`;
      const { page, complaints } = await openExample(browser.context, url);
      try {
        const report = await waitForReport(page, ['verified'], {
          onTick: (text) => showProgress(`${name}: ${text}`),
        });
        showProgress('');
        console.log(`${name}: ${report.proof.verified ? 'proof verified' : 'PROOF NOT VERIFIED'}`);
        reports.push({ ...report, idle: await idleFrame(page) });
      } catch (error) {
        throw new SetupError([`${name}: ${error instanceof Error ? error.message : error}`, ...complaints].join('\n'));
      } finally {
        await page.close();
      }
    }
    console.log(`\n${formatTable(tableOf(runs, reports))}\n`);
    return tell(runs, reports);
  } finally {
    await browser.close();
    await server.close();
  }
}

/**
 * The longest frame of the page while it does nothing, in milliseconds. @param {import('playwright-core').Page} page
 */
async function idleFrame(page) {
  await page.waitForSelector('#frames[data-idle]');
  return Number(await page.getAttribute('#frames', 'data-idle'));
}

/** One row a fact, one column a run. @param {readonly Run[]} runs @param {any[]} reports */
function tableOf(runs, reports) {
  const phases = new Set(reports.flatMap(({ proof }) => Object.keys(proof.report.ms)));
  phases.delete('total');
  const starts = new Set(reports.flatMap(({ start }) => Object.keys(start.report.ms)));
  starts.delete('total');
  const row = (/** @type {string} */ name, /** @type {(report: any) => string} */ cell) => [name, ...reports.map(cell)];
  return [
    ['', ...runs.map(({ name }) => name)],
    row('open workers, GPU', ({ start }) => ms(start.openMs)),
    row('load the key', ({ start }) => ms(start.keyMs)),
    ...[...starts].map((phase) => row(`  ${phase}`, ({ start }) => ms(start.report.ms[phase]))),
    row('prove', ({ proof }) => ms(proof.ms)),
    ...[...phases].map((phase) => row(`  ${phase}`, ({ proof }) => phaseCell(proof.report, phase))),
    row('verified by the page', ({ proof }) => ms(proof.verifyMs)),
    row('longest frame while proving', ({ frames }) => ms(frames.longest)),
    row('longest frame of the idle page', ({ idle }) => ms(idle)),
    row('backend', ({ proof }) => proof.report.backend),
    row('workers', ({ capabilities }) => String(capabilities.threads)),
    row('key from', ({ start }) => (start.cached ? 'cache' : 'file')),
    row('proof', ({ proof }) => (proof.verified ? 'verified' : 'NOT VERIFIED')),
  ];
}

/** A phase's time, and who computed it where that is a choice. @param {any} report @param {string} phase */
function phaseCell(report, phase) {
  const part = /^msm (\w+)$/.exec(phase)?.[1];
  const executor = part === undefined ? undefined : report.parts[part];
  const where = executor === undefined ? '' : executor === 'webgpu' ? 'GPU ' : 'WASM ';
  return `${where}${ms(report.ms[phase])}`;
}

/** Says what the runs showed; gives the exit code. @param {readonly Run[]} runs @param {any[]} reports */
function tell(runs, reports) {
  const [cold, warm] = reports;
  const { webgpu } = cold.capabilities;
  if (webgpu.available) {
    console.log(`Adapter: ${[webgpu.vendor, webgpu.architecture, webgpu.description].filter(Boolean).join(' ')}`);
  }
  const saved = cold.start.keyMs - warm.start.keyMs;
  console.log(
    `From the cache the key was ready in ${ms(warm.start.keyMs)} instead of ${ms(cold.start.keyMs)}: ` +
      `${saved >= 0 ? `${ms(saved)} saved` : `nothing saved (${ms(-saved)} more)`}.`,
  );
  if (webgpu.software) {
    console.log('This adapter is a software one: its times mean nothing. On a GPU, look again.');
  }
  const faults = reports.flatMap((report, index) => {
    const { name, backend, cached } = runs[index];
    return [
      report.proof.verified ? '' : `${name}: the proof does not verify`,
      report.proof.report.backend === backend
        ? ''
        : `${name}: expected the backend ${backend}, got ${report.proof.report.backend}`,
      cached === undefined || report.start.cached === cached
        ? ''
        : `${name}: expected the key from ${cached ? 'the cache' : 'its file'}`,
    ].filter(Boolean);
  });
  for (const fault of faults) console.error(fault);
  return faults.length > 0 ? 1 : 0;
}

/** @param {number | undefined} value milliseconds */
function ms(value) {
  return value === undefined ? '–' : `${value.toFixed(value < 10 ? 1 : 0)} ms`;
}

/** @param {number} value milliseconds */
function seconds(value) {
  return `${(value / 1000).toFixed(1)} s`;
}

/** Shows a line in place of the one before it, on a terminal. @param {string} text */
function showProgress(text) {
  if (process.stdout.isTTY) process.stdout.write(`\r\x1b[K${text}`);
}
