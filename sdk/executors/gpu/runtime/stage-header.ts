import type { Binding, GpuKernel } from './stage.js';
import { RUNTIME_PARAMS } from './submit-params.js';

/** `firstPieces` in WGSL's snake case: `first_pieces`. */
function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/**
 * The header of a kernel's WGSL, generated from its declaration: the struct `Params` and the binding `params`, the
 * storage bindings, the shared constants, `WORKGROUP` as the workgroup size, and the entry point `main`, which calls
 * `run`.
 */
export function stageHeader({ bindings, params, constants, workgroupSize, entry }: GpuKernel): string {
  return [
    'struct Params {',
    ...[...RUNTIME_PARAMS, ...params].map((name) => `  ${snakeCase(name)}: u32,`),
    '}',
    '@group(0) @binding(0) var<uniform> params: Params;',
    ...Object.entries(bindings).map(([name, binding], i) => bindingLine(name, binding, i + 1)),
    `const WORKGROUP = ${workgroupSize}u;`,
    ...Object.entries(constants).map(([name, value]) => `const ${name} = ${value}u;`),
    ENTRIES[entry](workgroupSize),
  ].join('\n');
}

function bindingLine(name: string, { access, element }: Binding, number: number): string {
  const type = access === 'atomic' ? `atomic<${element}>` : element;
  const mode = access === 'read' ? 'read' : 'read_write';
  return `@group(0) @binding(${number}) var<storage, ${mode}> ${snakeCase(name)}: array<${type}>;`;
}

/**
 * The entry points. Workgroups beyond the 65 535 of the first dimension continue in the second one, whose last row may
 * have a few excess workgroups.
 */
const ENTRIES = {
  threads: (size: number) => `@compute @workgroup_size(${size})
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let t = params.first + id.x + id.y * groups.x * WORKGROUP;
  if (t < params.end) {
    run(t);
  }
}`,
  workgroups: (size: number) => `@compute @workgroup_size(${size})
fn main(
  @builtin(local_invocation_index) local: u32,
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  run(params.first + (group.x + group.y * groups.x) * WORKGROUP + local, local);
}`,
} as const;
