import sodium from 'libsodium-wrappers';
import { type CircuitInputs, PippinError } from 'pippin-prover';
import { ownMembers } from '../../../sdk/base/records.js';
import type { KeyPair } from './key-pair.js';

/** The secret part of a job. */
export type JobInput = { readonly inputs: CircuitInputs } | { readonly witness: Uint8Array };

/**
 * The job of an input. It is sealed with it, so that write access to Redis does not suffice to have an input proved by
 * another circuit, whose public signals could show it.
 */
interface SealedFor {
  readonly circuit: string;
  readonly job: string;
}

const LENGTH_BYTES = 4;

/**
 * Seals an input to the workers' public key: a sealed box of libsodium (X25519, XSalsa20-Poly1305, with a new pair of
 * keys for each message) of the header's length as 4 bytes, the header as JSON, and the witness, or the inputs as JSON.
 * The sender cannot open it.
 */
export async function sealInput(
  input: JobInput,
  { circuit, job }: SealedFor,
  publicKey: Uint8Array,
): Promise<Uint8Array> {
  await sodium.ready;
  const kind = 'inputs' in input ? 'inputs' : 'witness';
  const header = new TextEncoder().encode(JSON.stringify({ circuit, job, kind }));
  const body = 'inputs' in input ? new TextEncoder().encode(jsonOf(input.inputs)) : input.witness;
  const message = new Uint8Array(LENGTH_BYTES + header.length + body.length);
  new DataView(message.buffer).setUint32(0, header.length, true);
  message.set(header, LENGTH_BYTES);
  message.set(body, LENGTH_BYTES + header.length);
  try {
    return sodium.crypto_box_seal(message, publicKey);
  } finally {
    message.fill(0);
    if (kind === 'inputs') body.fill(0);
  }
}

/**
 * Opens an input of `sealInput` with one of the key pairs. `INVALID_INPUT` if it was sealed to another key, altered, or
 * made for another job.
 */
export async function openInput(
  sealed: Uint8Array,
  { circuit, job }: SealedFor,
  pairs: readonly KeyPair[],
): Promise<JobInput> {
  await sodium.ready;
  for (const { publicKey, secretKey } of pairs) {
    const message = opened(() => sodium.crypto_box_seal_open(sealed, publicKey, secretKey));
    if (message === undefined) continue;
    try {
      const input = inputOf(message, circuit, job);
      if (input !== undefined) return input;
    } finally {
      message.fill(0);
    }
    throw wrong('one that was made for another job');
  }
  throw wrong('one that the workers cannot open');
}

/** The result of `open`; undefined if it throws, as libsodium does for a box that it cannot open. */
function opened(open: () => Uint8Array): Uint8Array | undefined {
  try {
    return open();
  } catch {
    return undefined;
  }
}

/** The input in a message, in fresh memory; undefined for a message that is not ours or for another job. */
function inputOf(message: Uint8Array, circuit: string, job: string): JobInput | undefined {
  const start =
    LENGTH_BYTES +
    (message.length < LENGTH_BYTES ? 0 : new DataView(message.buffer, message.byteOffset).getUint32(0, true));
  try {
    const header = ownMembers(JSON.parse(new TextDecoder().decode(message.subarray(LENGTH_BYTES, start))) as unknown);
    if (header.circuit !== circuit || header.job !== job) return undefined;
    if (header.kind === 'witness') return ownMembers({ witness: message.slice(start) });
    return ownMembers({ inputs: JSON.parse(new TextDecoder().decode(message.subarray(start))) });
  } catch {
    return undefined;
  }
}

/** A bigint becomes its decimal digits, which count as the same value. */
function jsonOf(inputs: CircuitInputs): string {
  return JSON.stringify(inputs, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
}

function wrong(got: string): PippinError {
  return new PippinError(
    'INVALID_INPUT',
    `expected an input sealed to the workers' public key for this job, got ${got}`,
    {
      hint: 'whoever submits jobs needs the public key of the workers that run now; submit the job again',
    },
  );
}
