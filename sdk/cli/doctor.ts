import { bn254 } from '../curves/index.js';
import { asPippinError } from '../errors.js';
import { bigintToBytes } from '../field/bytes.js';
import { encodePoint } from '../field/point-bytes.js';
import { openProver } from './prover.js';
import type { Options } from './usage.js';

/** What a check found: whether it passed, and in words. */
interface Finding {
  readonly ok: boolean;
  readonly detail: string;
}

/** 2 G + 3 G = 5 G, on one backend. */
async function checkBackend(backend: 'wasm' | 'webgpu'): Promise<Finding> {
  try {
    const prover = await openProver({ backend, 'no-cache': true });
    try {
      const { capabilities } = prover;
      const generator = encodePoint('bn254', 'g1', bn254.g1.generator);
      const points = new Uint8Array([...generator, ...generator]);
      const bases = await prover.loadBases({ curve: 'bn254', points });
      const scalars = new Uint8Array([...bigintToBytes(2n, 32), ...bigintToBytes(3n, 32)]);
      const sum = await prover.msm(bases, scalars);
      const five = await prover.msm(bases, new Uint8Array([...bigintToBytes(5n, 32), ...bigintToBytes(0n, 32)]));
      if (sum.x !== five.x || sum.y !== five.y || sum.infinity) return { ok: false, detail: 'computes wrong results' };
      const { webgpu, threads } = capabilities;
      if (backend === 'wasm') return { ok: true, detail: `${threads} workers` };
      return {
        ok: true,
        detail: webgpu.available ? `${webgpu.description || webgpu.vendor}${webgpu.software ? ' (software)' : ''}` : '',
      };
    } finally {
      await prover.dispose();
    }
  } catch (error) {
    const { code, message, hint } = asPippinError(error);
    return { ok: false, detail: `${code}: ${message}${hint === undefined ? '' : ` (${hint})`}` };
  }
}

/** WASM must work; WebGPU is a gain where it is. */
export async function doctor(options: Options): Promise<number> {
  const wasm = await checkBackend('wasm');
  const webgpu = await checkBackend('webgpu');
  const platform = `${process.platform} ${process.arch}`;
  const ok = wasm.ok;
  if (options.json) {
    console.log(JSON.stringify({ ok, node: process.version, platform, wasm, webgpu }));
  } else {
    const line = (name: string, { ok, detail }: Finding): string =>
      `${name.padEnd(8)} ${ok ? 'works' : 'no'}: ${detail}`;
    console.log(`Node     ${process.version} on ${platform}\n${line('WASM', wasm)}\n${line('WebGPU', webgpu)}`);
  }
  return ok ? 0 : 1;
}
