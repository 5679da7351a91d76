import { newBytes } from '../base/bytes.js';
import { wipe } from '../base/free-memory.js';
import { CURVES, type Curve, pointBytes } from '../curves/index.js';
import { randomBytes } from '../curves/random.js';
import type { ByteSource } from '../files/byte-source.js';
import type { SectionFile } from '../files/snarkjs/section-file.js';
import { readZkey, type Zkey } from '../files/snarkjs/zkey.js';
import { HEADER_SECTION, openZkey, PROTOCOL_SECTION } from '../files/snarkjs/zkey-header.js';
import { type PairingArithmetic, pairings } from '../proofs/pairings.js';
import { expectMembers } from '../proofs/verified-points.js';
import type { CeremonyWork } from './ceremony-work.js';
import { ChaCha } from './chacha.js';
import {
  type BeaconParameters,
  type ContributionRecord,
  HASH_BYTES,
  HISTORY_SECTION,
  type History,
  hashOfContribution,
  hashOfHistory,
  newBlake2b,
  readHistory,
  recordOf,
  toMontgomery,
  writeHistory,
} from './contributions.js';
import { drawPoint, drawScalar } from './draws.js';
import { ScaledVectors } from './scaled-section.js';
import { SecretScalars } from './secret-scalars.js';
import { beginZkey, copiedSection, type WriteKey, wholeSection, writeSection } from './section-writer.js';

/** Sections of a key. */
export const ZKEY_SECTIONS = 10;
/** The sections that no contribution changes. */
export const SAME = [
  [3, 'IC'],
  [4, 'coefficients'],
  [5, 'A'],
  [6, 'B in G1'],
  [7, 'B in G2'],
] as const;
export const COPIED = SAME.map(([id]) => id);
/** The sections of points that are divided by the secret. */
export const DIVIDED = [
  [8, 'C'],
  [9, 'H'],
] as const;

/** A Groth16 key with its history. */
export interface CeremonyKey {
  readonly file: SectionFile;
  readonly key: Zkey;
  readonly history: History;
}

/** Opens a key and reads its history. Errors as in `readZkey` and `readHistory`. */
export async function openKey(source: ByteSource): Promise<CeremonyKey> {
  const file = await openZkey(source, 'groth16');
  const key = await readZkey(source);
  return { file, key, history: await readHistory(file.section(HISTORY_SECTION), CURVES[key.curve]) };
}

export interface MakeContribution extends CeremonyWork {
  readonly name: string | undefined;
  readonly beacon?: BeaconParameters | undefined;
  readonly onProgress: (fraction: number) => void;
}

/** The seed of a secret: random bytes of the platform, and what the contributor gives besides, hashed together. */
export function drawSeed(entropy: Uint8Array): Uint8Array {
  const random = randomBytes(HASH_BYTES);
  const hash = newBlake2b().update(random).update(entropy);
  const seed = newBytes(HASH_BYTES);
  hash.digestInto(seed);
  hash.destroy();
  wipe(random);
  return seed;
}

/** A secret x with its inverse, and the points that prove that it is known. */
export interface Secret {
  readonly inverse: Uint8Array;
  readonly record: ContributionRecord;
  /** delta in G2, after the contribution, in the boundary form. */
  readonly delta2: Uint8Array;
}

/**
 * Writes a key with one contribution more, byte for byte as snarkjs 0.7.6: delta times the secret that the seed
 * determines, the points of C and H divided by it, and the record of the contribution. What was drawn is overwritten
 * when it is no longer needed.
 *
 * @returns the hashes of the contribution and of the circuit.
 */
export async function contributeTo(
  source: ByteSource,
  seed: Uint8Array,
  write: WriteKey,
  options: MakeContribution,
): Promise<{ readonly hash: Uint8Array; readonly circuitHash: Uint8Array }> {
  const { pool, signal, onProgress } = options;
  const { file, key, history } = await openKey(source);
  const curve = CURVES[key.curve];
  const vectors = DIVIDED.map(([id, name]) => ({
    ...key.vectors[name],
    what: `the points of section ${id} (${name})`,
  }));
  options.gpu.expect(key.curve, 'g1', Math.max(...vectors.map(({ count }) => count)));
  await options.open(key.curve);
  const stream = new ChaCha(seed);
  const scalars = new SecretScalars(key.curve);
  let secret: Secret | undefined;
  let scaled: ScaledVectors | undefined;
  try {
    const arithmetic = pairings(pool, key.curve, signal);
    await expectMembers(arithmetic, 'g1', [key.points.delta1], () => 'delta1');
    await expectMembers(arithmetic, 'g2', [key.points.delta2], () => 'delta2');
    secret = await drawSecret({ stream, scalars, curve, delta: key.points, history, arithmetic }, options);
    const contributions = [...history.contributions, secret.record];
    // While the sections before them are copied.
    scaled = new ScaledVectors(options, key.curve, vectors, { scalar: secret.inverse, onProgress });
    await beginZkey(write, ZKEY_SECTIONS);
    await writeSection(write, copiedSection(PROTOCOL_SECTION, file.section(PROTOCOL_SECTION), signal));
    const delta = { delta1: secret.record.points.deltaAfter, delta2: secret.delta2 };
    const header = await headerWithDelta(file.section(HEADER_SECTION), curve, delta);
    await writeSection(write, wholeSection(HEADER_SECTION, header));
    for (const id of COPIED) {
      await writeSection(write, copiedSection(id, file.section(id), signal));
    }
    for (const [i, [id]] of DIVIDED.entries()) {
      const vector = vectors[i]!;
      await writeSection(write, { id, size: vector.bytes.size, parts: scaled.points(vector) });
    }
    await writeSection(write, wholeSection(HISTORY_SECTION, writeHistory({ ...history, contributions })));
    return { hash: hashOfContribution(secret.record), circuitHash: history.circuitHash };
  } finally {
    await scaled?.close();
    stream.wipe();
    scalars.wipe();
    if (secret !== undefined) wipe(secret.inverse);
  }
}

/** What a secret is drawn from, and for. */
export interface SecretDraw {
  readonly stream: ChaCha;
  readonly scalars: SecretScalars;
  readonly curve: Curve;
  /** Until now, in the boundary form. */
  readonly delta: { readonly delta1: Uint8Array; readonly delta2: Uint8Array };
  readonly history: History;
  readonly arithmetic: PairingArithmetic;
}

export async function drawSecret(
  { stream, scalars, curve, delta, history, arithmetic }: SecretDraw,
  { name, beacon }: Pick<MakeContribution, 'name' | 'beacon'>,
): Promise<Secret> {
  const drawn = drawScalar(stream, curve);
  const { value, inverse } = scalars.fromMontgomery(drawn);
  wipe(drawn);
  try {
    const times = (group: 'g1' | 'g2', point: Uint8Array): Promise<Uint8Array> =>
      arithmetic.combine({ group, points: point, scalars: value });
    const g1s = await drawPoint(stream, curve, 'g1', arithmetic);
    const g1sx = await times('g1', g1s);
    const transcript = hashOfHistory(history).transcriptWith(g1s, g1sx);
    const g2spx = await times('g2', await pointOfTranscript(transcript, curve, arithmetic));
    const deltaAfter = await times('g1', delta.delta1);
    const record = recordOf(curve, { deltaAfter, g1s, g1sx, g2spx }, { transcript, name, beacon });
    return { inverse, record, delta2: await times('g2', delta.delta2) };
  } finally {
    wipe(value);
  }
}

/** The point of G2 that a transcript determines. */
export function pointOfTranscript(
  transcript: Uint8Array,
  curve: Curve,
  arithmetic: PairingArithmetic,
): Promise<Uint8Array> {
  return drawPoint(new ChaCha(transcript), curve, 'g2', arithmetic);
}

/** A header of a .zkey with another delta: its last points, in G1 and in G2, which are given in the boundary form. */
export async function headerWithDelta(
  section: ByteSource,
  curve: Curve,
  { delta1, delta2 }: { readonly delta1: Uint8Array; readonly delta2: Uint8Array },
): Promise<Uint8Array> {
  const header = await section.read(0, section.size);
  const at = header.length - pointBytes(curve.id, 'g1') - pointBytes(curve.id, 'g2');
  header.set(toMontgomery(curve, delta1), at);
  header.set(toMontgomery(curve, delta2), at + pointBytes(curve.id, 'g1'));
  return header;
}
