import { basename } from 'node:path';
import type { Bases, Coordinate, Prover } from '../../api/index.js';
import { bigintToBytes, bytesToBigint, joinBytes } from '../../base/bytes.js';
import { PippinError } from '../../base/errors.js';
import { CURVES, type Curve, type CurveId } from '../../curves/index.js';
import { encodePoint } from '../../curves/point-bytes.js';
import { sampleScalars } from '../../engine/tune/sample-bases.js';
import { proveWith } from '../../hosts/session/proof-system-of.js';
import type { Context } from '../context.js';
import { stepOf, withProver } from '../prover.js';
import { proofInput, type WitnessSource } from '../witness-source.js';
import type { BenchWork } from './backends.js';

/** A proving key, and a witness or what it is computed from. */
export interface ProofFiles {
  readonly zkey: string;
  readonly source: WitnessSource;
  /** Whether the key may be one without a contribution. */
  readonly allowUnfinished: boolean;
  /** The bound of downloads, as calls take it. */
  readonly downloads: { readonly maxBytes?: number };
}

/** Proofs with a key. Each is verified before it is given, as always. */
export function proofWork({ zkey, source, allowUnfinished, downloads }: ProofFiles, context: Context): BenchWork {
  const from = source.kind === 'witness' ? 'a witness' : 'inputs';
  return {
    name: `A proof with ${basename(zkey)} from ${from}`,
    isCached: true,
    async load(prover) {
      const options = { allowUnfinished, ...downloads };
      const key = await prover.loadKey(zkey, { ...stepOf(context, 'Loading the key'), ...options });
      return {
        cached: key.report.cached === true,
        async run(step) {
          const proving = { ...stepOf(context, step), ...downloads };
          await proveWith(prover, key, proofInput(source), proving);
        },
      };
    },
  };
}

/** Different points among the bases, which repeat them: so many that equal ones hardly ever meet in a bucket. */
const DISTINCT_POINTS = 256;

/** Points of G1, scalars, and the MSM's result. */
interface Operands {
  readonly points: Uint8Array;
  readonly scalars: Uint8Array;
  readonly sum: readonly [x: Coordinate, y: Coordinate];
}

/**
 * An MSM over 2^size points of G1 with random scalars, which is checked each time: the points are known multiples of
 * the generator.
 */
export async function sumWork(id: CurveId, size: number, context: Context): Promise<BenchWork> {
  const curve = CURVES[id];
  const { points, scalars, sum } = await makeOperands(curve, 2 ** size, context);
  return {
    name: `An MSM over 2^${size} points of G1 on ${curve.name} with random scalars`,
    isCached: false,
    async load(prover) {
      const bases = await prover.loadBases({ curve: id, points }, stepOf(context, 'Loading the points'));
      return {
        cached: false,
        async run(step) {
          const { x, y } = await prover.msm(bases, scalars, stepOf(context, step));
          if (x === sum[0] && y === sum[1]) return;
          throw new PippinError('RESULT_INVALID', 'expected the MSM that is known beforehand, got another point');
        },
      };
    },
  };
}

/** Computed with another prover, so that the measured ones start cold. */
function makeOperands(curve: Curve, count: number, context: Context): Promise<Operands> {
  const { id, g1 } = curve;
  return withProver({ backend: 'wasm', cache: false }, context, async (prover) => {
    const call = stepOf(context, 'Making points');
    const generator = await prover.loadBases({ curve: id, points: encodePoint(id, 'g1', g1.generator) }, call);
    const distinct = Math.min(DISTINCT_POINTS, count);
    const scalars = sampleScalars(id, count);
    const factors = [
      factorOfSum(curve, scalars, distinct),
      ...Array.from({ length: distinct }, (_, i) => BigInt(i + 1)),
    ];
    const [sum, ...multiples] = await multiplesOf(prover, curve, generator, factors, context);
    const few = joinBytes(multiples.map(([x, y]) => encodePoint(id, 'g1', [x as bigint, y as bigint])));
    const points = joinBytes(Array.from({ length: count / distinct }, () => few));
    return { points, scalars, sum: sum! };
  });
}

/** These multiples of one base. */
async function multiplesOf(
  prover: Prover,
  { scalarBytes }: Curve,
  base: Bases,
  factors: readonly bigint[],
  { signal }: Context,
): Promise<Operands['sum'][]> {
  const scalars = joinBytes(factors.map((factor) => bigintToBytes(factor, scalarBytes)));
  const { points } = await prover.msmBatch(base, scalars, { batchSize: factors.length, signal });
  return points.map(({ x, y }) => [x, y]);
}

/**
 * sum k_i (1 + i mod period) mod r: the MSM's result as a multiple of the generator, since point i is 1 + i mod period
 * times it.
 */
function factorOfSum({ scalarBytes, fr }: Curve, scalars: Uint8Array, period: number): bigint {
  let factor = 0n;
  for (let i = 0; i < scalars.length / scalarBytes; i++) {
    factor += bytesToBigint(scalars, i * scalarBytes, scalarBytes) * BigInt(1 + (i % period));
  }
  return factor % fr.modulus;
}
