import { throwIfAborted } from '../../abort.js';
import { asPippinError, PippinError } from '../../errors.js';
import { joinBytes } from '../../field/bytes.js';
import { type BasesRange, type MsmOptions, type MsmSum, type SumBackend, wholeRange } from '../backend.js';
import type { ArithmeticFor } from '../point-arithmetic.js';
import type { ScalarVector } from '../scalar-vector.js';
import type { Layout, Piece } from './layout.js';
import { isPartFault, SplitBases, type SumKind } from './split-bases.js';
import type { SplitPart } from './split-part.js';

/** What the pieces of one call have in common. */
interface SplitCall {
  readonly bases: SplitBases;
  readonly scalars: ScalarVector;
  readonly batch: number;
  readonly options: MsmOptions;
  readonly kind: SumKind;
  /** Tells how much of a piece is done. */
  readonly tell: (piece: Piece, fraction: number) => void;
}

/**
 * Divides each sum among several parts, such as a GPU and the workers or several GPUs, and adds up what they give. Shares follow the rate of
 * each part, which every call measures. When a part fails, the others do its share, a notice says so, and it has no share in later sums over
 * the same bases. Only when no part is left does a multiplication reject, with the last fault.
 *
 * Sums for which only the workers are trusted, and those of scalars on a device, are done by the parts that can; these hold all points for it from
 * the first such sum on.
 */
export function splitMsm(parts: readonly SplitPart[], arithmeticFor: ArithmeticFor): SumBackend {
  return {
    get capabilities() {
      return (parts.find(({ backend }) => backend.isAvailable) ?? parts[0]!).backend.capabilities;
    },

    async load(bases, range, options = {}) {
      const loaded = new SplitBases(parts, bases, wholeRange(bases, range));
      try {
        await loaded.load(options);
      } catch (error) {
        loaded.release();
        throw error;
      }
      return loaded;
    },

    async multiplyBatch(given, scalars, batch, options = {}) {
      if (options.range !== undefined) {
        throw new PippinError('INTERNAL', 'expected a sum over all points that are split, got a range of them');
      }
      const bases = given as SplitBases;
      const { curve, group } = bases.bases;
      const arithmetic = arithmeticFor(curve, group, options.signal);
      const kind = kindOf(bases, scalars, options);
      const layout = bases.layoutForSum(kind);
      const tell = progressOf(bases.range, options.onProgress);
      const sums = await sumByLayout({ bases, scalars, batch, options, kind, tell }, layout);
      return Promise.all(
        Array.from({ length: batch }, async (_, i): Promise<MsmSum> => {
          const shares = sums.map((ofPiece) => ofPiece[i]!);
          if (shares.length === 1) return shares[0]!;
          const point = await arithmetic.combine(joinBytes(shares.map((share) => share.point)));
          return { point, executors: [...new Set(shares.flatMap(({ executors }) => executors))] };
        }),
      );
    },
  };
}

function kindOf(bases: SplitBases, scalars: ScalarVector, { trustedOnly }: MsmOptions): SumKind {
  if (scalars.kind === 'device') return 'device';
  if (trustedOnly) return 'trusted';
  return bases.waitsForPart ? 'meanwhile' : 'usual';
}

/** The sums over the pieces of a layout. What a part leaves undone when it fails is divided among the others. */
async function sumByLayout(call: SplitCall, layout: Layout): Promise<MsmSum[][]> {
  const { bases, kind, options } = call;
  const pieces = layout.pieces();
  const outcomes = await layout.use(() => Promise.allSettled(pieces.map((piece) => sumPiece(call, layout, piece))));
  const failures = pieces.flatMap((piece, i) => {
    const outcome = outcomes[i]!;
    return outcome.status === 'rejected' ? [{ piece, error: outcome.reason as unknown }] : [];
  });
  for (const { piece, error } of failures) {
    if (!isPartFault(error)) throw error;
    bases.giveUp(piece.part);
    call.tell(piece, 0);
  }
  const sums = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  for (const { piece, error } of failures) {
    throwIfAborted(options.signal);
    const { code, message } = asPippinError(error);
    const rest = bases.layoutOf(piece.range, kind, error);
    options.observer?.notice('SUM_REDONE', `${piece.part.name} failed (${code}: ${message}); others did its share`);
    try {
      sums.push(...(await sumByLayout(call, rest)));
    } finally {
      rest.retire();
    }
  }
  return sums;
}

/** The sums over one piece. The time that they take corrects the part's rate. */
async function sumPiece(
  { bases, scalars, batch, options, tell }: SplitCall,
  layout: Layout,
  piece: Piece,
): Promise<MsmSum[]> {
  const { part, rate, range } = piece;
  const { resident, holds } = await layout.copyOn(part, bases.bases, { observer: options.observer });
  const start = performance.now();
  let ms = 0;
  const sums = await part.backend.multiplyBatch(resident, scalars, batch, {
    ...options,
    range: { from: range.from - holds.from, to: range.to - holds.from },
    onProgress: (fraction) => tell(piece, fraction),
    onComputed: () => {
      ms = performance.now() - start;
    },
  });
  rate.add(batch * (range.to - range.from), ms);
  tell(piece, 1);
  return sums;
}

/** Tells the part of all points that is done, by what is told of each piece. */
function progressOf(whole: BasesRange, onProgress: MsmOptions['onProgress']): SplitCall['tell'] {
  const done = new Map<Piece, number>();
  return (piece, fraction) => {
    done.set(piece, fraction * (piece.range.to - piece.range.from));
    const points = [...done.values()].reduce((sum, some) => sum + some, 0);
    onProgress?.(points / Math.max(1, whole.to - whole.from));
  };
}
