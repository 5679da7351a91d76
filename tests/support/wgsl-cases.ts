import { generateWgslByteField } from '../../scripts/generate/wgsl/byte-field.js';
import { generateWgslExtensionByteField } from '../../scripts/generate/wgsl/extension-byte-field.js';
import { generateWgslExtensionField } from '../../scripts/generate/wgsl/extension-field.js';
import { generateWgslField } from '../../scripts/generate/wgsl/field.js';
import { generateWgslScalarField, type WgslScalarCurve } from '../../scripts/generate/wgsl/scalar-field.js';
import type { WgslCurve } from '../../scripts/generate/wgsl/wgsl-curve.js';
import type { GroupId } from '../../sdk/curves/index.js';
import { wgslLimbs } from '../../sdk/curves/limbs.js';
import { composePointShader, pointLaw } from '../../sdk/executors/gpu/msm/compose.js';
import { layoutOf } from '../../sdk/executors/gpu/msm/point-layout.js';
import { elementsOf, withProducts } from '../../sdk/executors/gpu/msm/product-forms.js';
import type { GpuDevice, Products } from '../../sdk/executors/gpu/runtime/device.js';
import { BufferUsage, MapMode, ShaderStage } from '../../sdk/executors/gpu/runtime/flags.js';

/** Bytes of the kernel's `Params`: `limbs` and `count`, and two words of padding. */
const PARAMS_BYTES = 16;

/**
 * Runs the WGSL statements `body` on the GPU, once for each case, and returns `outWords` words for each. `body` reads
 * word k of the case from `input[at + k]` and writes word k of the result to `output[to + k]`. It can call the field
 * and point arithmetic of the curve's group. All cases have the same length.
 */
export async function runCases(
  gpu: GpuDevice,
  curve: WgslCurve,
  body: string,
  cases: readonly (readonly number[])[],
  outWords: number,
  products: Products = 'limbs',
  group: GroupId = 'g1',
): Promise<number[][]> {
  const form = group === 'g2' || curve.edwards === undefined ? 'weierstrass' : 'edwards';
  const layout = layoutOf(curve.fq.bits, form, group);
  const elements = elementsOf(products);
  const [generate, generateExtension] =
    elements === 'limbs'
      ? [generateWgslField, generateWgslExtensionField]
      : [generateWgslByteField, generateWgslExtensionByteField];
  const generated = [...generate(curve), ...(group === 'g2' ? generateExtension(curve) : [])];
  const text = generated.map((file) => file.text).join('\n');
  const field = withProducts(text, curve.fq, products);
  const limbs = elements === 'limbs' ? layout.limbs : layout.words;
  const law = pointLaw(layout, elements);
  const compose = (code: string): string => composePointShader({ field, law, layout }, code);
  return runOnField(gpu, compose, limbs, body, cases, outWords);
}

/** The same with the generated arithmetic of the curve's scalar field. */
export async function runScalarCases(
  gpu: GpuDevice,
  curve: WgslScalarCurve,
  body: string,
  cases: readonly (readonly number[])[],
  outWords: number,
): Promise<number[][]> {
  const [generated] = generateWgslScalarField(curve);
  const compose = (code: string): string => `${generated!.text}\n${code}`;
  return runOnField(gpu, compose, wgslLimbs(curve.fr.bits), body, cases, outWords);
}

/** Runs `body` behind what `compose` puts before it; an element has so many limbs. */
async function runOnField(
  gpu: GpuDevice,
  compose: (code: string) => string,
  limbs: number,
  body: string,
  cases: readonly (readonly number[])[],
  outWords: number,
): Promise<number[][]> {
  const inWords = cases[0]!.length;
  const code = compose(
    `struct Params { limbs: u32, count: u32, }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> input: array<u32>;
@group(0) @binding(2) var<storage, read_write> output: array<u32>;

fn field_at(at: u32) -> Field {
  return Field(array<u32, ${limbs}>(${Array.from({ length: limbs }, (_, j) => `input[at + ${j}u]`).join(', ')}));
}

fn field_put(to: u32, a: Field) {
  ${Array.from({ length: limbs }, (_, j) => `output[to + ${j}u] = a.v[${j}];`).join(' ')}
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= params.count) {
    return;
  }
  let at = id.x * ${inWords}u;
  let to = id.x * ${outWords}u;
${body}
}
`,
  );
  const { device } = gpu;
  const input = new Uint32Array(cases.flat());
  const make = (size: number, usage: number): GPUBuffer => device.createBuffer({ size, usage });
  const params = make(PARAMS_BYTES, BufferUsage.UNIFORM | BufferUsage.COPY_DST);
  const source = make(input.byteLength, BufferUsage.STORAGE | BufferUsage.COPY_DST);
  const target = make(4 * outWords * cases.length, BufferUsage.STORAGE | BufferUsage.COPY_SRC);
  const staging = make(target.size, BufferUsage.MAP_READ | BufferUsage.COPY_DST);
  device.queue.writeBuffer(params, 0, new Uint32Array([limbs, cases.length, 0, 0]));
  device.queue.writeBuffer(source, 0, input);
  // The layout is explicit, because an automatic one leaves out the binding of an input that a body does not read.
  const types: GPUBufferBindingType[] = ['uniform', 'read-only-storage', 'storage'];
  const { value, done } = gpu.checked(() => {
    const layout = device.createBindGroupLayout({
      entries: types.map((type, binding) => ({ binding, visibility: ShaderStage.COMPUTE, buffer: { type } })),
    });
    const pipeline = device.createComputePipelineAsync({
      layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }),
      compute: { module: device.createShaderModule({ code }), entryPoint: 'main' },
    });
    return { layout, pipeline };
  });
  await done;
  const pipeline = await value.pipeline;
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  const entries = [params, source, target].map((buffer, binding) => ({ binding, resource: { buffer } }));
  pass.setBindGroup(0, device.createBindGroup({ layout: value.layout, entries }));
  pass.dispatchWorkgroups(Math.ceil(cases.length / 64));
  pass.end();
  encoder.copyBufferToBuffer(target, 0, staging, 0, target.size);
  device.queue.submit([encoder.finish()]);
  await staging.mapAsync(MapMode.READ);
  const words = [...new Uint32Array(staging.getMappedRange())];
  for (const buffer of [params, source, target, staging]) buffer.destroy();
  return cases.map((_, i) => words.slice(i * outWords, (i + 1) * outWords));
}
