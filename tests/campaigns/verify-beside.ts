import type { Prover } from '../../sdk/api/index.js';
import type { PippinError } from '../../sdk/base/errors.js';
import { systemOf } from '../../sdk/hosts/session/proof-system-of.js';
import { mutated } from '../support/mutations.js';
import type { Random } from '../support/random.js';
import { inSnarkjsForm } from './verify-form.js';
import type { Change, Verification } from './verify-places.js';
import { isHugeDomain, isTooLarge, type SnarkjsVerifier } from './verify-snarkjs.js';
import { stricterIn } from './verify-stricter.js';

/** What `verify` is called with: the verification key, the public signals and the proof. */
type Arguments = readonly [key: unknown, signals: unknown, proof: unknown];

/** A call of `verify`. */
export interface AskedVerification extends Pick<Verification, 'system' | 'curve'> {
  /** How the arguments came about, for the counts. */
  readonly how: string;
  readonly arguments: Arguments;
}

/**
 * Draws a call from those that hold: unchanged, changed by what means something, or changed anywhere.
 *
 * @param change a change that means something.
 */
export function drawVerification(random: Random, valid: readonly Verification[], change: Change): AskedVerification {
  const base = valid[random.integer(valid.length)]!;
  const plain = (asked: Verification): Arguments => [asked.key, asked.signals, asked.proof];
  const kind = random.integer(20);
  const { system, curve } = base;
  if (kind === 0) return { how: 'unchanged', system, curve, arguments: plain(base) };
  const other = valid[random.integer(valid.length)]!;
  const changed = change(random, base, other);
  const more = random.integer(4) === 0 ? change(random, changed, other) : changed;
  if (kind < 15) return { how: 'changed by its structure', system, curve, arguments: plain(more) };
  const changes = Array.from({ length: 1 + random.integer(3) }, () => ({
    // One of the arguments, or something in it.
    path: Array.from({ length: 1 + random.integer(5) }, () => random.integer(1000)),
    kind: random.integer(1000),
    odd: random.integer(10_000),
  }));
  const start = kind < 18 ? base : changed;
  return { how: 'changed anywhere', system, curve, arguments: mutated(plain(start), changes) as Arguments };
}

/** Asks Pippin and snarkjs, and names how the answers go together; throws where they do not. */
export async function verifyBeside(prover: Prover, peer: SnarkjsVerifier, asked: AskedVerification): Promise<string> {
  const ours = await askOurs(prover, asked);
  const isNotAsked = isTooLarge(asked.arguments) || isHugeDomain(asked.arguments[0]);
  const theirs = isNotAsked ? 'not asked' : await peer.ask(asked.system, asked.arguments);
  return compared(asked, ours, theirs, peer);
}

/** Whether a proof holds, or the code of the error. */
type Answer = boolean | string;

async function askOurs(
  prover: Prover,
  { system, arguments: [key, signals, proof] }: AskedVerification,
): Promise<Answer> {
  try {
    return await systemOf(prover, system).verify(key as never, signals as never, proof as never);
  } catch (error) {
    if (error instanceof Error && error.name === 'PippinError' && (error as PippinError).code !== 'INTERNAL') {
      return (error as PippinError).code;
    }
    throw error;
  }
}

async function compared(
  { system, curve, arguments: args }: AskedVerification,
  ours: Answer,
  theirs: boolean | 'error' | 'not asked',
  peer: SnarkjsVerifier,
): Promise<string> {
  if (ours === true && theirs === true) return 'both accept';
  if (ours !== true && theirs !== true)
    return theirs === 'not asked' ? 'refused, too large for snarkjs' : 'both refuse';
  if (ours === true) {
    // Where snarkjs breaks down over how something is written, it must accept the same numbers in its own form.
    const same = theirs === 'error' ? inSnarkjsForm(system, args) : undefined;
    if (same !== undefined && (await peer.ask(system, same)) === true)
      return 'accepted, in a form that snarkjs does not read';
    throw new Error(`expected a refusal as by snarkjs (${theirs}), got an accepted proof: ${describe(args)}`);
  }
  const names = stricterIn(system, curve, args)
    .filter(({ outcome }) => outcome === ours)
    .map(({ name }) => name);
  if (names.length > 0) return `stricter: ${names[0]}`;
  throw new Error(`expected true as from snarkjs, got ${ours}: ${describe(args)}`);
}

function describe(args: Arguments): string {
  try {
    return JSON.stringify(args, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
  } catch {
    return 'what JSON cannot hold';
  }
}
