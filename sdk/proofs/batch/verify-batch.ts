import { throwIfAborted } from '../../base/abort.js';
import { joinBytes } from '../../base/bytes.js';
import { PippinError } from '../../base/errors.js';
import { type PlainError, plainError } from '../../base/plain-error.js';
import { hasCofactor } from '../../curves/index.js';
import type { KernelPool } from '../../executors/workers/pool/pool.js';
import { prepareMembers } from '../../executors/workers/pool/subgroup-check.js';
import { memorySource } from '../../files/byte-source.js';
import { expectArray } from '../../files/snarkjs/json-values.js';
import { groth16Batch } from '../groth16/batch.js';
import type { Verifier } from '../groth16/verify.js';
import type { Protocol } from '../parts.js';
import type { ProofCall, ProofContext, ProofSystem, StatementBatch } from '../proof-system.js';
import { openingsBatch } from '../universal/batch.js';
import type { UniversalVerifier } from '../universal/system.js';
import { withVerifier } from '../with-verifier.js';
import { type BatchArithmetic, type BatchVerifier, batchPairings } from './batch-verifier.js';

/** What a batch gives: the indices of the proofs that do not hold, ascending, and why some of them are no proofs. */
export interface BatchVerdict {
  readonly failed: readonly number[];
  /** With what `verify` would have rejected, for some of `failed`, ascending. */
  readonly errors: readonly { readonly index: number; readonly error: PlainError }[];
}

/** A proof and its signals among the others. */
interface Entry<Claim> {
  readonly index: number;
  readonly publicSignals: unknown;
  readonly proof: unknown;
  readonly claim: Claim;
}

/** A batch that is being verified. */
interface Batch<Claim> {
  readonly pool: KernelPool;
  readonly arithmetic: BatchArithmetic;
  readonly verifier: BatchVerifier<Claim>;
  readonly signal: AbortSignal;
  /** Takes the indices of proofs that do not hold. */
  readonly failed: number[];
}

/** The most proofs of one equation: about 0.2 s of a worker, so that an abort is heard, and other work has its turn. */
const MOST_TOGETHER = 256;
/** The fewest for which the pairings that all proofs share are worth another worker. */
const FEWEST_TOGETHER = 16;
/** Proofs that are read between two looks at the caller's messages. */
const READ_AT_ONCE = 32;
/** Points of G1 from which on they are checked together. */
const MANY_POINTS = 256;
/** Rounds of that check: 128 sums of random subsets, each of which finds a point outside by 1/2 at least. */
const MEMBER_ROUNDS = 16;

/** How proofs of a system are verified together, once their key has been checked. */
const BATCHES: Readonly<Record<Protocol, (verifier: never) => BatchVerifier<unknown>>> = {
  groth16: (verifier: Verifier) => groth16Batch(verifier) as BatchVerifier<unknown>,
  plonk: (verifier: UniversalVerifier) => openingsBatch(verifier) as BatchVerifier<unknown>,
  fflonk: (verifier: UniversalVerifier) => openingsBatch(verifier) as BatchVerifier<unknown>,
};

/**
 * Verifies many proofs of one key. The proofs are divided among the workers; each part is one equation, the random
 * linear combination of its proofs' equations with weights of 128 bits that are drawn when all proofs are known. A part
 * that does not hold is halved until single proofs are left, which are verified by themselves. So k wrong proofs among
 * n take O(k log n) equations, and no proof is refused that `verify` accepts. A wrong one passes with a probability of
 * 2^-127 at most: its equation and, where the curve has points outside of G1, the subgroup check fail to find it with
 * about 2^-128 each.
 */
export async function verifyBatch(
  context: Pick<ProofContext, 'pool' | 'openCurve'>,
  call: Pick<ProofCall, 'signal' | 'meter' | 'span'>,
  system: ProofSystem,
  { verificationKey, proofs }: StatementBatch,
  expected?: object,
): Promise<BatchVerdict> {
  return withVerifier(context, call, system, { verificationKey, expected }, async (checked) => {
    const { pool } = context;
    const { signal } = call;
    const verifier = BATCHES[system.protocol](checked as never);
    const arithmetic = batchPairings(pool, verifier.curve, signal);
    const failed: number[] = [];
    const batch = { pool, arithmetic, verifier, signal, failed };
    const { entries, errors } = await readEntries(batch, proofs);
    const members = await membersOf(batch, entries);
    const report = call.meter('verify', 1);
    let done = 0;
    await Promise.all(
      inParts(members, partSize(members.length, pool.size)).map(async (part) => {
        failed.push(...(await failingOf(arithmetic, verifier, part)));
        done += part.length;
        report(done / members.length);
      }),
    );
    return { failed: failed.sort((a, b) => a - b), errors };
  });
}

/** Reads the proofs. Those that cannot hold are `failed`. */
async function readEntries<Claim>(
  { verifier, signal, failed }: Batch<Claim>,
  proofs: readonly unknown[],
): Promise<{ readonly entries: Entry<Claim>[]; readonly errors: { index: number; error: PlainError }[] }> {
  const entries: Entry<Claim>[] = [];
  const errors: { index: number; error: PlainError }[] = [];
  for (const [index, given] of proofs.entries()) {
    if (index % READ_AT_ONCE === 0) {
      await new Promise((resolve) => setTimeout(resolve));
      throwIfAborted(signal);
    }
    try {
      const [publicSignals, proof] = expectArray(given, 'an entry of the batch', 2);
      const claim = verifier.read(publicSignals, proof);
      if (claim === undefined) failed.push(index);
      else entries.push({ index, publicSignals, proof, claim });
    } catch (error) {
      if (!(error instanceof PippinError)) throw error;
      failed.push(index);
      errors.push({ index, error: plainError(error) });
    }
  }
  return { entries, errors };
}

/** The entries whose points of G1 are in the group; the others are `failed`. */
async function membersOf<Claim>(
  { pool, arithmetic, verifier, signal, failed }: Batch<Claim>,
  entries: readonly Entry<Claim>[],
): Promise<readonly Entry<Claim>[]> {
  const { curve } = verifier;
  const pointsOf = (some: readonly Entry<Claim>[]): Uint8Array =>
    joinBytes(some.flatMap(({ claim }) => verifier.pointsOf(claim)));
  const areMembers = (some: readonly Entry<Claim>[]): Promise<boolean> =>
    arithmetic.isInSubgroup({ group: 'g1', points: pointsOf(some) });
  const count = entries.reduce((sum, { claim }) => sum + verifier.pointsOf(claim).length, 0);
  if (hasCofactor(curve, 'g1') && count >= MANY_POINTS) {
    try {
      const points = memorySource(pointsOf(entries));
      const request = { curve, group: 'g1', encoding: 'canonical', count, points } as const;
      await prepareMembers(pool, request, 'the proofs', { signal, onProgress: () => undefined, rounds: MEMBER_ROUNDS });
      return entries;
    } catch (error) {
      // One by one they tell which it is.
      if (!(error instanceof PippinError && error.code === 'INVALID_POINT')) throw error;
    }
  }
  const members = await Promise.all(
    inParts(entries, READ_AT_ONCE).map(async (part) => {
      if (await areMembers(part)) return part;
      const answers = await Promise.all(part.map((entry) => areMembers([entry])));
      failed.push(...part.filter((_, i) => !answers[i]).map(({ index }) => index));
      return part.filter((_, i) => answers[i]);
    }),
  );
  return members.flat();
}

/** The indices of the entries that do not hold. */
async function failingOf<Claim>(
  arithmetic: BatchArithmetic,
  verifier: BatchVerifier<Claim>,
  entries: readonly Entry<Claim>[],
): Promise<number[]> {
  const holds = async (some: readonly Entry<Claim>[]): Promise<boolean> => {
    const [{ publicSignals, proof }] = some as [Entry<Claim>];
    if (some.length === 1) return verifier.verify(arithmetic, publicSignals, proof);
    return verifier.holdTogether(
      arithmetic,
      some.map(({ claim }) => claim),
    );
  };
  const search = async (some: readonly Entry<Claim>[], isWrong: boolean): Promise<number[]> => {
    if (some.length === 1 || !isWrong) {
      if (await holds(some)) return [];
      if (some.length === 1) return [some[0]!.index];
    }
    const half = some.length >> 1;
    const first = await search(some.slice(0, half), false);
    // If nothing is wrong with the first half, the second is not asked as a whole.
    return [...first, ...(await search(some.slice(half), first.length === 0))];
  };
  return search(entries, false);
}

/** How many proofs make an equation: about as many for each worker. */
function partSize(count: number, workers: number): number {
  return Math.min(MOST_TOGETHER, Math.max(FEWEST_TOGETHER, Math.ceil(count / Math.max(1, workers))));
}

function inParts<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));
}
