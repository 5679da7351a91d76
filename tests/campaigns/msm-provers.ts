import type { Prover, WasmModuleName } from '../../sdk/api/index.js';
import type { NoticeCode } from '../../sdk/api/progress.js';
import { built } from '../support/in-process-engine.js';
import { createProver } from '../support/prover.js';
import { ALL_CURVES } from '../support/registry.js';
import { allowRelaxedSimd } from '../support/relaxed-simd.js';
import type { Tier } from './campaign.js';

/**
 * Each prover of a campaign of sums, by name. Those of the workers differ by their module: '' is the one of limbs in
 * i64.
 */
const MODULES = { i64: '', simd: '-simd', fma: '-fma' } as const;
const SPLIT_THREADS = 3;

/** What tells that another executor than the one under test has computed. */
const FAULTS: ReadonlySet<NoticeCode> = new Set([
  'WEBGPU_UNAVAILABLE',
  'WEBGPU_DISTRUSTED',
  'MSM_REDONE',
  'WEBGPU_SLOWER',
]);

export type MsmProverName = 'i64' | 'simd' | 'fma' | 'split workers' | 'webgpu' | 'webgpu and workers';

/** The names of a tier's provers, with how often each is taken. */
export const SUM_PROVERS: Readonly<Record<Tier, readonly MsmProverName[]>> = {
  wasm: ['i64', 'simd', 'fma', 'i64', 'simd', 'fma', 'split workers'],
  webgpu: [...Array<MsmProverName>(15).fill('webgpu'), 'webgpu and workers'],
};

/** Provers that are opened when they are first asked for. */
export class MsmProvers {
  private readonly opened = new Map<MsmProverName, Promise<Prover>>();
  private fault: string | undefined;

  get(name: MsmProverName): Promise<Prover> {
    const prover = this.opened.get(name) ?? this.open(name);
    this.opened.set(name, prover);
    return prover;
  }

  /** Throws if something other than what was asked for has computed. */
  expectNoFault(): void {
    if (this.fault !== undefined) throw new Error(`expected no fault of an executor, got: ${this.fault}`);
  }

  async close(): Promise<void> {
    for (const prover of this.opened.values()) await (await prover).dispose();
  }

  private open(name: MsmProverName): Promise<Prover> {
    const isOnGpu = name.startsWith('webgpu');
    return createProver({
      backend: isOnGpu ? 'webgpu' : 'wasm',
      cache: false,
      ...(name === 'split workers' && { threads: SPLIT_THREADS }),
      split: name === 'split workers' || name === 'webgpu and workers',
      ...(name in MODULES && { assets: { wasm: modules(name as keyof typeof MODULES) } }),
      onNotice: ({ code, message }) => {
        if (FAULTS.has(code)) this.fault ??= `${code}: ${message}`;
      },
    });
  }
}

/** For each curve the module of one kind alone. */
function modules(kind: keyof typeof MODULES): Record<string, string> {
  if (kind === 'fma') allowRelaxedSimd();
  return Object.fromEntries(
    ALL_CURVES.map(({ id }) => [id, built(`${id}${MODULES[kind]}.wasm` as `${WasmModuleName}.wasm`)]),
  );
}
