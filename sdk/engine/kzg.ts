import { newBytes } from '../base/bytes.js';
import { PippinError } from '../base/errors.js';
import { wipe } from '../base/free-memory.js';
import { checkScalarsEvenly } from '../bases/scalars.js';
import { type CurveId, SCALAR_BYTES } from '../curves/index.js';
import { WorkersPolynomials } from '../executors/workers/pool/workers-polynomials.js';
import { VectorScope } from '../polynomials/vector-scope.js';
import { openAt } from '../proofs/kzg/open.js';
import { openingsHold } from '../proofs/kzg/verify.js';
import { pairings } from '../proofs/pairings.js';
import type { Call } from './call.js';
import type { EngineContext } from './context.js';
import type { CommitTask, KzgMsms, KzgReplies, KzgTask, OpenTask, VerifyTask } from './kzg-api.js';
import { loadSrs, multiplyPowers } from './load-srs.js';
import type { MsmBases } from './msm-bases.js';

/** Scalars of one call for MSMs: 64 MiB. */
const SCALARS_AT_ONCE = 2 ** 21;

/** A loaded SRS. */
export class LoadedSrs {
  constructor(
    private readonly context: EngineContext,
    readonly curve: CurveId,
    private readonly powers: MsmBases,
  ) {}

  get size(): number {
    return this.powers.count;
  }

  /** The commitments to polynomials. */
  async commit(call: Call, { polynomials, ...how }: CommitTask): Promise<KzgReplies['commit']> {
    this.expectPolynomials(polynomials);
    const commitments = await this.multiply(call, polynomials, how);
    return { commitments, report: call.report() };
  }

  /** The values of polynomials at a point, and the proof. */
  async open(call: Call, { polynomials, point, combination, ...how }: OpenTask): Promise<KzgReplies['open']> {
    this.expectPolynomials(polynomials);
    const { signal } = call;
    const scope = new VectorScope();
    try {
      const on = new WorkersPolynomials(this.context.backends.pool, this.curve);
      const vectors = await Promise.all(polynomials.map((bytes) => scope.add(on.create(bytes))));
      const { values, quotient } = await openAt(on, { polynomials: vectors, point, combination }, { signal });
      const coefficients = await on.read(await scope.add(quotient));
      try {
        const [proof] = await this.multiply(call, [coefficients], how);
        return { values, proof: proof!, report: call.report() };
      } finally {
        wipe(coefficients);
      }
    } finally {
      scope.end();
    }
  }

  release(): void {
    this.powers.release();
  }

  /** `INVALID_LENGTH` for more coefficients than powers, `INVALID_SCALAR` for one that is not below r. */
  private expectPolynomials(polynomials: readonly Uint8Array[]): void {
    for (const [i, bytes] of polynomials.entries()) {
      const name = polynomials.length === 1 ? 'the polynomial' : `polynomial ${i}`;
      const count = bytes.length / SCALAR_BYTES;
      if (!Number.isInteger(count)) {
        throw new PippinError(
          'INVALID_LENGTH',
          `expected coefficients of ${name} of ${SCALAR_BYTES} bytes each, got ${bytes.length} bytes`,
        );
      }
      if (count > this.size) {
        throw new PippinError(
          'INVALID_LENGTH',
          `expected at most ${this.size} coefficients of ${name}, as many as the SRS has powers, got ${count}`,
          { hint: 'load the SRS with a larger size' },
        );
      }
      try {
        checkScalarsEvenly(this.curve, bytes, count);
      } catch (cause) {
        throw new PippinError('INVALID_SCALAR', `expected coefficients of ${name} below r, got one that is not`, {
          cause,
        });
      }
    }
  }

  /** The MSMs of polynomials' coefficients over the powers, which zeros fill up. */
  private async multiply(call: Call, polynomials: readonly Uint8Array[], how: KzgMsms): Promise<Uint8Array[]> {
    const bytes = this.size * SCALAR_BYTES;
    const atOnce = Math.max(1, Math.floor(SCALARS_AT_ONCE / this.size));
    const points: Uint8Array[] = [];
    for (let from = 0; from < polynomials.length; from += atOnce) {
      const some = polynomials.slice(from, from + atOnce);
      const scalars = newBytes(some.length * bytes);
      try {
        for (const [i, coefficients] of some.entries()) scalars.set(coefficients, i * bytes);
        points.push(...(await multiplyPowers(call, this.powers, scalars, some.length, how)));
      } finally {
        wipe(scalars);
      }
    }
    return points;
  }
}

/** Where loaded SRSs are kept. */
interface SrsHandles {
  add(kind: 'srs', value: LoadedSrs): number;
  get(kind: 'srs', handle: number): LoadedSrs;
}

/**
 * Does what a caller asks of KZG commitments. This module and what it imports are loaded with the first task. The
 * polynomials of a task are overwritten.
 */
export async function runKzg(
  context: EngineContext,
  call: Call,
  handles: SrsHandles,
  task: KzgTask,
): Promise<KzgReplies[KzgTask['kind']]> {
  if (task.kind === 'verify') return verifyOpenings(context, call, task);
  if (task.kind === 'load') {
    const { powers, curve, tauG2, cached } = await loadSrs(context, call, task);
    const srs = new LoadedSrs(context, curve, powers);
    return { handle: handles.add('srs', srs), curve, tauG2, size: srs.size, report: call.report(cached) };
  }
  try {
    const srs = handles.get('srs', task.handle);
    return task.kind === 'commit' ? await srs.commit(call, task) : await srs.open(call, task);
  } finally {
    wipe(...task.polynomials);
  }
}

async function verifyOpenings(
  { backends }: EngineContext,
  call: Call,
  { curve, tauG2, openings }: VerifyTask,
): Promise<boolean> {
  await backends.openCurve(curve, []);
  return call.span('verify', 'wasm', () =>
    openingsHold(pairings(backends.pool, curve, call.signal), curve, tauG2, openings),
  );
}
