import { describe, expect, it } from 'vitest';
import { atomic, given, read, readWrite, stageDefiner } from '../../../../sdk/executors/gpu/runtime/stage.js';
import { stageHeader } from '../../../../sdk/executors/gpu/runtime/stage-header.js';
import { MAX_PARAMS } from '../../../../sdk/executors/gpu/runtime/submit-params.js';
import { sharedDevice } from '../test-device.js';

const define = stageDefiner<'source' | 'bins', { readonly rows: number }, 'field'>();

const stage = define({
  name: 'example',
  entry: 'threads',
  workgroupSize: 128,
  arithmetic: 'field',
  bindings: { source: read('source', 'vec4u'), allBins: atomic('bins'), output: given('read_write') },
  params: ['rowLength', 'shift'],
  constants: { BINS_AT: 7 },
  shader: 'fn run(t: u32) { output[t] = source[t].x + atomicAdd(&all_bins[BINS_AT], params.row_length); }',
  bytes: ({ rows }) => ({ bins: 4 * rows }),
  dispatches: ({ end, output }: { end: number; output: GPUBuffer | 'source' }) => [
    { first: 256, end, params: { shift: 2, rowLength: 5 }, buffers: { output }, cost: 3 },
  ],
});

describe('a stage', () => {
  it('brings parameters and buffers into the order of their declaration', () => {
    const buffer = {} as GPUBuffer;
    expect(stage.dispatches({ end: 1000, output: buffer })).toEqual([
      { kernel: stage, first: 256, end: 1000, params: [5, 2], buffers: ['source', 'bins', buffer], cost: 3 },
    ]);
    expect(stage.dispatches({ end: 1, output: 'source' })[0]!.buffers).toEqual(['source', 'bins', 'source']);
    expect(stage.bytes({ rows: 3 })).toEqual({ bins: 12 });
  });

  it('has a header with its bindings, parameters, constants and entry point', () => {
    expect(stageHeader(stage)).toBe(`struct Params {
  limbs: u32,
  first: u32,
  end: u32,
  row_length: u32,
  shift: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> source: array<vec4u>;
@group(0) @binding(2) var<storage, read_write> all_bins: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read_write> output: array<u32>;
const WORKGROUP = 128u;
const BINS_AT = 7u;
@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let t = params.first + id.x + id.y * groups.x * WORKGROUP;
  if (t < params.end) {
    run(t);
  }
}`);
  });

  it('compiles, by threads and by workgroups', async () => {
    const gpu = await sharedDevice();
    const shaders = {
      threads: 'fn run(t: u32) { all_sums[t] = WORKGROUP; }',
      workgroups: 'fn run(t: u32, local: u32) { workgroupBarrier(); all_sums[t] = local; }',
    };
    for (const entry of ['threads', 'workgroups'] as const) {
      const kernel = define({
        name: entry,
        entry,
        workgroupSize: 256,
        bindings: { allSums: readWrite('bins') },
        params: [],
        shader: shaders[entry],
        dispatches: () => [],
      });
      const code = `${stageHeader(kernel)}\n${kernel.shader}`;
      await expect(gpu.pipelines.get(`test ${entry}`, kernel, code)).resolves.toBeDefined();
    }
  });

  it('has no more parameters than fit the binding', () => {
    const params = Array.from({ length: MAX_PARAMS + 1 }, (_, i) => `p${i}`);
    const declare = () =>
      define({
        name: 'full',
        entry: 'threads',
        workgroupSize: 64,
        bindings: {},
        params,
        shader: '',
        dispatches: () => [],
      });
    expect(declare).toThrow(`expected at most ${MAX_PARAMS} parameters of full, got ${MAX_PARAMS + 1}`);
  });
});
