import { joinBytes } from '../../sdk/base/bytes.js';
import type { GroupId } from '../../sdk/curves/index.js';
import { GpuRoots } from '../../sdk/executors/gpu/roots/gpu-roots.js';
import { openDevice } from '../../sdk/executors/gpu/runtime/device.js';
import { type ByteSource, memorySource } from '../../sdk/files/byte-source.js';
import { METHOD, readHeader } from '../../sdk/files/packed/header.js';
import { expectEqual, packingKernels } from '../lib/kernel.js';
import { median } from '../lib/measure.js';

/** Points of a call, as many as the prover gives a GPU at a time and fewer; and how many calls are timed. */
const HARDWARE = { sizes: [2 ** 11, 2 ** 13, 2 ** 15], calls: 20 };
const SOFTWARE = { sizes: [2 ** 8], calls: 2 };

/**
 * Prints how fast the GPU alone computes points of a packed key from x and a sign, by single calls and by two at a time.
 * The points of the first call are compared with the workers'.
 */
export async function gpuRoots(packed: Uint8Array): Promise<void> {
  const { create, globals } = (await import(process.env.WEBGPU_PATH ?? 'webgpu')) as typeof import('webgpu');
  Object.assign(globalThis, globals);
  // Dawn dies when its instance is collected.
  const instance = create([]);
  Object.assign(globalThis, { dawnInstance: instance });
  const gpu = await openDevice(instance);
  const { sizes, calls } = gpu.info.isSoftware ? SOFTWARE : HARDWARE;
  const kernels = await packingKernels('bn254');
  console.log(`\nsquare roots on ${gpu.info.vendor} ${gpu.info.architecture} ${gpu.info.description}`);
  console.log('group   points  ms a call  two at a time  million points a second  MB of packed bytes a second');
  for (const group of ['g1', 'g2'] as const) {
    const roots = new GpuRoots(gpu, 'bn254', group);
    await roots.ready;
    for (const count of sizes) {
      const compressed = await compressedPoints(memorySource(packed), group, count);
      const { points, missing } = await roots.decompress(compressed);
      if (missing.length > 0) throw new Error(`expected ${count} points, got ${count - missing.length}`);
      expectEqual(points, await kernels.decompress('bn254', group, compressed.slice(), 'x', 0), 'points of the GPU');
      const single: number[] = [];
      for (let i = 0; i < calls; i++) {
        const start = performance.now();
        await roots.decompress(compressed);
        single.push(performance.now() - start);
      }
      const start = performance.now();
      const take = async (): Promise<void> => {
        for (let i = 0; i < calls / 2; i++) await roots.decompress(compressed);
      };
      await Promise.all([take(), take()]);
      const each = (performance.now() - start) / calls;
      const rates = [count / each / 1e3, compressed.length / each / 1e3].map((rate) => rate.toFixed(2));
      console.log(
        `${group}     ${String(count).padStart(8)} ${median(single).toFixed(2).padStart(10)} ${each.toFixed(2).padStart(14)}` +
          `${rates[0]!.padStart(25)}${rates[1]!.padStart(29)}`,
      );
    }
    roots.release();
  }
  gpu.device.destroy();
}

/** As many points of a group as a packed key of BN254 has in one of its sections, over and over. */
async function compressedPoints(file: ByteSource, group: GroupId, count: number): Promise<Uint8Array<ArrayBuffer>> {
  const { header, end } = await readHeader(file);
  const [number, size] = group === 'g1' ? [1, 32] : [2, 64];
  let at = end;
  for (const { method, parameters, packed, id } of header.sections) {
    // Without a section's own infinities, its bytes are the points.
    if (method === METHOD.compressedPoints && parameters[0] === number && parameters[1] !== id && packed > 64 * size) {
      const points = await file.read(at, Math.min(packed, count * size));
      const times = Math.ceil((count * size) / points.length);
      return new Uint8Array(joinBytes(Array.from({ length: times }, () => points)).slice(0, count * size));
    }
    at += packed;
  }
  throw new Error(`expected a section of points of ${group}, got none`);
}
