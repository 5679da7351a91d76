import type { MsmOptions, MsmPoint, Prover } from '../../sdk/api/index.js';
import { type Curve, hasGpuKernels } from '../../sdk/curves/index.js';
import { mod } from '../../sdk/curves/modular.js';
import { addAffine } from '../support/curve-reference.js';
import { NOBLE_GROUPS } from '../support/noble-groups.js';
import { multipleOf, pointOfOrderTwo } from '../support/points.js';
import type { Random } from '../support/random.js';
import { scalarsToBytes } from '../support/scalar-bytes.js';
import type { Campaign, OpenCampaign, Tier } from './campaign.js';
import { drawBases } from './drawn-bases.js';
import { type DrawnMsmOptions, drawMsmOptions } from './drawn-msm-options.js';
import { drawScalars } from './drawn-scalars.js';
import { type KnownPoint, KnownPoints } from './known-points.js';
import { MsmProvers, SUM_PROVERS } from './msm-provers.js';

/** How sums are asked for: many over the same bases, many over runs of the bases, or one call for each. */
type Way = 'shared' | 'own' | 'single';
const WAYS: readonly Way[] = [...Array<Way>(8).fill('shared'), 'own', 'single'];

interface Size {
  /** How many sums a case has. */
  readonly msm: Readonly<Record<Way, number>>;
  readonly points: (random: Random, isSoftware: boolean) => number;
  /** The length of the lines of known points. */
  readonly lineLength: number;
}

const SMALL: Size = {
  msm: { shared: 120, own: 40, single: 10 },
  points: (random) => 1 + random.integer(random.integer(4) === 0 ? 4 : 40),
  lineLength: 256,
};

const LEAST_LOG = 9;
const MOST_LOG = 14;
/** A software adapter would take half a minute for 2^14 points. */
const MOST_LOG_IN_SOFTWARE = 11;

const LARGE: Size = {
  msm: { shared: 4, own: 4, single: 4 },
  points: (random, isSoftware) => {
    const most = isSoftware ? MOST_LOG_IN_SOFTWARE : MOST_LOG;
    const log = LEAST_LOG + random.integer(most - LEAST_LOG + 1);
    // Around the power of 2, or anywhere up to the next one.
    if (log === most || random.integer(2) === 0) return 2 ** log - random.integer(2);
    return 2 ** log + random.integer(2 ** log);
  },
  lineLength: 2 ** 12,
};

/**
 * A software adapter takes a minute to compile the kernels of a curve, and a single core as long for 32 multiples of
 * 2^14 points of MNT4-753.
 */
const HANGS_AFTER_MS = 5 * 60_000;

/** The groups in which sums are computed. The last one is taken less often: its numbers have 753 bits. */
const GROUPS = [...NOBLE_GROUPS, ...NOBLE_GROUPS.slice(0, -1), ...NOBLE_GROUPS.slice(0, -1)];
const ON_GPU = NOBLE_GROUPS.filter(({ curve }) => hasGpuKernels(curve));
/** So many cases after another are of one group where kernels are to be compiled for each. */
const CASES_OF_A_GROUP = 20;

function groupOf(tier: Tier, index: number) {
  const groups = tier === 'webgpu' ? ON_GPU : GROUPS;
  const turn = tier === 'webgpu' ? Math.floor(index / CASES_OF_A_GROUP) : index;
  return groups[turn % groups.length]!;
}

function campaign(size: Size, about: string, short: Campaign['short'], full: number): Campaign {
  return {
    about,
    tiers: ['wasm', 'webgpu'],
    short,
    full,
    hangsAfterMs: HANGS_AFTER_MS,
    open: async (tier) => new MsmCampaign(tier, size),
  };
}

export const msm = campaign(SMALL, 'sums of 1 to 40 points are right', { wasm: 7, webgpu: 1 }, 10_000);
export const largeMsm = campaign(LARGE, 'sums of 2^9 to 2^14 points are right', { wasm: 1, webgpu: 0 }, 2500);

class MsmCampaign implements OpenCampaign {
  private readonly provers = new MsmProvers();
  private readonly known = new Map<string, KnownPoints>();
  private count = 0;
  private pointCount = 0;

  constructor(
    private readonly tier: Tier,
    private readonly size: Size,
  ) {}

  async run(random: Random, index: number): Promise<readonly string[]> {
    const group = groupOf(this.tier, index);
    const names = SUM_PROVERS[this.tier];
    const name = names[random.integer(names.length)]!;
    const prover = await this.provers.get(name);
    const { webgpu } = prover.capabilities;
    const isSoftware = webgpu.available && webgpu.software;
    const known = this.pointsOf(`${group.curve} ${group.group}`, () => new KnownPoints(group, this.size.lineLength));

    const way = WAYS[random.integer(WAYS.length)]!;
    const options = drawMsmOptions(random, isSoftware);
    const count = this.size.points(random, isSoftware);
    const batch = this.size.msm[way];
    const bases = drawBases(random, known, way === 'own' ? batch * count : count);
    const rows = Array.from({ length: batch }, (_, b) => {
      const points = way === 'own' ? bases.points.slice(b * count, (b + 1) * count) : bases.points;
      return {
        points,
        scalars: drawScalars(
          random,
          known.curve,
          points.map(({ log }) => log),
        ),
      };
    });
    const given = {
      points: known.bytesOf(bases.points, options.pointsForm),
      // The point of order 2 is outside of it, and its share is right all the same.
      checkSubgroup: !bases.points.some(({ isOrderTwo }) => isOrderTwo),
    };
    const results = await sumsOf(
      prover,
      known,
      way,
      given,
      rows.map(({ scalars }) => scalars.values),
      options,
    );
    this.provers.expectNoFault();
    for (const [i, { points, scalars }] of rows.entries()) {
      if (isSum(known, results[i]!, points, scalars.values)) continue;
      const told = {
        group: [group.curve, group.group],
        name,
        way,
        sum: i,
        count,
        bases: bases.kind,
        scalars: scalars.kind,
      };
      throw new Error(`expected the right sum, got another: ${JSON.stringify({ ...told, ...options })}`);
    }
    this.count += batch;
    this.pointCount += batch * count;
    const kinds = new Set(rows.map(({ scalars }) => `scalars: ${scalars.kind}`));
    return [`${group.curve} ${group.group}`, `by ${name}`, `bases: ${bases.kind}`, `${way} bases`, ...kinds];
  }

  figures(): Readonly<Record<string, number>> {
    return { sums: this.count, points: this.pointCount };
  }

  close(): Promise<void> {
    return this.provers.close();
  }

  private pointsOf(name: string, make: () => KnownPoints): KnownPoints {
    const points = this.known.get(name) ?? make();
    this.known.set(name, points);
    return points;
  }
}

/** The sums of rows of scalars, as the options ask for them. */
async function sumsOf(
  prover: Prover,
  { curve, noble }: KnownPoints,
  way: Way,
  given: { readonly points: Uint8Array; readonly checkSubgroup: boolean },
  rows: readonly (readonly bigint[])[],
  { pointsForm, scalarsForm, loadTuning, tuning, check, givesBitSize }: DrawnMsmOptions,
): Promise<readonly MsmPoint[]> {
  const { id } = curve;
  const bases = await prover.loadBases({ curve: id, group: noble.group, ...given, pointsForm, tuning: loadTuning });
  const optionsFor = (values: readonly bigint[]): MsmOptions => ({
    scalarsForm,
    tuning,
    check,
    ...(givesBitSize && { bitSize: bitsOf(values) }),
  });
  const bytesOf = (values: readonly bigint[]) => scalarsToBytes(inForm(values, curve, scalarsForm), curve.scalarBytes);
  try {
    if (way === 'single') {
      return await Promise.all(rows.map((row) => prover.msm(bases, bytesOf(row), optionsFor(row))));
    }
    const all = rows.flat();
    const options = { ...optionsFor(all), batchSize: rows.length, sharedBases: way === 'shared' };
    return (await prover.msmBatch(bases, bytesOf(all), options)).points;
  } finally {
    await bases.dispose();
  }
}

function inForm(
  values: readonly bigint[],
  { fr, scalarBytes }: Curve,
  form: DrawnMsmOptions['scalarsForm'],
): readonly bigint[] {
  if (form === 'canonical') return values;
  return values.map((value) => (value << BigInt(8 * scalarBytes)) % fr.modulus);
}

/** The bits of the largest value, at least 1. */
function bitsOf(values: readonly bigint[]): number {
  return values.reduce((largest, value) => (value > largest ? value : largest), 1n).toString(2).length;
}

/** Whether the result is the sum of these points, each times its scalar. */
function isSum(
  { curve, noble }: KnownPoints,
  result: MsmPoint,
  points: readonly KnownPoint[],
  scalars: readonly bigint[],
): boolean {
  let log = 0n;
  let ofOrderTwo = 0n;
  for (const [i, point] of points.entries()) {
    log += point.log * scalars[i]!;
    if (point.isOrderTwo) ofOrderTwo += scalars[i]!;
  }
  if (ofOrderTwo % 2n === 0n) return noble.isMultiple(result, mod(log, curve.fr.modulus));
  const expected = addAffine(curve, multipleOf(curve, log), pointOfOrderTwo(curve));
  return expected?.[0] === result.x && expected?.[1] === result.y;
}
