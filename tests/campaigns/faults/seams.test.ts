import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { sourceFiles } from '../../../scripts/lib/import-graph.mjs';
import { root } from '../../support/root.js';
import { kindsOf } from './kinds.js';

/**
 * What sdk/ calls that answers from somewhere else: another thread or process, the GPU, a storage, a file, the network
 * or the browser. All other awaits wait for these, and fail with them. Each has the files that call it and a point of
 * the campaign that stands for it: a new caller is to be looked at.
 */
const SEAMS: Readonly<Record<string, { readonly point: string; readonly files: readonly string[] }>> = {
  '\\.requestAdapter\\(': { point: 'gpu.requestAdapter', files: ['executors/gpu/runtime/device'] },
  '\\.requestDevice\\(': { point: 'gpu.requestDevice', files: ['executors/gpu/runtime/device'] },
  '\\.createComputePipelineAsync\\(': {
    point: 'gpu.createComputePipelineAsync',
    files: ['executors/gpu/runtime/pipelines'],
  },
  '\\.mapAsync\\(': {
    point: 'gpu.mapAsync',
    files: ['executors/gpu/runtime/readbacks', 'executors/gpu/runtime/stage-timer', 'executors/gpu/runtime/staging'],
  },
  '\\.onSubmittedWorkDone\\(': {
    point: 'gpu.onSubmittedWorkDone',
    files: [
      'executors/gpu/runtime/gpu-memory',
      'executors/gpu/runtime/submitter',
      'executors/gpu/runtime/upload-buffer',
    ],
  },
  '\\.popErrorScope\\(': { point: 'gpu.popErrorScope', files: ['executors/gpu/runtime/guarded-device'] },
  'await this\\.store\\.\\w+\\(': {
    point: 'store.get',
    files: ['files/cache/prepared-cache', 'files/cache/storage-budget'],
  },
  '\\.openStore\\(': { point: 'store.open', files: ['engine/bases-cache'] },
  'platform\\.openFile\\(': { point: 'file.open', files: ['engine/sources/sources'] },
  '\\.compileWasm\\(': { point: 'wasm.compile', files: ['engine/backends'] },
  'subtle\\.digest\\(': { point: 'crypto.digest', files: ['files/cache/sha256'] },
  'remote<KernelHost>\\(': { point: 'worker.multiply', files: ['executors/workers/pool/pool'] },
  'remote<WitnessHost>\\(': { point: 'witness.calculate', files: ['engine/witness/witness-workers'] },
  'remote<DeviceHost>\\(': { point: 'process.multiply', files: ['executors/remote/remote-gpu'] },
  // The platforms' own fetches and compilations are behind `wasm.compile`.
  '\\bfetch\\(': {
    point: 'fetch',
    files: [
      'engine/sources/download-cache',
      'files/url-parts',
      'files/url-request',
      'files/url-source',
      'hosts/page/browser-engine',
      'hosts/snarkjs-alias/key-files',
    ],
  },
  'WebAssembly\\.compile\\w*\\(': {
    point: 'circuit.compile',
    files: ['files/witness/compile-circuit', 'hosts/page/browser-engine', 'hosts/page/compile-wasm'],
  },
};

/** The command line uses the engine from outside. */
const sources = sourceFiles('sdk').filter((file) => !/^sdk\/cli\//.test(file));

it.each(Object.entries(SEAMS))('what calls %s is known to the campaign faults', (call, { point, files }) => {
  const pattern = new RegExp(call);
  const calling = sources.filter((file) => pattern.test(readFileSync(`${root}/${file}`, 'utf8')));
  expect(calling.sort()).toEqual(files.map((file) => `sdk/${file}.ts`));
  expect(kindsOf(point).length).toBeGreaterThan(0);
});
