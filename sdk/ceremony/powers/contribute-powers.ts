import { PippinError } from '../../base/errors.js';
import { wipe } from '../../base/free-memory.js';
import { type Curve, pointBytes } from '../../curves/index.js';
import type { ByteSource } from '../../files/byte-source.js';
import { sectionHead } from '../../files/snarkjs/section-file.js';
import { montgomeryReader } from '../../files/snarkjs/zkey-header.js';
import { pairings } from '../../proofs/pairings.js';
import type { CeremonyWork } from '../ceremony-work.js';
import type { MakeContribution } from '../contribute.js';
import { newBlake2b } from '../contributions.js';
import { firstChallenge, hashPoints } from './hash-points.js';
import { partialHash } from './partial-hash.js';
import {
  bytesOfPoints,
  fileHead,
  openPowers,
  POINTS,
  type PowersFile,
  type PowersSection,
  PTAU_SECTIONS,
  pointsOf,
  sectionName,
  vectorOf,
} from './powers-file.js';
import { HISTORY, hashedKey, type PowersPoints, type PowersRecord, writePowersHistory } from './powers-history.js';
import { drawPowersKey, type PowersKey } from './powers-key.js';
import { scaledPowers } from './scaled-powers.js';

/** A file that is written, of which parts are read again. */
export interface PowersOutput {
  /** Takes bytes that nobody else uses. */
  write(bytes: Uint8Array): Promise<void>;
  /** What has been written. */
  read(offset: number, length: number): Promise<Uint8Array<ArrayBuffer>>;
}

/**
 * Writes powers of tau with one contribution more, byte for byte as snarkjs 0.7.6: point i of each section times tau^i,
 * and times alpha or beta, for the secrets that the seed determines, and the record of the contribution. Sections for
 * phase 2 are left out, as they no longer hold.
 *
 * @returns the hash of the contribution, and the next challenge.
 */
export async function contributeToPowers(
  source: ByteSource,
  seed: Uint8Array,
  output: PowersOutput,
  options: MakeContribution,
): Promise<PowersRecord> {
  const powers = await openPowers(source);
  expectAllPowers(powers);
  const { curve, power, contributions } = powers;
  await options.open(curve.id);
  const { signal, name, beacon } = options;
  const challenge = contributions.at(-1)?.nextChallenge ?? (await firstChallenge(options, curve, power));
  const key = await drawPowersKey(seed, challenge, curve, pairings(options.pool, curve.id, signal));
  try {
    const writer = new PowersWriter(powers, output);
    await writer.begin(PTAU_SECTIONS.plain);
    const hash = newBlake2b().update(challenge);
    const toScale = {
      curve,
      power,
      encoding: 'montgomery',
      vectorOf: (section: PowersSection) => vectorOf(powers, section),
    } as const;
    for await (const { section, from, written, compressed } of scaledPowers(
      options,
      toScale,
      key.secrets,
      options.onProgress,
    )) {
      hash.update(compressed);
      await writer.points(section, from, written);
    }
    const state = partialHash(hash);
    const points = { ...writer.firstPoints(), ...key.publicKey };
    const ownHash = hash.update(hashedKey(key.publicKey)).digest();
    const nextChallenge = await writer.nextChallenge(options, ownHash);
    const record = { points, state, hash: ownHash, nextChallenge, name, beacon };
    await writer.end([...contributions, record]);
    options.onProgress(1);
    return record;
  } finally {
    wipe(...Object.values(key.secrets));
  }
}

/** `UNSUPPORTED_FORMAT` for powers that have been truncated, which no longer belong to a ceremony. */
export function expectAllPowers({ power, ceremonyPower }: Pick<PowersFile, 'power' | 'ceremonyPower'>): void {
  if (power === ceremonyPower) return;
  throw new PippinError(
    'UNSUPPORTED_FORMAT',
    `expected all powers of the ceremony of 2^${ceremonyPower}, got a file truncated to 2^${power}`,
    { hint: 'contribute to the file that was truncated' },
  );
}

/** Writes a .ptau file with a new contribution, and keeps what the contribution's record needs of its points. */
export class PowersWriter {
  private at = 0;
  private readonly starts: number[] = [];
  private readonly firstTwo: Uint8Array[][] = [];

  constructor(
    private readonly powers: { readonly curve: Curve; readonly power: number },
    private readonly output: PowersOutput,
  ) {}

  async begin(sections: number): Promise<void> {
    for (const part of fileHead(this.powers.curve, this.powers.power, sections)) await this.write(part);
  }

  /** Takes points of the sections in order, as a .ptau file has them; `from` is the number of the first. */
  async points(section: PowersSection, from: number, points: Uint8Array): Promise<void> {
    const { curve, power } = this.powers;
    if (from === 0) {
      await this.write(sectionHead(section.id, bytesOfPoints(curve, section.group, pointsOf(section.id, power))));
      this.starts.push(this.at);
      this.note(section, points);
    }
    await this.write(points);
  }

  /** Keeps the first two points of a section, or its only one, for the record. */
  note(section: PowersSection, points: Uint8Array): void {
    const { curve } = this.powers;
    const read = montgomeryReader(curve);
    const size = pointBytes(curve.id, section.group);
    this.firstTwo.push([0, 1].map((i) => read(points.slice(i * size, (i + 1) * size), sectionName(section))));
  }

  /** The points of the record: tau in both groups, alpha, beta in both groups. */
  firstPoints(): Omit<PowersPoints, keyof PowersKey['publicKey']> {
    const [tauG1, tauG2, alphaG1, betaG1, betaG2] = this.firstTwo.map(([zeroth, first], i) =>
      i < 2 ? first! : zeroth!,
    );
    return { tauG1: tauG1!, tauG2: tauG2!, alphaG1: alphaG1!, betaG1: betaG1!, betaG2: betaG2! };
  }

  /** The hash of the contribution's hash and of all points. */
  async nextChallenge(work: CeremonyWork, hash: Uint8Array): Promise<Uint8Array> {
    const { powers, output, starts } = this;
    const next = work.newHash();
    next.update(hash);
    for (const [i, { id, group }] of POINTS.entries()) {
      const size = bytesOfPoints(powers.curve, group, pointsOf(id, powers.power));
      const written = { size, read: (offset: number, length: number) => output.read(starts[i]! + offset, length) };
      await hashPoints(work, powers.curve, { group, bytes: written }, next);
    }
    return next.digest();
  }

  async end(records: readonly PowersRecord[]): Promise<void> {
    const history = writePowersHistory(this.powers.curve, records);
    await this.write(sectionHead(HISTORY, history.length));
    await this.write(history);
  }

  private async write(bytes: Uint8Array): Promise<void> {
    const { length } = bytes;
    await this.output.write(bytes);
    this.at += length;
  }
}
