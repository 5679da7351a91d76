import { type CurveId, type GroupId, pointBytes } from '../curves/index.js';
import { joinBytes } from '../field/bytes.js';
import { type PreparedBases, pointForm } from '../msm/prepared.js';

/** Prepared bases as the cache keeps them: what fits in JSON, and named arrays of bytes. */
export interface BasesRecord {
  readonly facts: BasesFacts;
  readonly arrays: Readonly<Record<string, Uint8Array>>;
}

export interface BasesFacts {
  readonly curve: CurveId;
  readonly group: GroupId;
  readonly count: number;
  readonly kept: number;
  /** Indices of the exceptional points. */
  readonly exceptional: readonly number[];
}

/** Takes prepared bases apart; the arrays' names begin with `name`. */
export function basesToRecord(name: string, bases: PreparedBases): BasesRecord {
  const { curve, group, count, kept } = bases;
  const exceptional = joinBytes(bases.exceptional.map(({ point }) => point));
  const arrays: Record<string, Uint8Array> = { [`${name}.points`]: bases.points, [`${name}.exceptional`]: exceptional };
  if (bases.indices !== undefined) {
    const { buffer, byteOffset, byteLength } = bases.indices;
    arrays[`${name}.indices`] = new Uint8Array(buffer, byteOffset, byteLength);
  }
  return { facts: { curve, group, count, kept, exceptional: bases.exceptional.map(({ index }) => index) }, arrays };
}

/** Puts prepared bases together again; undefined when the arrays do not have the lengths that the facts ask for. */
export function basesFromRecord(
  name: string,
  facts: BasesFacts,
  arrays: Readonly<Record<string, Uint8Array>>,
): PreparedBases | undefined {
  const { curve, group, count, kept } = facts;
  const bytes = pointBytes(curve, group);
  const points = arrays[`${name}.points`];
  const exceptional = arrays[`${name}.exceptional`];
  const indexBytes = arrays[`${name}.indices`];
  if (points === undefined || exceptional?.length !== facts.exceptional.length * bytes) return undefined;
  if (indexBytes === undefined ? kept !== count : indexBytes.length !== 4 * kept) return undefined;
  return {
    curve,
    group,
    form: pointForm(curve),
    count,
    kept,
    points,
    indices: indexBytes === undefined ? undefined : new Uint32Array(indexBytes.slice().buffer),
    exceptional: facts.exceptional.map((index, i) => ({ index, point: exceptional.slice(i * bytes, (i + 1) * bytes) })),
  };
}
