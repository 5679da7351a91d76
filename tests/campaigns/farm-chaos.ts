import { setTimeout as delay } from 'node:timers/promises';
import { FINAL_STATES, type JobStatus } from '../../farm/src/queue/types.js';
import type { Groth16Proof, Groth16VerificationKey, Prover } from '../../sdk/api/index.js';
import { PippinError } from '../../sdk/base/errors.js';
import { EVERY_COMBINATION } from '../support/every-combination.js';
import { createProver } from '../support/prover.js';
import type { Random } from '../support/random.js';
import type { Campaign, OpenCampaign } from './campaign.js';
import { ChaoticFarm } from './farm/chaotic-farm.js';
import { type DrawnJob, drawJob } from './farm/drawn-jobs.js';

/** Jobs of a round, all of which are in the queue at a time: fewer in `npm test` alone. */
const JOBS = process.env.VITEST === undefined || EVERY_COMBINATION ? 25 : 8;

/**
 * A case is a round of jobs. While they are submitted and proved, workers and Redis are killed at random. Each job must
 * be answered, once: what its watcher saw last is its status for ever, the proof holds, and it is that of this job's
 * inputs.
 */
export const farmChaos: Campaign = {
  about: `${JOBS} jobs of a farm are each answered once while its workers and its Redis are killed`,
  tiers: ['wasm'],
  short: 1,
  full: 40,
  hangsAfterMs: 10 * 60_000,
  async open() {
    const [farm, verifier] = await Promise.all([
      ChaoticFarm.open(),
      createProver({ backend: 'wasm', threads: 1, cache: false }),
    ]);
    return new Rounds(farm, verifier);
  },
};

class Rounds implements OpenCampaign {
  private answered = 0;
  private attempts = 0;

  constructor(
    private readonly farm: ChaoticFarm,
    private readonly verifier: Prover,
  ) {}

  async run(random: Random, index: number): Promise<readonly string[]> {
    const jobs = Array.from({ length: JOBS }, () => drawJob(random));
    const over = new AbortController();
    const disturbing = this.farm.disturb(random, over.signal);
    try {
      const finals = await Promise.all(jobs.map((job, i) => this.answer(job, `${index}-${i}`)));
      over.abort();
      await disturbing;
      for (const [i, job] of jobs.entries()) await this.check(job, finals[i]!);
      await this.expectEndedOnce(finals);
      return finals.map(({ state, error }) => error?.code ?? state);
    } finally {
      over.abort();
      await disturbing;
    }
  }

  figures(): Readonly<Record<string, number | string>> {
    return { ...this.farm.kills, 'jobs answered': this.answered, 'times that a worker took a job': this.attempts };
  }

  async close(): Promise<void> {
    await this.farm.close();
    await this.verifier.dispose();
  }

  /** Submits a job, again as long as Redis is gone, and waits for its final status. */
  private async answer({ circuit, inputs }: DrawnJob, name: string): Promise<JobStatus> {
    const { id } = await persistently(() => this.farm.queue.submit({ circuit, inputs, id: name }));
    return persistently(async () => {
      const finals: JobStatus[] = [];
      for await (const status of this.farm.queue.watch(id))
        if (FINAL_STATES.includes(status.state)) finals.push(status);
      if (finals.length !== 1) throw new Error(`expected one answer for ${id}, got ${finals.length}`);
      return finals[0]!;
    });
  }

  private async expectEndedOnce(finals: readonly JobStatus[]): Promise<void> {
    for (const circuit of new Set(finals.map((final) => final.circuit))) {
      const endings = await this.farm.endings(circuit);
      for (const { id } of finals.filter((final) => final.circuit === circuit)) {
        if (endings.get(id) !== 1) throw new Error(`expected ${id} to end once, got ${endings.get(id) ?? 0} times`);
      }
    }
  }

  private async check({ circuit, expected }: DrawnJob, final: JobStatus): Promise<void> {
    const { id, result, error } = final;
    const now = await persistently(() => this.farm.queue.status(id));
    if (JSON.stringify(now) !== JSON.stringify(final)) {
      throw new Error(`expected the answer of ${id} to stay, got ${JSON.stringify(final)} and ${JSON.stringify(now)}`);
    }
    this.answered++;
    this.attempts += final.attempts;
    if ('code' in expected) {
      if (error?.code !== expected.code) throw new Error(`expected ${expected.code} for ${id}, got ${final.state}`);
      return;
    }
    if (result === undefined) throw new Error(`expected a proof for ${id}, got ${JSON.stringify(error)}`);
    const { verificationKey } = this.farm.circuits.find(({ info }) => info.id === circuit)!;
    const { proof, publicSignals } = result;
    const holds = await this.verifier.groth16.verify(
      verificationKey as Groth16VerificationKey,
      publicSignals,
      proof as Groth16Proof,
    );
    const own = expected.signals ?? publicSignals;
    if (!holds || String(publicSignals) !== String(own)) throw new Error(`expected the proof of ${id}, got another`);
  }
}

/** What `work` gives; it is done again while Redis cannot be reached. */
async function persistently<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof PippinError) || error.code !== 'QUEUE_UNAVAILABLE') throw error;
      await delay(100);
    }
  }
}
