import type { Capabilities, PerformanceMap, Prover } from '../api.js';
import { CURVES, type Curve, type CurveId } from '../curves/index.js';
import { asPippinError } from '../errors.js';
import { bigintToBytes, joinBytes } from '../field/bytes.js';
import { encodePoint } from '../field/point-bytes.js';
import { print } from './output.js';
import { openProver } from './prover.js';
import { describeMap } from './tune.js';
import type { Options } from './usage.js';

/** What the check of a backend found: whether it computes correctly, what it is, or why it cannot be used. */
interface Finding {
  readonly ok: boolean;
  /** Why the check failed. */
  readonly reason?: string;
  readonly capabilities?: Capabilities;
  /** The performance map that it plans by, if there is one. */
  readonly map?: PerformanceMap | undefined;
  /** The curves on which it computes right. */
  readonly curves: readonly CurveId[];
}

/**
 * Checks both backends: WASM on every curve, WebGPU on the first, because compiling the kernels of all curves takes long. The exit code
 * says whether WASM works; WebGPU is optional.
 */
export async function doctor(options: Options): Promise<number> {
  const all = Object.values(CURVES);
  const wasm = await checkBackend('wasm', all);
  const webgpu = await checkBackend('webgpu', all.slice(0, 1));
  const platform = `${process.platform} ${process.arch}`;
  const { threads, cache } = wasm.capabilities ?? {};
  const { ok, map } = wasm;
  if (options.json) {
    const { capabilities, curves: _, map: __, ...found } = webgpu;
    const { available, ...adapter } = capabilities?.webgpu ?? { available: false };
    await print(
      JSON.stringify({
        ok,
        node: process.version,
        platform,
        threads,
        cache,
        curves: wasm.curves,
        wasm: { ok, reason: wasm.reason },
        webgpu: { ...found, ...adapter },
        performanceMap: map,
      }),
    );
  } else {
    await print(`Node     ${process.version} on ${platform}
WASM     ${sentence(wasm, `${threads} workers, cache: ${cache}`)}
Curves   ${wasm.curves.join(', ') || 'none'}
WebGPU   ${sentence(webgpu, describeAdapter(webgpu))}
Map      ${map === undefined ? 'none; pippin tune makes one' : `of ${map.made}\n${describeMap(map).join('\n')}`}`);
  }
  return ok ? 0 : 1;
}

/** Computes 3 G - 2 G = G on each of these curves with one backend. */
async function checkBackend(backend: 'wasm' | 'webgpu', curves: readonly Curve[]): Promise<Finding> {
  const right: CurveId[] = [];
  try {
    const prover = await openProver({ backend });
    try {
      for (const curve of curves) if (await computesRight(prover, curve)) right.push(curve.id);
      const wrong = curves.flatMap(({ id }) => (right.includes(id) ? [] : [id]));
      const reason = wrong.length === 0 ? {} : { reason: `computes wrong results on ${wrong.join(', ')}` };
      const map = await prover.performanceMap();
      return { ok: wrong.length === 0, ...reason, capabilities: prover.capabilities, map, curves: right };
    } finally {
      await prover.dispose();
    }
  } catch (error) {
    const { code, message, hint } = asPippinError(error);
    return { ok: false, reason: `${code}: ${message}${hint === undefined ? '' : ` (${hint})`}`, curves: right };
  }
}

/** 3 G - 2 G = G. */
async function computesRight(prover: Prover, { id, g1, fr, scalarBytes }: Curve): Promise<boolean> {
  const generator = encodePoint(id, 'g1', g1.generator);
  const bases = await prover.loadBases({ curve: id, points: new Uint8Array([...generator, ...generator]) });
  const scalars = [3n, fr.modulus - 2n].map((scalar) => bigintToBytes(scalar, scalarBytes));
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
