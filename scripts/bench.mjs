import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { mustRun, root, runMain } from './lib/run.mjs';
import { setUp } from './lib/setup.mjs';

/**
 * `npm run bench -- [cpu|prove|gpu-msm|gpu-field|all] [--sizes 12,14] [--runs N] [--json F] [--stages] [--quick] [--only PATTERN]`:
 * builds, bundles the bench into one file under build/bench/ with the curves' WASM beside it, and runs it. gpu-msm and gpu-field
 * need nothing else and run on a bare machine; the last two options are gpu-field's.
 */
const NAMES = ['cpu', 'prove', 'gpu-msm', 'gpu-field'];

await runMain(async () => {
  const [first = 'all', ...rest] = process.argv.slice(2);
  const named = !first.startsWith('--');
  const which = named ? first : 'all';
  const names = which === 'all' ? NAMES : NAMES.filter((name) => name === which);
  if (names.length === 0) throw new Error(`expected a bench of ${NAMES.join(', ')}, all; got ${which}`);
  const { env } = await setUp();
  await build();
  const { rolldown } = await import('rolldown');
  const folder = join(root, 'build', 'bench');
  mkdirSync(folder, { recursive: true });
  for (const curve of ['bn254', 'bls12-377'])
    copyFileSync(join(root, 'dist', `${curve}.wasm`), join(folder, `${curve}.wasm`));
  for (const name of names) {
    const bundle = await rolldown({
      input: join(root, 'bench', `${name}.ts`),
      platform: 'node',
      external: [/^node:/, 'webgpu', 'snarkjs', 'ffjavascript'],
      moduleTypes: { '.wgsl': 'text' },
      resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
    });
    const file = join(folder, `${name}.mjs`);
    await bundle.write({ file, format: 'esm', codeSplitting: false });
    await mustRun(process.execPath, [file, ...(named ? rest : process.argv.slice(2))], { env });
  }
});
