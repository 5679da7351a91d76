import { join } from 'node:path';
import { defineConfig, type OutputOptions, type Plugin, type RolldownOptions } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import farmManifest from './farm/package.json' with { type: 'json' };
import manifest from './package.json' with { type: 'json' };
import { classicDefine, classicIntro, classicWorkers } from './scripts/lib/classic-scripts.mjs';
import { flatImports } from './scripts/lib/flat-imports.mjs';
import { nodeChunks, pageChunks } from './scripts/lib/page-chunks.mjs';
import { plainQuotes } from './scripts/lib/plain-quotes.mjs';
import { wgslAsText } from './scripts/lib/wgsl.mjs';
import { withoutFacades } from './scripts/lib/without-facades.mjs';

/** What a page loads by URL, and its entry. */
const BROWSER_ENTRIES = {
  index: 'sdk/index.ts',
  ceremony: 'sdk/ceremony.ts',
  encodings: 'sdk/encodings.ts',
  queue: 'sdk/queue.ts',
  snarkjs: 'sdk/snarkjs.ts',
  'without-exports': 'sdk/without-exports.ts',
  webview: 'sdk/webview.ts',
  extension: 'sdk/extension.ts',
  coordinator: 'workers/coordinator.ts',
  kernel: 'workers/kernel.ts',
  witness: 'workers/witness.ts',
};

/** What a page fetches in the background, after its first key (`Backends.prefetchCode`). */
const SPARE_CODE = ['sdk/bases/deferred-code.ts', 'sdk/proofs/groth16/deferred-code.ts'];

const PAGE_CHUNKS = pageChunks({
  page: pathOf(BROWSER_ENTRIES.index),
  bridges: [BROWSER_ENTRIES.webview, BROWSER_ENTRIES.extension, BROWSER_ENTRIES.queue].map(pathOf),
  readers: [BROWSER_ENTRIES.encodings, BROWSER_ENTRIES.snarkjs, BROWSER_ENTRIES['without-exports']].map(pathOf),
  workers: [
    { script: pathOf(BROWSER_ENTRIES.coordinator) },
    // Both are small, and the coordinator has most of them.
    { script: pathOf(BROWSER_ENTRIES.kernel), chunk: 'workers' },
    { script: pathOf(BROWSER_ENTRIES.witness), chunk: 'workers' },
  ],
  later: [
    { script: pathOf('sdk/engine/gpu-code.ts'), by: pathOf(BROWSER_ENTRIES.coordinator) },
    { script: pathOf('sdk/executors/workers/kernel/scalars-kernel.ts'), by: pathOf(BROWSER_ENTRIES.kernel) },
  ],
  spare: { scripts: SPARE_CODE.map(pathOf), by: pathOf(BROWSER_ENTRIES.coordinator), chunk: 'deferred-code' },
});

/**
 * What an application in Node imports, and the command line. They share chunks, so that a PippinError is of the same
 * class whichever of them throws it.
 */
const NODE_ENTRIES = {
  node: 'sdk/node.ts',
  'ceremony-node': 'sdk/ceremony-node.ts',
  'encodings-node': 'sdk/encodings-node.ts',
  'queue-node': 'sdk/queue.ts',
  'snarkjs-node': 'sdk/snarkjs-node.ts',
  cli: 'sdk/cli.ts',
};

/** The scripts of the engine's thread in Node and of processes for further GPUs. */
const NODE_ENGINES = { 'coordinator-node': 'workers/coordinator-node.ts', 'device-node': 'workers/device-node.ts' };

/** The scripts of Node's other threads. Each is one file. */
const NODE_WORKERS = {
  'kernel-node': 'workers/kernel-node.ts',
  'witness-node': 'workers/witness-node.ts',
};

/**
 * The same for pages and service workers that load no modules: scripts that hold all they need. The first sets the
 * global `Pippin`, and is the coordinator's as well.
 */
const CLASSIC_ENTRIES = {
  pippin: 'sdk/classic.ts',
  kernel: BROWSER_ENTRIES.kernel,
  witness: BROWSER_ENTRIES.witness,
};

/** All that is not bundled: a browser resolves no bare names, in a worker not even by an import map. */
const EXTERNAL = [/^node:/, 'pippin-prover', 'react', 'webgpu'];

/** The package pippin-farm: its entry, and the script of its worker processes. */
const FARM_ENTRIES = { index: 'farm/src/index.ts', worker: 'farm/src/worker.ts' };

/** Its dependencies are installed with it. */
const FARM_EXTERNAL = [
  /^node:/,
  /^pippin-prover/,
  ...Object.keys(farmManifest.dependencies).map((name) => new RegExp(`^${name}(/|$)`)),
];

/** The sources whose types package.json exports, by their paths in dist/types. */
const TYPED_ENTRIES = Object.fromEntries(
  [...JSON.stringify(manifest.exports).matchAll(/"\.\/dist\/types\/([^"]+)\.d\.ts"/g)].map(([, name]) => [
    name,
    pathOf(`build/declarations/sdk/${name}.d.ts`),
  ]),
);

/**
 * What is bundled into pippin-farm of sdk/base throws the errors of the SDK that is installed beside it, so that
 * `instanceof` holds.
 */
const errorsOfSdk: Plugin = {
  name: 'errors-of-sdk',
  resolveId: (name, importer) =>
    name === './errors.js' && importer?.startsWith(pathOf('sdk/base/'))
      ? { id: 'pippin-prover', external: true }
      : null,
};

/**
 * Declarations as they ship: indented by tabs, which are shorter, with the names of the sources in their comments, and
 * without the bundler's helper for namespaces, which has no types and which no declaration imports.
 */
const shippedDeclarations: Plugin = {
  name: 'shipped-declarations',
  generateBundle(_, files) {
    for (const [name, file] of Object.entries(files)) {
      if (name.includes('rolldown-runtime')) delete files[name];
      else if (file.type === 'chunk') {
        file.code = file.code
          .replace(/^(?: {2})+/gm, (spaces) => '\t'.repeat(spaces.length / 2))
          .replace(/^\/\/ build\/declarations\/\w+\//gm, '// ');
      }
    }
  },
};

/**
 * All files lie in one folder, so that `new URL('./kernel.js', import.meta.url)` means the same from each. A page
 * downloads code that its scripts share once, in chunks. All is minified, since no bundler does that to files which a
 * site copies. In Node the script of a thread of which there are many is one file: every thread loads its files anew,
 * and finding and linking a file takes a thread longer than compiling it.
 */
export default defineConfig([
  bundleOf(BROWSER_ENTRIES, { plugins: [plainQuotes, flatImports], codeSplitting: PAGE_CHUNKS }),
  // The side of an app, which may be React Native: one file, without import.meta and DOM.
  bundleOf({ 'webview-client': 'sdk/webview-client.ts' }),
  // The hooks import the package by its name, so that its entry fits the platform and errors are of one class. Next.js
  // takes them for the client.
  bundleOf({ react: 'sdk/react.ts' }, { banner: "'use client';" }, [errorsOfSdk]),
  bundleOf(
    { ...NODE_ENTRIES, ...NODE_ENGINES },
    {
      plugins: [withoutFacades],
      codeSplitting: nodeChunks(Object.values(NODE_ENTRIES).map(pathOf), Object.values(NODE_ENGINES).map(pathOf)),
    },
  ),
  farmBundle(),
  ...Object.entries(NODE_WORKERS).map(([name, file]) => bundleOf({ [name]: file }, { codeSplitting: false })),
  ...Object.entries(CLASSIC_ENTRIES).map(([name, file]) => classicScript({ [name]: file })),
  typesOf(TYPED_ENTRIES, 'dist/types', EXTERNAL),
  typesOf({ index: pathOf('build/declarations/farm/farm/src/index.d.ts') }, 'farm/dist/types', FARM_EXTERNAL),
]);

function pathOf(file: string): string {
  return join(import.meta.dirname, file);
}

function farmBundle(): RolldownOptions {
  return { ...bundleOf(FARM_ENTRIES, { dir: 'farm/dist' }), external: FARM_EXTERNAL, plugins: [errorsOfSdk] };
}

/**
 * The types of these entries and of what they share, bundled from the declarations that `scripts/build.mjs` has the
 * compiler write: it takes a tenth of the time that the bundler's plugin takes for them.
 */
function typesOf(input: Record<string, string>, dir: string, external: (string | RegExp)[]): RolldownOptions {
  return {
    input,
    external,
    plugins: [dts({ dtsInput: true, tsconfig: false }), shippedDeclarations],
    // `await using` needs a library that not every application names, and the bundler drops references to libraries.
    output: {
      dir,
      format: 'esm',
      chunkFileNames: 'shared/[name].d.ts',
      banner: '/// <reference lib="esnext.disposable" />',
    },
  };
}

function classicScript(input: Record<string, string>): RolldownOptions {
  const options = bundleOf(input, {
    dir: 'dist/classic',
    format: 'iife',
    intro: classicIntro,
    codeSplitting: false,
    sourcemap: false,
  });
  return { ...options, plugins: [wgslAsText, classicWorkers], transform: { define: classicDefine } };
}

function bundleOf(input: Record<string, string>, output: OutputOptions = {}, plugins: Plugin[] = []): RolldownOptions {
  return {
    input,
    external: EXTERNAL,
    platform: 'neutral',
    plugins: [wgslAsText, ...plugins],
    // Paths in source maps and comments name node_modules, wherever a link leads.
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] }, mainFields: ['module', 'main'], symlinks: false },
    output: {
      dir: 'dist',
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: 'chunk-[name]-[hash].js',
      minify: true,
      // Beside the scripts, for those who debug them here. The package leaves maps out, so no script names one.
      sourcemap: 'hidden',
      ...output,
    },
  };
}
