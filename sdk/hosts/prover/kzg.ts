import * as Comlink from 'comlink';
import type { CallName } from '../../api/events.js';
import type {
  BinarySource,
  CallOptions,
  Kzg,
  KzgBatchOpening,
  KzgCommitBatchResult,
  KzgCommitResult,
  KzgOpenBatchOptions,
  KzgOpenBatchResult,
  KzgOpening,
  KzgOpenResult,
  KzgOptions,
  KzgPoint,
  KzgPoints,
  KzgSrs,
  KzgSrsLoadOptions,
  KzgVerificationKey,
  MsmPoint,
} from '../../api/index.js';
import { copyBytes } from '../../base/bytes.js';
import { describeType, describeValue } from '../../base/describe.js';
import { PippinError } from '../../base/errors.js';
import { OptionReader } from '../../base/option-reader.js';
import { CURVES, type CurveId, type GroupId, pointBytes } from '../../curves/index.js';
import { decodePoint } from '../../curves/point-bytes.js';
import type { CommitTask, OpenTask, SrsPoints, SrsTask, VerifyTask } from '../../engine/kzg-api.js';
import type { Combination } from '../../proofs/kzg/open.js';
import type { ClaimedOpening } from '../../proofs/kzg/verify.js';
import { NUMBER_FORMS } from './bases.js';
import { groupOf } from './caller-curve.js';
import { type DescribeLocation, describeSource, maxBytesOf, sha256Of } from './caller-source.js';
import { type EngineCalls, withItsBytes } from './engine-calls.js';
import { loadedOf, noteLoaded, releaseLoaded } from './loaded-things.js';
import { CHECKS } from './msm-calls.js';
import { basesTuning } from './tuning-options.js';

/** The most powers of any ceremony's file. */
const MOST_POWERS = 2 ** 29;

/** The most polynomials, or openings, of one call. */
const MOST_AT_ONCE = 65_536;

/** See `Kzg`. It is loaded with the first call. */
export class CallerKzg implements Kzg {
  /** @param constantWork what calls do that do not say it. */
  constructor(
    private readonly calls: EngineCalls,
    private readonly describeLocation: DescribeLocation,
    private readonly constantWork: boolean,
  ) {}

  async loadSrs(given: BinarySource | KzgPoints, options?: KzgSrsLoadOptions): Promise<KzgSrs> {
    const reader = new OptionReader(options, 'the options of loadSrs');
    const curve = reader.read('curve') ?? undefined;
    const asked = {
      kind: 'load',
      plan: 'bases',
      curve: curve === undefined ? undefined : pairingCurve(curve),
      size: reader.integer('size', 2, MOST_POWERS),
      checkPowers: reader.flag('checkPowers', true),
      sha256: sha256Of(reader),
      maxBytes: maxBytesOf(reader),
      tuning: basesTuning(reader),
    } as const;
    const isMoved = reader.flag('transfer', false);
    const call = this.calls.begin('loadSrs', reader);
    const { source, points } = this.describeSrs(given, asked.curve, isMoved);
    const task: SrsTask = { ...asked, source, points };
    const { handle, report, ...key } = await this.calls.load(call, (engine, number) =>
      engine.kzg(number, withItsBytes(task, source)),
    );
    const srs: KzgSrs = { ...key, report, dispose: () => releaseLoaded(srs) };
    const sums = { curve: key.curve, group: 'g1' as GroupId, count: key.size };
    noteLoaded(srs, { calls: this.calls, kind: 'srs', handle, sums });
    return srs;
  }

  async commit(srs: KzgSrs, polynomial: Uint8Array, options?: KzgOptions): Promise<KzgCommitResult> {
    const { commitments, report } = await this.commitTo('commit', srs, [polynomial], options);
    return { commitment: commitments[0]!, report };
  }

  async commitBatch(
    srs: KzgSrs,
    polynomials: readonly Uint8Array[],
    options?: KzgOptions,
  ): Promise<KzgCommitBatchResult> {
    return this.commitTo('commitBatch', srs, listOf(polynomials, 'polynomials'), options);
  }

  async open(srs: KzgSrs, polynomial: Uint8Array, point: bigint, options?: KzgOptions): Promise<KzgOpenResult> {
    const reader = new OptionReader(options, 'the options of open');
    const { values, proof, report } = await this.openAt('open', srs, [polynomial], point, reader);
    return { value: values[0]!, proof, report };
  }

  async openBatch(
    srs: KzgSrs,
    polynomials: readonly Uint8Array[],
    point: bigint,
    options: KzgOpenBatchOptions,
  ): Promise<KzgOpenBatchResult> {
    const reader = new OptionReader(options, 'the options of openBatch');
    return this.openAt('openBatch', srs, listOf(polynomials, 'polynomials'), point, reader);
  }

  async verify(
    key: KzgVerificationKey,
    opening: KzgOpening | KzgBatchOpening,
    options?: CallOptions,
  ): Promise<boolean> {
    return this.verifyAll('verify', key, [opening], options);
  }

  async verifyBatch(
    key: KzgVerificationKey,
    openings: readonly (KzgOpening | KzgBatchOpening)[],
    options?: CallOptions,
  ): Promise<boolean> {
    return this.verifyAll('verifyBatch', key, listOf(openings, 'openings'), options);
  }

  /** What is to be read: a .ptau file, or points. */
  private describeSrs(
    given: BinarySource | KzgPoints,
    expected: CurveId | undefined,
    isMoved: boolean,
  ): Pick<SrsTask, 'source' | 'points'> {
    if (!isPoints(given)) {
      return { source: describeSource(given, 'a .ptau file', this.describeLocation, isMoved), points: undefined };
    }
    const reader = new OptionReader(given, 'the powers of tau');
    const curve = pairingCurve(reader.read('curve'));
    const points: SrsPoints = {
      curve,
      pointsForm: reader.word('pointsForm', NUMBER_FORMS) ?? 'canonical',
      tauG2: pointOf(reader.read('tauG2'), curve, 'g2', 'tauG2'),
    };
    const g1 = reader.read('g1') as BinarySource;
    reader.expectNoOthers();
    if (expected !== undefined && expected !== curve) {
      throw new PippinError('CURVE_MISMATCH', `expected powers of tau over ${expected}, got some over ${curve}`);
    }
    return { source: describeSource(g1, 'powers in G1', this.describeLocation, isMoved), points };
  }

  private async commitTo(
    name: CallName,
    srs: KzgSrs,
    polynomials: readonly Uint8Array[],
    options: KzgOptions | undefined,
  ): Promise<KzgCommitBatchResult> {
    const { handle, curve } = this.srsOf(srs);
    const reader = new OptionReader(options, `the options of ${name}`);
    const how = this.msmsOf(reader);
    const call = this.calls.begin(name, reader);
    const copies = copiesOf(polynomials);
    const task: CommitTask = { kind: 'commit', plan: 'msm', handle, polynomials: copies, ...how };
    const { commitments, report } = await this.calls.run(call, (engine, number) =>
      engine.kzg(number, moved(task, copies)),
    );
    return { commitments: commitments.map((bytes) => decoded(curve, bytes)), report };
  }

  private async openAt(
    name: 'open' | 'openBatch',
    srs: KzgSrs,
    polynomials: readonly Uint8Array[],
    givenPoint: bigint,
    reader: OptionReader,
  ): Promise<KzgOpenBatchResult> {
    const { handle, curve } = this.srsOf(srs);
    const point = scalarOf(givenPoint, curve, 'the point');
    const how = this.msmsOf(reader);
    const combination = name === 'open' ? undefined : combinationOf(reader, curve, polynomials.length);
    const call = this.calls.begin(name, reader);
    const copies = copiesOf(polynomials);
    const task: OpenTask = { kind: 'open', plan: 'msm', handle, polynomials: copies, point, combination, ...how };
    const { values, proof, report } = await this.calls.run(call, (engine, number) =>
      engine.kzg(number, moved(task, copies)),
    );
    return { values, proof: decoded(curve, proof), report };
  }

  private verifyAll(
    name: 'verify' | 'verifyBatch',
    given: KzgVerificationKey,
    openings: readonly (KzgOpening | KzgBatchOpening)[],
    options: CallOptions | undefined,
  ): Promise<boolean> {
    const reader = new OptionReader(options, `the options of ${name}`);
    const call = this.calls.begin(name, reader);
    const key = new OptionReader(given, 'the verification key');
    const curve = pairingCurve(key.read('curve'));
    const tauG2 = pointOf(key.read('tauG2'), curve, 'g2', 'tauG2');
    const claimed = openings.map((opening, i) => claimOf(opening, curve, name === 'verify' ? '' : ` of opening ${i}`));
    const task: VerifyTask = { kind: 'verify', plan: 'verify', curve, tauG2, openings: claimed };
    return this.calls.run(call, (engine, number) => engine.kzg(number, task));
  }

  private srsOf(srs: KzgSrs): { readonly handle: number; readonly curve: CurveId } {
    const { handle, sums } = loadedOf(this.calls, srs, 'srs');
    return { handle, curve: sums!.curve };
  }

  private msmsOf(reader: OptionReader): Pick<CommitTask, 'check' | 'constantWork'> {
    return {
      check: reader.word('check', CHECKS),
      constantWork: reader.flag('constantWork', this.constantWork),
    };
  }
}

function isPoints(given: BinarySource | KzgPoints): given is KzgPoints {
  const isObject = typeof given === 'object' && given !== null;
  return isObject && Object.hasOwn(given, 'tauG2');
}

/** A curve whose pairing verifies; `INVALID_ARGUMENT` and `CURVE_MISMATCH` for others. */
function pairingCurve(curve: unknown): CurveId {
  const { curve: id } = groupOf(curve, 'g2');
  if (CURVES[id].pairing !== undefined) return id;
  const able = Object.values(CURVES).flatMap(({ id, pairing }) => (pairing === undefined ? [] : [id]));
  throw new PippinError('CURVE_MISMATCH', `expected a curve with a pairing (${able.join(', ')}), got ${id}`);
}

function combinationOf(reader: OptionReader, curve: CurveId, count: number): Combination {
  const challenge = reader.read('challenge');
  const commitments = reader.read('commitments');
  if (count === 0) throw new PippinError('INVALID_LENGTH', 'expected at least one polynomial to open, got none');
  if ((challenge === undefined) === (commitments === undefined)) {
    const got = challenge === undefined ? 'neither' : 'both';
    throw new PippinError('INVALID_ARGUMENT', `expected the commitments or a challenge for openBatch, got ${got}`, {
      hint: 'give the commitments of commitBatch: the challenge is derived from them',
    });
  }
  if (challenge !== undefined) return { challenge: challengeOf(challenge, curve, ''), commitments: [] };
  const points = listOf(commitments as readonly KzgPoint[], 'commitments').map((point, i) =>
    pointOf(point, curve, 'g1', `commitment ${i}`),
  );
  expectCount(points.length, count, 'commitments', '');
  return { challenge: undefined, commitments: points };
}

/** What an opening claims, as plain data. `where` names it in messages. */
function claimOf(given: KzgOpening | KzgBatchOpening, curve: CurveId, where: string): ClaimedOpening {
  const reader = new OptionReader(given, `an opening`);
  const point = scalarOf(reader.read('point'), curve, `the point${where}`);
  const proof = pointOf(reader.read('proof'), curve, 'g1', `the proof${where}`);
  const several = reader.read('commitments');
  if (several === undefined) {
    const commitments = [pointOf(reader.read('commitment'), curve, 'g1', `the commitment${where}`)];
    return {
      commitments,
      point,
      values: [integer(reader.read('value'), `the value${where}`)],
      proof,
      challenge: undefined,
    };
  }
  const commitments = listOf(several as readonly KzgPoint[], `commitments${where}`).map((commitment, i) =>
    pointOf(commitment, curve, 'g1', `commitment ${i}${where}`),
  );
  if (commitments.length === 0) throw new PippinError('INVALID_LENGTH', `expected at least one commitment${where}`);
  const values = listOf(reader.read('values') as readonly bigint[], `values${where}`).map((value, i) =>
    integer(value, `value ${i}${where}`),
  );
  expectCount(values.length, commitments.length, 'values', where);
  const challenge = reader.read('challenge');
  return {
    commitments,
    point,
    values,
    proof,
    challenge: challenge === undefined ? undefined : challengeOf(challenge, curve, where),
  };
}

function expectCount(got: number, expected: number, what: string, where: string): void {
  if (got !== expected) throw new PippinError('INVALID_LENGTH', `expected ${expected} ${what}${where}, got ${got}`);
}

function challengeOf(value: unknown, curve: CurveId, where: string): bigint {
  const challenge = scalarOf(value, curve, `the challenge${where}`);
  // With 0 all polynomials but the first could have any values.
  if (challenge !== 0n) return challenge;
  throw new PippinError('INVALID_SCALAR', `expected the challenge${where} from 1 to r - 1, got 0`);
}

/** `INVALID_SCALAR` unless a number is from 0 to r - 1. */
function scalarOf(value: unknown, curve: CurveId, name: string): bigint {
  const scalar = integer(value, name);
  if (scalar >= 0n && scalar < CURVES[curve].fr.modulus) return scalar;
  throw new PippinError('INVALID_SCALAR', `expected ${name} from 0 to r - 1, got a number outside`);
}

function integer(value: unknown, name: string): bigint {
  if (typeof value === 'bigint') return value;
  throw new PippinError('INVALID_ARGUMENT', `expected ${name} as a bigint, got ${describeValue(value)}`);
}

/** A copy of a point's bytes. */
function pointOf(given: unknown, curve: CurveId, group: GroupId, name: string): Uint8Array {
  const bytes =
    typeof given === 'object' && given !== null && !ArrayBuffer.isView(given)
      ? new OptionReader(given, name).read('bytes')
      : given;
  if (!ArrayBuffer.isView(bytes) || !(bytes instanceof Uint8Array)) {
    throw new PippinError('INVALID_ARGUMENT', `expected ${name} as a point, got ${describeType(given)}`);
  }
  const size = pointBytes(curve, group);
  if (bytes.length === size) return copyBytes(bytes);
  throw new PippinError('INVALID_LENGTH', `expected ${name} of ${size} bytes, got ${bytes.length} bytes`);
}

function listOf<T>(list: readonly T[], what: string): T[] {
  if (!Array.isArray(list)) {
    throw new PippinError('INVALID_ARGUMENT', `expected a list of ${what}, got ${describeType(list)}`);
  }
  if (list.length <= MOST_AT_ONCE) return Array.from(list);
  throw new PippinError('INVALID_ARGUMENT', `expected at most ${MOST_AT_ONCE} ${what}, got ${list.length}`);
}

/** Copies of polynomials, whose buffers can be moved. */
function copiesOf(polynomials: readonly Uint8Array[]): Uint8Array<ArrayBuffer>[] {
  return polynomials.map((polynomial) => {
    if (ArrayBuffer.isView(polynomial) && polynomial instanceof Uint8Array) return copyBytes(polynomial);
    const got = describeType(polynomial);
    throw new PippinError('INVALID_ARGUMENT', `expected the coefficients of a polynomial as a Uint8Array, got ${got}`);
  });
}

function moved<T>(task: T, copies: readonly Uint8Array<ArrayBuffer>[]): T {
  return Comlink.transfer(
    task,
    copies.map(({ buffer }) => buffer),
  );
}

function decoded(curve: CurveId, bytes: Uint8Array): MsmPoint {
  return { ...decodePoint(curve, 'g1', bytes), bytes };
}
