import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { mustRun, root, runMain } from './lib/run.mjs';
import { setUp } from './lib/setup.mjs';

/**
 * `npm run bench -- [cpu|prove|gpu-msm|gpu-msm-browser|gpu-field|all] [--sizes 12,14] [--runs N] [--json F] [--stages] [--quick] [--only PATTERN]`:
 * builds, bundles the bench into one file under build/bench/ with the curves' WASM beside it, and runs it. gpu-msm and gpu-field
 * need nothing else and run on a bare machine; the last two options are gpu-field's.
 */
const NAMES = ['cpu', 'prove', 'gpu-msm', 'gpu-msm-browser', 'gpu-field'];
const CURVES = ['bn254', 'bls12-377'];

await runMain(async () => {
  const [first = 'all', ...rest] = process.argv.slice(2);
  const named = !first.startsWith('--');
  const which = named ? first : 'all';
  const names = which === 'all' ? NAMES : NAMES.filter((name) => name === which);
  if (names.length === 0) throw new Error(`expected a bench of ${NAMES.join(', ')}, all; got ${which}`);
  const { env } = await setUp();
  await build();
  const folder = join(root, 'build', 'bench');
  mkdirSync(folder, { recursive: true });
  copyWasm(folder);
  for (const name of names) {
    const file = join(folder, `${name}.mjs`);
    await bundle(name, file, 'node');
    if (name === 'gpu-msm-browser') await makePage(join(folder, 'page'));
    await mustRun(process.execPath, [file, ...(named ? rest : process.argv.slice(2))], { env });
  }
});

/** @param {string} folder */
function copyWasm(folder) {
  for (const curve of CURVES) copyFileSync(join(root, 'dist', `${curve}.wasm`), join(folder, `${curve}.wasm`));
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
  await bundle('gpu-msm-page', join(folder, 'worker.js'), 'browser');
}

/**
 * @param {string} name of a file of bench/
 * @param {string} file
 * @param {'node' | 'browser'} platform
 */
async function bundle(name, file, platform) {
  const { rolldown } = await import('rolldown');
  const made = await rolldown({
    input: join(root, 'bench', `${name}.ts`),
    platform,
    external: [/^node:/, 'webgpu', 'snarkjs', 'ffjavascript', 'playwright-core'],
    moduleTypes: { '.wgsl': 'text' },
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
  });
  await made.write({ file, format: 'esm', codeSplitting: false });
}
