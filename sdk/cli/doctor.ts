import { CURVES, SCALAR_BYTES } from '../curves/index.js';
import { asPippinError } from '../errors.js';
import { bigintToBytes, joinBytes } from '../field/bytes.js';
import { encodePoint } from '../field/point-bytes.js';
import type { Capabilities, Prover } from '../node.js';
import { print } from './output.js';
import { openProver } from './prover.js';
import type { Options } from './usage.js';

/** What the check of a backend found: whether it computes correctly, what it is, or why it cannot be used. */
interface Finding {
  readonly ok: boolean;
  /** Why the check failed. */
  readonly reason?: string;
  readonly capabilities?: Capabilities;
}

/** Checks both backends. The exit code says whether WASM works; WebGPU is optional. */
export async function doctor(options: Options): Promise<number> {
  const wasm = await checkBackend('wasm');
  const webgpu = await checkBackend('webgpu');
  const platform = `${process.platform} ${process.arch}`;
  const { threads, cache } = wasm.capabilities ?? {};
  const { ok } = wasm;
  if (options.json) {
    const { capabilities, ...found } = webgpu;
    const { available, ...adapter } = capabilities?.webgpu ?? { available: false };
    await print(
      JSON.stringify({
        ok,
        node: process.version,
        platform,
        threads,
        cache,
        wasm: { ok, reason: wasm.reason },
        webgpu: { ...found, ...adapter },
      }),
    );
  } else {
    await print(`Node     ${process.version} on ${platform}
WASM     ${sentence(wasm, `${threads} workers, cache: ${cache}`)}
WebGPU   ${sentence(webgpu, describeAdapter(webgpu))}`);
  }
  return ok ? 0 : 1;
}

/** Computes 3 G - 2 G = G on the first curve with one backend. */
async function checkBackend(backend: 'wasm' | 'webgpu'): Promise<Finding> {
  try {
    const prover = await openProver({ backend });
    try {
      const right = await computesRight(prover);
      return { ok: right, ...(right ? {} : { reason: 'computes wrong results' }), capabilities: prover.capabilities };
    } finally {
      await prover.dispose();
    }
  } catch (error) {
    const { code, message, hint } = asPippinError(error);
    return { ok: false, reason: `${code}: ${message}${hint === undefined ? '' : ` (${hint})`}` };
  }
}

async function computesRight(prover: Prover): Promise<boolean> {
  const { id, g1, fr } = Object.values(CURVES)[0]!;
  const generator = encodePoint(id, 'g1', g1.generator);
  const bases = await prover.loadBases({ curve: id, points: new Uint8Array([...generator, ...generator]) });
  const scalars = [3n, fr.modulus - 2n].map((scalar) => bigintToBytes(scalar, SCALAR_BYTES));
  const { x, y } = await prover.msm(bases, joinBytes(scalars));
  const [expectedX, expectedY] = g1.generator;
  return x === expectedX && y === expectedY;
}

function sentence({ ok, reason }: Finding, facts: string): string {
  return ok ? `works: ${facts}` : `no: ${reason}`;
}

function describeAdapter({ capabilities }: Finding): string {
  if (capabilities?.webgpu.available !== true) return '';
  const { vendor, architecture, description, software } = capabilities.webgpu;
  const name = [vendor, architecture, description].filter((part) => part !== '').join(' ');
  return `${name}${software ? ' (software, used with --backend webgpu only)' : ''}`;
}
