import { getEventListeners } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Prover, ProverOptions } from '../../sdk/api/index.js';
import { testCircuit } from '../support/circuits.js';
import { collectGarbage } from '../support/collect-garbage.js';
import { inPlaceProver } from '../support/in-place-prover.js';
import { createProver } from '../support/prover.js';
import { Random } from '../support/random.js';
import { UNIVERSAL_SYSTEMS, type UniversalProver } from '../support/universal-systems.js';
import type { Campaign, OpenCampaign, Tier } from './campaign.js';
import { type CountedGpu, countedGpu } from './counted-gpu.js';
import { expectNoMoreThan, type Held, held, mostOf } from './left-behind.js';
import { MemoryTrend } from './memory-trend.js';
import { type Given, LIVES } from './prover-lives.js';

/** Milliseconds that the threads of the provers before the first case have to end. */
const ENDING_MS = 500;

/** A prover of a case, and what it is called in the report. */
interface Made {
  readonly prover: Prover;
  readonly name: string;
}

/**
 * On worker threads as callers have it, or with all workers on this thread; on the GPU always the latter, whose devices
 * can be counted.
 */
async function make(random: Random, counted: CountedGpu | undefined, directory: string): Promise<Made> {
  const cache = random.integer(3) === 0 ? { directory } : false;
  const options: ProverOptions = { threads: 1 + random.integer(2), cache, backend: 'wasm' };
  if (counted !== undefined) {
    const backend = random.integer(2) === 0 ? 'webgpu' : 'auto';
    const prover = await inPlaceProver({ ...options, backend }, { gpu: async () => counted.gpu });
    return { prover, name: backend };
  }
  if (random.integer(2) === 0) return { prover: await inPlaceProver(options), name: 'on this thread' };
  return { prover: await createProver(options), name: 'on threads' };
}

/** A prover that cannot start. */
async function failToMake(counted: CountedGpu | undefined): Promise<readonly string[]> {
  const starting =
    counted === undefined
      ? createProver({ backend: 'wasm', threads: 1, assets: { coordinator: 'file:///none.js' } })
      : inPlaceProver({ backend: 'webgpu' }, { gpu: async () => undefined });
  const code = await starting.then(
    () => 'a prover',
    (error: { code?: string }) => error.code,
  );
  const expected = counted === undefined ? 'WORKER_FAILED' : 'WEBGPU_UNAVAILABLE';
  if (code !== expected) throw new Error(`expected ${expected}, got ${code}`);
  return ['not started'];
}

export const provers: Campaign = {
  about:
    'a prover that was disposed, at whatever time, leaves no thread, handle, descriptor, listener, process, GPU buffer or part of a file',
  tiers: ['wasm', 'webgpu'],
  short: { wasm: 8, webgpu: 3 },
  full: 1000,
  async open(tier: Tier): Promise<OpenCampaign> {
    const subjects: Pick<Given, 'circuit' | 'of'>[] = [
      { circuit: await testCircuit('smallest'), of: ({ groth16 }) => groth16 as unknown as UniversalProver },
    ];
    for (const { circuitOf, of } of UNIVERSAL_SYSTEMS) subjects.push({ circuit: await circuitOf('smallest'), of });
    const counted = tier === 'webgpu' ? await countedGpu() : undefined;
    const { signal } = new AbortController();
    const directory = mkdtempSync(join(tmpdir(), 'pippin-provers-'));
    const count = (): Held => ({
      ...held(),
      ...counted?.count(),
      'listeners of the shared signal': getEventListeners(signal, 'abort').length,
      'unfinished files of the cache': filesIn(directory).filter((name) => name.endsWith('.tmp')).length,
    });
    /** One prover from its making to its end. */
    const live = async (
      life: string,
      random: Random,
      subject = subjects[random.integer(subjects.length)]!,
    ): Promise<readonly string[]> => {
      const { prover, name } = await make(random, counted, directory);
      try {
        await LIVES[life]!(prover, { random, signal, ...subject });
        return [name, life];
      } catch (error) {
        // All that this GPU computes is wrong. Whoever asked for it is told; with `auto` the workers compute once more.
        if (name !== 'webgpu' || (error as { code?: string }).code !== 'RESULT_INVALID') throw error;
        return [name, life, 'RESULT_INVALID'];
      } finally {
        await prover.dispose();
      }
    };
    const names = Object.keys(LIVES);
    /** What the process holds once it has had provers of each kind: Node's own threads, and what it keeps open. */
    const warmUp = async (): Promise<Held> => {
      const atStart = count();
      const random = new Random(0);
      for (const life of names) await live(life, random);
      for (const subject of subjects) await live('a proof', random, subject);
      await delay(ENDING_MS);
      collectGarbage();
      await delay(ENDING_MS);
      return mostOf(atStart, count());
    };
    const trend = new MemoryTrend(false);
    let before: Held | undefined;
    return {
      async run(random) {
        before ??= await warmUp();
        const life = names[random.integer(names.length + 1)];
        const kinds = life === undefined ? await failToMake(counted) : await live(life, random);
        await expectNoMoreThan(before, count);
        trend.caseDone();
        return kinds;
      },
      figures: () => trend.figures(),
      async close() {
        rmSync(directory, { recursive: true, force: true });
      },
    };
  },
};

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true }).map(String);
}
