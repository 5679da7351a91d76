import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CURVES } from '../../../../sdk/curves/index.js';
import { mod } from '../../../../sdk/curves/modular.js';
import { accumulateStage, foldStage } from '../../../../sdk/executors/gpu/msm/stages/accumulate.js';
import { dealStage, SLOTS_AT, tallyStage } from '../../../../sdk/executors/gpu/msm/stages/pieces.js';
import { firstOf } from '../../../support/combinations.js';
import { G2Reference } from '../../../support/g2-reference.js';
import { Random } from '../../../support/random.js';
import { openLab, type StageLab, shape, VARIANTS, wholeChunk } from './stage-lab.js';

const VARIANTS_OF_G2 = VARIANTS.filter(({ curve }) => CURVES[curve].g2 !== undefined);
/** By bytes a software adapter compiles the addition over 12 words for ten seconds: its fields have tests of their own. */
const OVER_G2 = [
  ...VARIANTS_OF_G2.filter(({ products }) => products === 'limbs'),
  ...firstOf(VARIANTS_OF_G2.filter(({ products }) => products === 'bytes')),
];

/**
 * The group law of G2 in WGSL, in all its cases, as the stages call it: a case is a bucket. Points are given by their
 * logarithms.
 */
describe.each(OVER_G2)('the WGSL group law of G2 of $curve by $products', ({ curve, products }) => {
  const { fq } = CURVES[curve];
  const reference = new G2Reference(curve);
  const { order } = reference.group;
  const random = new Random(3);
  const logs = [1n, 2n, 3n, order - 1n, order - 2n, random.below(order)];
  const withNeutral = [0n, ...logs];
  let lab: StageLab;

  beforeAll(async () => {
    lab = await openLab(curve, products, 'g2');
  });
  afterAll(() => lab.destroy());

  /** A sum scaled by a random z; what stages leave in buffers may pass p, so every second one is raised by it. */
  function sumOf(log: bigint, i: number): Uint32Array {
    return reference.packSum(log, [random.below(fq.modulus), random.below(fq.modulus)], BigInt(i % 2));
  }

  function join(sums: readonly Uint32Array[]): Uint32Array {
    return Uint32Array.from(sums.flatMap((sum) => [...sum]));
  }

  async function readSums(): Promise<Uint8Array[]> {
    const all = await lab.read('buckets');
    const { sumWords } = reference;
    return Array.from({ length: all.length / sumWords }, (_, i) =>
      reference.unpackSum(all.subarray(i * sumWords, (i + 1) * sumWords)),
    );
  }

  const pointOf = (log: bigint): Uint8Array => reference.group.multiple(mod(log, order));

  it('adds bases to sums in every case, several times over, and takes them away', async () => {
    const times = 3;
    const cases = withNeutral.flatMap((sum) =>
      logs.flatMap((_, base) => [false, true].map((negative) => ({ sum, base, negative }))),
    );
    const entries = cases.length * times;
    const plan = shape({
      windowBits: 4,
      windows: 1,
      bucketsPerRow: cases.length,
      chunkPoints: entries,
      sumBytes: 4 * reference.sumWords,
    });
    const bytes = { ...accumulateStage.bytes(plan), ...dealStage.bytes(plan), ...tallyStage.bytes(plan) };
    await lab.fill({
      counters: Uint32Array.from({ length: cases.length + 1 }, (_, b) => times * b),
      sorted: Uint32Array.from(
        cases.flatMap(({ base, negative }) => Array(times).fill((base | (negative ? 0x80000000 : 0)) >>> 0)),
      ),
      buckets: join(cases.map(({ sum }, i) => sumOf(sum, i))),
      slots: bytes.slots! / 4,
      bins: bytes.bins! / 4,
      pieces: bytes.pieces! / 4,
      firstPieces: bytes.firstPieces! / 4,
    });
    const bases = lab.bases(new Uint32Array(reference.packBases(logs).points.buffer));
    const chunk = wholeChunk(plan, { bases, continued: true });
    const cut = [...tallyStage.dispatches(chunk), ...dealStage.dispatches(chunk)];
    await lab.run([...cut, ...accumulateStage.dispatches(chunk)]);
    expect(await readSums()).toEqual(
      cases.map(({ sum, base, negative }) => pointOf(sum + BigInt(negative ? -times : times) * logs[base]!)),
    );
  });

  // Sums are not added to sums by bytes.
  it.runIf(products === 'limbs')('adds sums in every case', async () => {
    const cases = withNeutral.flatMap((a) => withNeutral.map((b) => ({ a, b })));
    const { sumWords } = reference;
    const plan = shape({
      windowBits: 4,
      windows: 1,
      bucketsPerRow: cases.length,
      pieceLength: 1,
      sumBytes: 4 * sumWords,
    });
    await lab.fill({
      // Two entries: one that is in the bucket, and a full piece in a slot of its own.
      counters: Uint32Array.from({ length: cases.length + 1 }, (_, bucket) => 2 * bucket),
      pieces: Uint32Array.from(cases.keys(), (bucket) => bucket + 1),
      firstPieces: Uint32Array.from(cases.keys()),
      bins: SLOTS_AT + 1,
      buckets: join(cases.map(({ a }, i) => sumOf(a, i))),
      slots: join(cases.map(({ b }, i) => sumOf(b, i >> 1))),
    });
    await lab.run(foldStage.dispatches(wholeChunk(plan)));
    expect(await readSums()).toEqual(cases.map(({ a, b }) => pointOf(a + b)));
  });
});
