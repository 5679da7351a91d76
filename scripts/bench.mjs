import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { copyProgram } from './lib/copy-program.mjs';
import { exampleFolder } from './lib/example.mjs';
import { montgomerySource } from './lib/montgomery.mjs';
import { compilePackedDigits } from './lib/packed-digits.mjs';
import { needRedis } from './lib/redis.mjs';
import { mustRun, root, runMain } from './lib/run.mjs';
import { setUp } from './lib/setup.mjs';
import { compileCircuit } from './lib/trusted-setup.mjs';
import { wgslAsText } from './lib/wgsl.mjs';

/**
 * `npm run bench --
 * [cpu|plonk|witness|pack|ceremony|first-visit|msm-calls|gpu-msm|gpu-quotient|gpu-ceremony|gpu-proof|gpu-check|gpu-msm-browser|gpu-field|growth|tune|strategies|affine-levels|wide-arithmetic|split|farm|farm-scale|verify|wide-msm|all]
 * [--sizes 12,14] [--runs N] [--threads N] [--json F] [--stages] [--quick] [--only PATTERN]`: builds, bundles the bench
 * into one file under build/bench/ with the curves' WASM beside it, and runs it. gpu-msm, gpu-quotient, gpu-field,
 * tune, strategies, affine-levels and farm-scale need nothing else and run on a bare machine, plonk, pack, ceremony, first-visit,
 * msm-calls, gpu-ceremony, gpu-proof, gpu-check, growth, split, verify and farm need the folder of their name. Each bench says which
 * options it takes.
 */
const NAMES = [
  'cpu',
  'plonk',
  'witness',
  'pack',
  'ceremony',
  'first-visit',
  'msm-calls',
  'gpu-msm',
  'gpu-quotient',
  'gpu-ceremony',
  'gpu-proof',
  'gpu-check',
  'gpu-msm-browser',
  'gpu-field',
  'growth',
  'tune',
  'strategies',
  'affine-levels',
  'wide-arithmetic',
  'split',
  'farm',
  'farm-scale',
  'verify',
  'wide-msm',
];
/** Those of them that ask a question of research, in bench/research: what they time is not in the package. */
const RESEARCH = ['gpu-field', 'strategies', 'affine-levels', 'wide-arithmetic'];

const MODULES = Object.keys(JSON.parse(readFileSync(join(root, 'wasm/generated/modules.json'), 'utf8')));

/**
 * Packages that are not bundled but loaded at run time: native ones, ones that load scripts of their own, and ones that
 * we may not copy.
 */
const EXTERNAL = [
  /^node:/,
  'webgpu',
  'snarkjs',
  'ffjavascript',
  'playwright-core',
  'puppeteer-core',
  'assemblyscript/asc',
];

await runMain(async () => {
  const [first = 'all', ...rest] = process.argv.slice(2);
  const named = !first.startsWith('--');
  const which = named ? first : 'all';
  const names = which === 'all' ? NAMES : NAMES.filter((name) => name === which);
  if (names.length === 0) throw new Error(`expected a bench of ${NAMES.join(', ')}, all; got ${which}`);
  const { env } = await setUp();
  if (names.includes('farm')) await needRedis();
  await build();
  const folder = join(root, 'build', 'bench');
  mkdirSync(folder, { recursive: true });
  copyWasm(folder);
  for (const name of names) {
    const file = join(folder, `${name}.mjs`);
    await bundle(RESEARCH.includes(name) ? `research/${name}` : name, file);
    if (name === 'msm-calls') await makeSdk(join(folder, 'msm-calls', 'sdk'));
    if (name === 'gpu-msm') await bundle('../workers/kernel-node', join(folder, 'kernel-node.mjs'));
    if (name === 'cpu') await makeCpuParts(folder);
    if (name === 'plonk') await makePlonkParts(join(folder, 'plonk'));
    if (name === 'witness') await makeWitnessParts(join(folder, 'witness'));
    if (name === 'pack') await makePackParts(join(folder, 'pack'));
    if (name === 'ceremony') await makeCeremonyParts(join(folder, 'ceremony'));
    if (name === 'gpu-ceremony') await makeCeremony(join(folder, 'gpu-ceremony', 'sdk'));
    if (name === 'first-visit') await makeVisitParts(join(folder, 'first-visit'));
    if (name === 'gpu-msm-browser') await makePage(join(folder, 'page'));
    if (name === 'growth') await makeGrowthParts(join(folder, 'growth'));
    if (name === 'gpu-proof') await makeProofParts(join(folder, 'gpu-proof'));
    if (name === 'strategies') writeFileSync(join(folder, 'packed-digits.wasm'), await compilePackedDigits());
    if (name === 'split') await bundleNode(join(folder, 'split'), ['kernel-node', 'device-node']);
    if (name === 'verify') await makeVerifyParts(join(folder, 'verify'));
    if (name === 'farm') await makeFarmParts(join(folder, 'farm'));
    if (name === 'gpu-check') await makeCheckParts(join(folder, 'gpu-check'));
    await mustRun(process.execPath, [file, ...(named ? rest : process.argv.slice(2))], { env });
  }
});

/**
 * The circuits whose witnesses are computed, and a page that computes them in a browser.
 *
 * @param {string} folder
 */
async function makeWitnessParts(folder) {
  const sources = [
    'bench/cpu/circuits/membership.circom',
    'bench/cpu/circuits/mimc.circom',
    'bench/cpu/circuits/sha256.circom',
    'tests/circuits/hash.circom',
  ];
  for (const source of sources) await compileCircuit(join(root, source), folder, ['--O2']);
  const { rolldown } = await import('rolldown');
  const made = await rolldown({
    input: join(root, 'bench', 'witness', 'page.ts'),
    platform: 'browser',
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
  });
  await made.write({ dir: folder, format: 'esm', entryFileNames: '[name].js' });
  const html = '<!doctype html><title>witness</title><script type="module" src="page.js"></script>\n';
  writeFileSync(join(folder, 'index.html'), html);
}

/**
 * What the bench `pack` loads beside itself: the prover, and circuits that circom compiled.
 *
 * @param {string} folder
 */
async function makePackParts(folder) {
  await makeProver(folder);
  await pack('gpu-proof/pack-circuits', folder);
}

/**
 * What the bench `ceremony` loads beside itself: the entry for ceremonies, and snarkjs.
 *
 * @param {string} folder
 */
async function makeCeremonyParts(folder) {
  await makeCeremony(join(folder, 'sdk'));
  await makeSnarkjs(folder);
}

/** @param {string} folder */
async function makeCeremony(folder) {
  await bundleNode(folder, ['ceremony-node', 'kernel-node']);
  copyWasm(folder);
}

/** @param {string} folder */
function copyWasm(folder) {
  for (const name of MODULES) copyFileSync(join(root, 'dist', `${name}.wasm`), join(folder, `${name}.wasm`));
}

/**
 * What the bench `cpu` loads beside itself: the process of a first call, the peer montgomery, the page.
 *
 * @param {string} folder
 */
async function makeCpuParts(folder) {
  await bundle('cpu/first-call-child', join(folder, 'first-call-child.mjs'));
  const montgomery = join(folder, 'montgomery.mjs');
  rmSync(montgomery, { force: true });
  const source = await montgomerySource();
  // Its curves are made of declarations with `using`, and its own imports are found among our packages.
  if (source !== undefined) {
    await bundle('cpu/peers/montgomery', montgomery, {
      resolve: { alias: { 'montgomery-source': source }, modules: [join(root, 'node_modules')] },
      transform: { target: 'es2022' },
    });
  }
  await makeApp(join(folder, 'app'));
}

/**
 * The SDK as an application's bundler makes it, with snarkjs beside it, and a page for both.
 *
 * @param {string} folder
 */
async function makeApp(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  copyWasm(folder);
  copyFileSync(join(root, 'node_modules', 'snarkjs', 'build', 'snarkjs.min.js'), join(folder, 'snarkjs.min.js'));
  writeFileSync(
    join(folder, 'index.html'),
    '<!doctype html><title>cpu</title><script src="snarkjs.min.js"></script>\n',
  );
  const { rolldown } = await import('rolldown');
  const scripts = ['index', 'coordinator', 'kernel', 'witness'];
  const made = await rolldown({
    input: Object.fromEntries(scripts.map((name) => [name, join(root, 'dist', `${name}.js`)])),
    platform: 'browser',
  });
  await made.write({ dir: folder, format: 'esm', entryFileNames: '[name].js', minify: true });
}

/**
 * What the bench `gpu-proof` loads beside itself: prover and snarkjs, circuits that circom compiled, and a page for a
 * browser.
 *
 * @param {string} folder
 */
async function makeProofParts(folder) {
  await makeProver(folder);
  await makeApp(join(folder, 'page'));
  await pack('gpu-proof/pack-circuits', folder);
}

/**
 * What the bench `plonk` loads beside itself: prover and snarkjs, and their versions.
 *
 * @param {string} folder
 */
async function makePlonkParts(folder) {
  await makeProver(folder);
  const versionIn = (/** @type {string[]} */ ...path) =>
    JSON.parse(readFileSync(join(root, ...path, 'package.json'), 'utf8')).version;
  const versions = { pippin: versionIn(), snarkjs: versionIn('node_modules', 'snarkjs') };
  writeFileSync(join(folder, 'versions.json'), JSON.stringify(versions));
}

/**
 * What `growth` loads beside itself: a page, the example's key and circuit, and snarkjs.
 *
 * @param {string} folder
 */
async function makeGrowthParts(folder) {
  await makeApp(join(folder, 'page'));
  await makeSnarkjs(folder);
  mkdirSync(join(folder, 'example'), { recursive: true });
  for (const name of ['note.zkey', 'note.wasm', 'input.json']) {
    copyFileSync(join(exampleFolder, 'key', name), join(folder, 'example', name));
  }
}

/**
 * What `first-visit` loads beside itself: the same, and circuits that circom compiled.
 *
 * @param {string} folder
 */
async function makeVisitParts(folder) {
  await makeGrowthParts(folder);
  await pack('first-visit/pack-circuits', join(folder, 'circuits'));
}

/**
 * What `gpu-check` loads beside itself: prover and snarkjs, and the circuits of the tests with their keys.
 *
 * @param {string} folder
 */
async function makeCheckParts(folder) {
  await makeProver(folder);
  await pack('gpu-check/pack-circuits', join(folder, 'circuits'));
}

/**
 * What `verify` loads beside itself: the prover, and circuits of the tests with their keys.
 *
 * @param {string} folder
 */
async function makeVerifyParts(folder) {
  await makeSdk(join(folder, 'sdk'));
  await pack('verify/pack-circuits', join(folder, 'circuits'));
}

/**
 * What `farm` loads beside itself: the scripts of workers with all packages, the example's key and circuit, and
 * redis-server with its libraries, if this machine has it.
 *
 * @param {string} folder
 */
async function makeFarmParts(folder) {
  await bundleNode(join(folder, 'sdk'), ['node', 'coordinator-node', 'kernel-node', 'witness-node'], {
    'farm-worker': join(root, 'farm', 'dist', 'worker.js'),
  });
  copyWasm(join(folder, 'sdk'));
  mkdirSync(join(folder, 'example'), { recursive: true });
  for (const name of ['note.zkey', 'note.wasm', 'note.vkey.json', 'input.json']) {
    copyFileSync(join(exampleFolder, 'key', name), join(folder, 'example', name));
  }
  copyProgram('redis-server', join(folder, 'redis'));
}

/**
 * The prover for Node with all that it imports, and snarkjs in one file.
 *
 * @param {string} folder
 */
async function makeProver(folder) {
  await makeSdk(join(folder, 'sdk'));
  await makeSnarkjs(folder);
}

/**
 * The prover for Node with all that it imports.
 *
 * @param {string} folder
 */
async function makeSdk(folder) {
  await bundleNode(folder, ['node', 'coordinator-node', 'kernel-node', 'witness-node']);
  copyWasm(folder);
}

/**
 * snarkjs in one file.
 *
 * @param {string} folder
 */
async function makeSnarkjs(folder) {
  const { rolldown } = await import('rolldown');
  const snarkjs = await rolldown({ input: join(root, 'node_modules', 'snarkjs', 'main.js'), platform: 'node' });
  // Its workers start with the file itself, by the name that CommonJS gives it.
  await snarkjs.write({ file: join(folder, 'snarkjs.cjs'), format: 'cjs', codeSplitting: false });
}

/**
 * Scripts of the package for Node with all that they import, in a folder of their own.
 *
 * @param {string} folder
 * @param {readonly string[]} scripts
 * @param {Record<string, string>} [others] files that import the package, by the names of their bundles
 */
async function bundleNode(folder, scripts, others = {}) {
  const { rolldown } = await import('rolldown');
  const sdk = await rolldown({
    input: { ...Object.fromEntries(scripts.map((name) => [name, join(root, 'dist', `${name}.js`)])), ...others },
    platform: 'node',
    resolve: { alias: { webgpu: join(root, 'bench', 'gpu-proof', 'webgpu.ts') } },
  });
  rmSync(folder, { recursive: true, force: true });
  await sdk.write({ dir: folder, format: 'esm', entryFileNames: '[name].js' });
}

/**
 * Runs a bench file that packs circuits into a folder.
 *
 * @param {string} name
 * @param {string} folder
 */
async function pack(name, folder) {
  const packer = join(root, 'build', 'bench', 'pack-circuits.mjs');
  await bundle(name, packer);
  await mustRun(process.execPath, [packer, folder]);
}

/**
 * The page that `gpu-msm-browser` opens.
 *
 * @param {string} folder
 */
async function makePage(folder) {
  mkdirSync(folder, { recursive: true });
  copyWasm(folder);
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>gpu-msm</title>\n');
  await bundle('gpu-msm-page', join(folder, 'worker.js'), { platform: 'browser' });
}

/**
 * @param {string} name of a file of bench/
 * @param {string} file
 * @param {import('rolldown').InputOptions} [options] where they differ from those of all
 */
async function bundle(name, file, options = {}) {
  const { rolldown } = await import('rolldown');
  const made = await rolldown({
    input: join(root, 'bench', `${name}.ts`),
    platform: 'node',
    external: EXTERNAL,
    plugins: [wgslAsText],
    ...options,
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] }, ...options.resolve },
  });
  await made.write({ file, format: 'esm', codeSplitting: false });
}
