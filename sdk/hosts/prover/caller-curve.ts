import { describeValue } from '../../base/describe.js';
import { PippinError } from '../../base/errors.js';
import { nearestName } from '../../base/nearest-name.js';
import type { OptionReader } from '../../base/option-reader.js';
import { CURVES, type CurveId, type GroupId, withoutG2 } from '../../curves/index.js';

/** The curve and the group that bases are to be of; `INVALID_ARGUMENT` and `CURVE_MISMATCH` for others. */
export function groupOf(curve: unknown, group: unknown): { readonly curve: CurveId; readonly group: GroupId } {
  if (typeof curve !== 'string' || !Object.hasOwn(CURVES, curve)) {
    throw new PippinError(
      'INVALID_ARGUMENT',
      `expected a curve of ${Object.keys(CURVES).join(', ')}, got ${describeValue(curve)}`,
      nearCurve(curve),
    );
  }
  if (group !== 'g1' && group !== 'g2') {
    throw new PippinError('INVALID_ARGUMENT', `expected a group of g1, g2, got ${describeValue(group)}`);
  }
  const id = curve as CurveId;
  if (group === 'g2' && CURVES[id].g2 === undefined) throw withoutG2(id);
  return { curve: id, group };
}

/** The curves that `tune` is to measure: by default the first of the registry, which most keys are of. */
export function curvesOf(options: OptionReader): readonly CurveId[] {
  const given = options.read('curves') ?? Object.keys(CURVES).slice(0, 1);
  if (!Array.isArray(given) || given.length === 0 || new Set(given).size < given.length) {
    throw options.wrong('curves', 'a list of different curves', given);
  }
  return given.map((curve) => groupOf(curve, 'g1').curve);
}

/** A hint for the name of a curve that is not one of ours: snarkjs' names, and those that are nearly right. */
function nearCurve(name: unknown): { hint?: string } {
  if (typeof name !== 'string') return {};
  const inSnarkjs = Object.values(CURVES).find(
    ({ snarkjs }) => snarkjs !== undefined && [snarkjs.name, ...snarkjs.aliases].includes(name.toLowerCase()),
  );
  const id = inSnarkjs?.id ?? nearestName(name, Object.keys(CURVES));
  return id === undefined ? {} : { hint: `did you mean ${id}?` };
}
