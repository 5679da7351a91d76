import type { Capabilities, PerformanceMap, Prover } from '../../api/index.js';
import { bigintToBytes, joinBytes } from '../../base/bytes.js';
import { asPippinError } from '../../base/errors.js';
import { CURVES, type Curve, type CurveId } from '../../curves/index.js';
import { encodePoint } from '../../curves/point-bytes.js';
import { defineCommand } from '../command.js';
import type { Context } from '../context.js';
import { withHint } from '../hints.js';
import { errorText } from '../output.js';
import { openProver, stepOf } from '../prover.js';
import { describeMap } from './tune.js';

const NAMES = { wasm: 'the workers', webgpu: 'WebGPU' } as const;

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
 * Checks both backends: WASM on every curve, WebGPU on the first, because compiling the kernels of all curves takes
 * long. The exit code says whether WASM works; WebGPU is optional.
 */
export const doctorCommand = defineCommand({
  name: 'doctor',
  topic: 'machine',
  summary: 'tell what Pippin finds on this machine, and check that it computes correctly',
  usage: '[--json]',
  options: {},
  notes: ['Checks the workers on every curve, and WebGPU on the first.'],
  examples: ['pippin doctor'],
  exits: { 0: 'the workers compute correctly', 1: 'they do not' },
  async work(_, context) {
    const all = Object.values(CURVES);
    const wasm = await checkBackend('wasm', all, context);
    const webgpu = await checkBackend('webgpu', all.slice(0, 1), context);
    const platform = `${process.platform} ${process.arch}`;
    const { threads, cache } = wasm.capabilities ?? {};
    const { ok, map, curves, reason } = wasm;
    const { capabilities, curves: _curves, map: _map, ...found } = webgpu;
    const { available: _available, ...adapter } = capabilities?.webgpu ?? { available: false };
    const told = `Node     ${process.version} on ${platform}
WASM     ${sentence(wasm, `${threads} workers, cache: ${cache}`)}
Curves   ${curves.join(', ') || 'none'}
WebGPU   ${sentence(webgpu, describeAdapter(webgpu))}
Map      ${map === undefined ? 'none; pippin tune makes one' : `of ${map.made}\n${describeMap(map).join('\n')}`}`;
    const facts = { ok, node: process.version, platform, threads, cache, curves, wasm: { ok, reason } };
    await context.result({ ...facts, webgpu: { ...found, ...adapter }, performanceMap: map }, told);
    return ok ? 0 : 1;
  },
});

/** Computes 3 G - 2 G = G on each of these curves with one backend. */
async function checkBackend(backend: 'wasm' | 'webgpu', curves: readonly Curve[], context: Context): Promise<Finding> {
  const right: CurveId[] = [];
  try {
    context.step(`Starting ${NAMES[backend]}`);
    const prover = await openProver({ backend }, context);
    try {
      for (const curve of curves) if (await computesRight(prover, curve, backend, context)) right.push(curve.id);
      const wrong = curves.flatMap(({ id }) => (right.includes(id) ? [] : [id]));
      const reason = wrong.length === 0 ? {} : { reason: `computes wrong results on ${wrong.join(', ')}` };
      const map = await prover.performanceMap();
      return { ok: wrong.length === 0, ...reason, capabilities: prover.capabilities, map, curves: right };
    } finally {
      await prover.dispose();
    }
  } catch (error) {
    const failure = asPippinError(error);
    if (failure.code === 'ABORTED') throw error;
    return { ok: false, reason: errorText(withHint(failure)), curves: right };
  }
}

/** 3 G - 2 G = G. */
async function computesRight(
  prover: Prover,
  { id, g1, fr, scalarBytes }: Curve,
  backend: 'wasm' | 'webgpu',
  context: Context,
): Promise<boolean> {
  const call = stepOf(context, `Checking ${NAMES[backend]} on ${id}`);
  const generator = encodePoint(id, 'g1', g1.generator);
  const points = new Uint8Array([...generator, ...generator]);
  const bases = await prover.loadBases({ curve: id, points }, call);
  const scalars = [3n, fr.modulus - 2n].map((scalar) => bigintToBytes(scalar, scalarBytes));
  const { x, y } = await prover.msm(bases, joinBytes(scalars), call);
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
