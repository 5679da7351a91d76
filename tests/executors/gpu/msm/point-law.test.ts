import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CURVES } from '../../../../sdk/curves/index.js';
import { fromLimbs, toLimbs } from '../../../../sdk/curves/limbs.js';
import { accumulateStage, foldStage } from '../../../../sdk/executors/gpu/msm/stages/accumulate.js';
import { dealStage, SLOTS_AT, tallyStage } from '../../../../sdk/executors/gpu/msm/stages/pieces.js';
import { type AffinePoint, addAffine, multiplyAffine } from '../../../support/curve-reference.js';
import { negate, packBases, packSum, sumWords, unpackSum } from '../../../support/msm-reference.js';
import { multipleOf } from '../../../support/points.js';
import { Random } from '../../../support/random.js';
import { openLab, type StageLab, shape, VARIANTS, wholeChunk } from './stage-lab.js';

/** The group laws in WGSL, in all their cases, as the stages call them: a case is a bucket. */
describe.each(VARIANTS)('the WGSL group law of $curve by $products', ({ curve, products }) => {
  const parameters = CURVES[curve];
  const p = parameters.fq.modulus;
  const words = sumWords(curve);
  const random = new Random(3);
  const points = [
    1n,
    2n,
    3n,
    parameters.fr.modulus - 1n,
    parameters.fr.modulus - 2n,
    random.below(parameters.fr.modulus),
  ].map((k) => multipleOf(parameters, k)!);
  const withNeutral: AffinePoint[] = [undefined, ...points];
  let lab: StageLab;

  beforeAll(async () => {
    lab = await openLab(curve, products);
  });
  afterAll(() => lab.destroy());

  /**
   * A sum in words, scaled by a random z; what stages leave in buffers may pass p, so every second one is raised by it.
   */
  function sumOf(point: AffinePoint, i: number): number[] {
    if (point === undefined) return Array(words).fill(0);
    const packed = [...packSum(curve, point, 1n + random.below(p - 1n))];
    const size = words / 4;
    const coordinates = [0, 1, 2, 3].map((k) => fromLimbs(packed.slice(k * size, (k + 1) * size), 32));
    return coordinates.flatMap((value) => toLimbs(value === 0n ? 0n : value + BigInt(i % 2) * p, size, 32));
  }

  async function readSums(): Promise<AffinePoint[]> {
    const all = await lab.read('buckets');
    return Array.from({ length: all.length / words }, (_, i) =>
      unpackSum(curve, all.subarray(i * words, (i + 1) * words)),
    );
  }

  it('adds bases to sums in every case, several times over, and takes them away', async () => {
    const times = 3;
    const cases = withNeutral.flatMap((sum) =>
      points.flatMap((_, base) => [false, true].map((negative) => ({ sum, base, negative }))),
    );
    const entries = cases.length * times;
    const plan = shape({
      windowBits: 4,
      windows: 1,
      bucketsPerRow: cases.length,
      chunkPoints: entries,
      sumBytes: 4 * words,
    });
    const bytes = { ...accumulateStage.bytes(plan), ...dealStage.bytes(plan), ...tallyStage.bytes(plan) };
    await lab.fill({
      counters: Uint32Array.from({ length: cases.length + 1 }, (_, b) => times * b),
      sorted: Uint32Array.from(
        cases.flatMap(({ base, negative }) => Array(times).fill((base | (negative ? 0x80000000 : 0)) >>> 0)),
      ),
      buckets: Uint32Array.from(cases.flatMap(({ sum }, i) => sumOf(sum, i))),
      slots: bytes.slots! / 4,
      bins: bytes.bins! / 4,
      pieces: bytes.pieces! / 4,
      firstPieces: bytes.firstPieces! / 4,
    });
    const bases = lab.bases(new Uint32Array(packBases(curve, points).points.buffer));
    const chunk = wholeChunk(plan, { bases, continued: true });
    const cut = [...tallyStage.dispatches(chunk), ...dealStage.dispatches(chunk)];
    await lab.run([...cut, ...accumulateStage.dispatches(chunk)]);
    const expected = cases.map(({ sum, base, negative }) => {
      const added = negative ? negate(curve, points[base]!) : points[base]!;
      return addAffine(parameters, sum, multiplyAffine(parameters, added, BigInt(times)));
    });
    expect(await readSums()).toEqual(expected);
  });

  // Sums are not added to sums by bytes.
  it.runIf(products === 'limbs')('adds sums in every case', async () => {
    const cases = withNeutral.flatMap((a) => withNeutral.map((b) => ({ a, b })));
    const plan = shape({ windowBits: 4, windows: 1, bucketsPerRow: cases.length, pieceLength: 1, sumBytes: 4 * words });
    await lab.fill({
      // Two entries: one that is in the bucket, and a full piece in a slot of its own.
      counters: Uint32Array.from({ length: cases.length + 1 }, (_, bucket) => 2 * bucket),
      pieces: Uint32Array.from(cases.keys(), (bucket) => bucket + 1),
      firstPieces: Uint32Array.from(cases.keys()),
      bins: SLOTS_AT + 1,
      buckets: Uint32Array.from(cases.flatMap(({ a }, i) => sumOf(a, i))),
      slots: Uint32Array.from(cases.flatMap(({ b }, i) => sumOf(b, i >> 1))),
    });
    await lab.run(foldStage.dispatches(wholeChunk(plan)));
    expect(await readSums()).toEqual(cases.map(({ a, b }) => addAffine(parameters, a, b)));
  });
});
