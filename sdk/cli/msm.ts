import type { Coordinate } from '../api.js';
import { CURVES, type CurveId, type GroupId, pointBytes } from '../curves/index.js';
import { PippinError } from '../errors.js';
import { readBytes } from './files.js';
import { roundedTimes, withProver } from './prover.js';
import { tuningByFlags } from './tuning.js';
import { checkOption, numberForms, type Options, precomputeOption, required, usageError } from './usage.js';

export async function msm(options: Options): Promise<number> {
  const curve = required(options, 'curve', 'msm');
  const { group = 'g1' } = options;
  if (group !== 'g1' && group !== 'g2') throw usageError(`expected --group g1 or g2, got ${group}`);
  const tuning = tuningByFlags(options, precomputeOption(options).precompute);
  const paths = (['points', 'scalars'] as const).map((name) => required(options, name, 'msm'));
  const [points, scalars] = await Promise.all(paths.map(readBytes));
  const count = expectCounts(curve as CurveId, group, points!, scalars!);
  await withProver(options, async (prover, call) => {
    const where = { curve: curve as CurveId, group: group as GroupId };
    const { pointsForm, scalarsForm } = numberForms(options);
    const request = { ...where, points: points!, pointsForm, tuning };
    const bases = await prover.loadBases(request, call);
    const { x, y, infinity, report } = await prover.msm(bases, scalars!, {
      ...call,
      ...checkOption(options),
      scalarsForm,
    });
    const result = {
      x: decimal(x),
      y: decimal(y),
      infinity,
      n: count,
      backend: report.backend,
      ms: roundedTimes(report),
    };
    if (options.json) return JSON.stringify(result);
    const point = infinity ? 'The point at infinity' : `x = ${show(result.x)}\ny = ${show(result.y)}`;
    return `${point}\n${count} points on ${report.backend} in ${Math.round(report.ms.total!)} ms`;
  });
  return 0;
}

function decimal(value: Coordinate): string | string[] {
  return typeof value === 'bigint' ? String(value) : value.map(String);
}

function show(value: string | string[]): string {
  return typeof value === 'string' ? value : `${value[0]} + ${value[1]} u`;
}

/** The number of points, which must equal the number of scalars; `INVALID_LENGTH` when the files do not fit each other. */
function expectCounts(curve: CurveId, group: GroupId, points: Uint8Array, scalars: Uint8Array): number {
  const bytes = pointBytes(curve, group);
  if (points.length % bytes !== 0) {
    throw new PippinError(
      'INVALID_LENGTH',
      `expected points of ${bytes} bytes each (${curve} ${group}), got ${points.length} bytes`,
    );
  }
  const count = points.length / bytes;
  const { scalarBytes } = CURVES[curve];
  if (scalars.length !== count * scalarBytes) {
    throw new PippinError(
      'INVALID_LENGTH',
      `expected ${count} scalars of ${scalarBytes} bytes, as there are points, got ${scalars.length} bytes`,
    );
  }
  return count;
}
