import type { Coordinate } from '../../api/index.js';
import { PippinError } from '../../base/errors.js';
import { CURVES, type Curve, type CurveId, type GroupId, pointBytes } from '../../curves/index.js';
import { defineCommand } from '../command.js';
import { readBytes } from '../files.js';
import { file, required, text, word } from '../option.js';
import { roundedTimes, stepOf, withProver } from '../prover.js';
import { CONSTANT_WORK, LOADING_OPTIONS, proverOptions, tuningByFlags } from '../prover-options.js';

/** A number of bytes on every curve, for help. */
function onCurves(bytes: (curve: Curve) => number): string {
  return Object.values(CURVES)
    .map((curve, i) => `${bytes(curve)}${i === 0 ? ' bytes' : ''} on ${curve.id}`)
    .join(', ');
}

const FORMS = ['canonical', 'montgomery'] as const;

export const msmCommand = defineCommand({
  name: 'msm',
  topic: 'machine',
  summary: 'compute a multi-scalar multiplication over your own points',
  usage: '--curve C --points FILE --scalars FILE [options]',
  options: {
    curve: required(word(Object.keys(CURVES) as CurveId[], 'the curve')),
    group: word(['g1', 'g2'], 'the group (default: g1)'),
    points: required(
      file(
        '',
        `affine points: x, then y, each little-endian (${onCurves(({ coordinateBytes }) => coordinateBytes)}; in G2 x and y are c0, then c1); infinity is all zero`,
      ),
    ),
    'points-form': word(
      FORMS,
      'the form of the coordinates; montgomery means times 2^b, with b the bits that they are stored in (default: canonical)',
    ),
    scalars: required(
      file(
        '',
        `as many scalars, little-endian, below the group's order (${onCurves(({ scalarBytes }) => scalarBytes)})`,
      ),
    ),
    'scalars-form': word(FORMS, 'the form of the scalars; see --points-form (default: canonical)'),
    check: word(
      ['random', 'recompute', 'curve'],
      'how an MSM of the GPU is checked: by a random linear combination, by the workers computing it as well, or only that it is on the curve, which most faults pass (default: random)',
    ),
    'constant-work': CONSTANT_WORK,
    ...LOADING_OPTIONS,
    'window-bits': text('N', 'bits of a window, 4 to 20; multiples are made for it, too'),
    'large-bucket-factor': text('X', 'cut buckets of more than X times the mean number of points, 1 to 1000 (GPU)'),
    chunks: text('N', 'cut the points into N chunks, 1 to 1024 (GPU)'),
    reduction: text(
      'merged|cross-window',
      'one set of buckets for all windows of a row, or one for each; it takes --precompute (GPU)',
    ),
    accumulation: text(
      'limbs|unrolled|karatsuba|words|bytes',
      'how field elements are multiplied when points are added to buckets (GPU)',
    ),
    digits: text('gpu|workers', 'who cuts the scalars into digits (GPU)'),
  },
  notes: ['The last six options say how the MSM is computed; what is left out is chosen for the device.'],
  examples: ['pippin msm --curve bn254 --points points.bin --scalars scalars.bin'],
  exits: { 0: 'done', 1: 'the work failed' },
  async work(values, context) {
    const { curve, group = 'g1', check } = values;
    const tuning = tuningByFlags(values, values.precompute ?? 1);
    const [points, scalars] = await Promise.all([
      readBytes(values.points, context, 'the points'),
      readBytes(values.scalars, context, 'the scalars'),
    ]);
    const n = expectCounts(curve, group, points, scalars);
    const options = { ...proverOptions(values), constantWork: values['constant-work'] };
    const { x, y, infinity, report } = await withProver(options, context, async (prover) => {
      const request = { curve, group, points, pointsForm: values['points-form'] ?? 'canonical', tuning };
      const bases = await prover.loadBases(request, stepOf(context, 'Loading the points'));
      return prover.msm(bases, scalars, {
        ...stepOf(context, 'Computing the MSM'),
        ...(check === undefined ? {} : { check }),
        scalarsForm: values['scalars-form'] ?? 'canonical',
      });
    });
    const { backend } = report;
    const result = { x: decimal(x), y: decimal(y), infinity, n, backend, ms: roundedTimes(report) };
    const point = infinity ? 'The point at infinity' : `x = ${show(result.x)}\ny = ${show(result.y)}`;
    await context.result(result, `${point}\n${n} points on ${backend} in ${Math.round(report.ms.total)} ms`);
    return 0;
  },
});

function decimal(value: Coordinate): string | string[] {
  return typeof value === 'bigint' ? String(value) : value.map(String);
}

function show(value: string | string[]): string {
  return typeof value === 'string' ? value : `${value[0]} + ${value[1]} u`;
}
/**
 * The number of points, which must equal the number of scalars; `INVALID_LENGTH` when the files do not fit each other.
 */
function expectCounts(curve: CurveId, group: GroupId, points: Uint8Array, scalars: Uint8Array): number {
  const bytes = pointBytes(curve, group);
  if (points.length % bytes !== 0) {
    throw new PippinError(
      'INVALID_LENGTH',
      `expected points of ${bytes} bytes each (${curve} ${group}), got ${points.length} bytes`,
      { hint: 'pippin msm --help tells the bytes of a point on each curve' },
    );
  }
  const count = points.length / bytes;
  const { scalarBytes } = CURVES[curve];
  if (scalars.length !== count * scalarBytes) {
    throw new PippinError(
      'INVALID_LENGTH',
      `expected ${count} scalars of ${scalarBytes} bytes, as there are points, got ${scalars.length} bytes`,
      { hint: 'pippin msm --help tells the bytes of a scalar on each curve' },
    );
  }
  return count;
}
