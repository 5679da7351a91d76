import { PippinError } from '../../sdk/base/errors.js';
import type { CurveId } from '../../sdk/curves/index.js';
import { ceremonyInPlace } from '../ceremony/ceremony-in-place.js';
import { firstKey, readBytes } from '../ceremony/first-key.js';
import type { Campaign, OpenCampaign } from './campaign.js';
import { pick } from './mutated-bytes.js';
import { type CeremonyKeys, mutatedCeremonyKey } from './mutated-ceremony-key.js';
import { SnarkjsVerifier } from './verify-snarkjs.js';

/** Verifications of so many cases are of keys as they are, of so many by the circuit instead of the first key. */
const HONEST_AMONG = 32;
const BY_CIRCUIT_AMONG = 4;
/** A beacon may claim iterations that take a day. */
const TIMEOUT_MS = 20_000;

interface Subject {
  readonly keys: CeremonyKeys;
  readonly named: Readonly<Record<string, Uint8Array>>;
  readonly r1cs: Uint8Array;
  readonly ptau: Uint8Array;
}

/** Verification of Groth16 keys beside snarkjs, over one curve. */
const verification = (curve: CurveId, short: number): Campaign => ({
  about: `a mutated key of a ceremony over ${curve} that verifyContributions accepts is one that snarkjs accepts`,
  tiers: ['wasm'],
  short,
  full: 2000,
  hangsAfterMs: 4 * TIMEOUT_MS,
  open: async (): Promise<OpenCampaign> => {
    const subject = await makeSubject(curve);
    const peer = await SnarkjsVerifier.open();
    return {
      async run(random) {
        const name = pick(random, Object.keys(subject.named));
        const isHonest = random.integer(HONEST_AMONG) === 0;
        const key = subject.named[name]!;
        const mutated = isHonest ? key : mutatedCeremonyKey(subject.keys, key, random);
        const byCircuit = random.integer(BY_CIRCUIT_AMONG) === 0;
        const ours = await askOurs(subject, mutated, byCircuit);
        // What cannot be read may have sizes for which snarkjs would take all memory.
        const theirs = typeof ours === 'boolean' ? await askTheirs(subject, mutated, byCircuit) : 'not asked';
        if (ours === true && theirs !== true) throw new Error(`${name}: accepted, snarkjs: ${theirs}`);
        if (isHonest && ours !== true)
          throw new Error(`${name}: expected the key as it is to be accepted, got ${ours}`);
        const outcome = ours === true ? 'valid' : ours === false ? 'a fault' : ours;
        const stricter = ours === false && theirs === true ? ', snarkjs accepts' : '';
        return [`${name}${isHonest ? ' as it is' : ''}${byCircuit ? ', by its circuit' : ''}: ${outcome}${stricter}`];
      },
      close: async () => peer.close(),
    };
  },
});

export const ceremonyKeys = verification('bn254', 12);
export const ceremonyKeysBls12381 = verification('bls12-381', 4);

const { contribute, beacon, verifyContributions } = ceremonyInPlace();

async function makeSubject(curve: CurveId): Promise<Subject> {
  const { zkey: first, ...paths } = await firstKey(curve);
  const bytesOf = async (blob: Blob | undefined): Promise<Uint8Array> => new Uint8Array(await blob!.arrayBuffer());
  const one = await bytesOf((await contribute(first, { name: 'Ada' })).zkey);
  const two = await bytesOf((await contribute(one, { name: 'Grace' })).zkey);
  const last = await bytesOf((await beacon(two, { hash: '0a0b', iterations: 10, name: 'End' })).zkey);
  const other = await bytesOf((await contribute(first, { name: 'Emmy' })).zkey);
  const named = { 'set up': first, contributed: two, 'with beacon': last };
  return {
    keys: { curve, first, others: [one, two, last, other] },
    named,
    r1cs: readBytes(paths.r1cs),
    ptau: readBytes(paths.ptau),
  };
}

/** Our answer: whether the key holds, or the code of a typed error. */
async function askOurs({ keys, r1cs, ptau }: Subject, key: Uint8Array, byCircuit: boolean): Promise<boolean | string> {
  const from = byCircuit ? { r1cs, ptau } : { first: keys.first, ptau };
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    return (await verifyContributions(key, { ...from, threads: 1, backend: 'wasm', signal })).isValid;
  } catch (error) {
    if (error instanceof PippinError && error.code !== 'INTERNAL') return error.code;
    throw error;
  }
}

/** snarkjs' answer, `error` if it throws. It prints what it finds. */
async function askTheirs({ keys, r1cs, ptau }: Subject, key: Uint8Array, byCircuit: boolean) {
  const { zKey } = await import('snarkjs');
  const { log } = console;
  console.log = () => {};
  const quiet = { info: () => {}, debug: () => {}, error: () => {}, warn: () => {} };
  try {
    return byCircuit
      ? await zKey.verifyFromR1cs(r1cs, ptau, key, quiet)
      : await zKey.verifyFromInit(keys.first, ptau, key, quiet);
  } catch {
    return 'error';
  } finally {
    console.log = log;
  }
}
