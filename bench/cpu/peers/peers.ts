import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Prover } from '../../../sdk/api/index.js';
import type { CurveId } from '../../../sdk/curves/index.js';
import { builtCreateProver } from '../built-prover.js';
import { type Ffjavascript, startFfjavascript } from './ffjavascript.js';
import type { MontgomeryPeer } from './montgomery-api.js';

/** The contenders of a run: our prover and the other implementations. Each is started when it is first asked for. */
export class Peers {
  private ours: Promise<Prover> | undefined;
  private readonly ff = new Map<CurveId, Promise<Ffjavascript>>();
  private mont: Promise<MontgomeryPeer | undefined> | undefined;

  constructor(readonly threads: number) {}

  prover(): Promise<Prover> {
    this.ours ??= builtCreateProver().then((create) =>
      create({ backend: 'wasm', threads: this.threads, cache: false }),
    );
    return this.ours;
  }

  ffjavascript(curve: CurveId): Promise<Ffjavascript> {
    let started = this.ff.get(curve);
    if (started === undefined) {
      started = startFfjavascript(curve, this.threads);
      this.ff.set(curve, started);
    }
    return started;
  }

  /** undefined if scripts/bench.mjs could not get montgomery's source. */
  montgomery(): Promise<MontgomeryPeer | undefined> {
    this.mont ??= startMontgomery(this.threads);
    return this.mont;
  }

  async close(): Promise<void> {
    await (await this.ours)?.dispose();
    await (await this.mont)?.stopThreads();
    for (const started of this.ff.values()) await (await started).terminate();
  }
}

async function startMontgomery(threads: number): Promise<MontgomeryPeer | undefined> {
  const url = new URL('./montgomery.mjs', import.meta.url);
  if (!existsSync(fileURLToPath(url))) return undefined;
  const peer = (await import(url.href)) as MontgomeryPeer;
  await peer.startThreads(threads);
  return peer;
}
