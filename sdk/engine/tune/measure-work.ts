import type { MapRow } from '../../api/index.js';
import { PippinError } from '../../base/errors.js';
import { ScalarWork } from '../../bases/scalar-work.js';
import { sparseScalars } from './sample-bases.js';
import { type MapTuning, type Measurement, withStopwatch } from './stopwatch.js';

/** The options of an MSM with the check by random weights. */
const CHECKED = { check: 'random' } as const;

/**
 * The row with the times that decide who computes an MSM: of sparse scalars, and where the backend's results are
 * checked by default, of both kinds with their check. The row as it is where time or memory are too short.
 */
export async function measureWork(measurement: Measurement, row: MapRow): Promise<MapRow> {
  const { backend, checked, bases, deadline } = measurement;
  if (performance.now() > deadline) return row;
  const { curve, points, windowBits } = row;
  const scalars = sparseScalars(curve, points);
  const work = new ScalarWork(curve, scalars).of(0, points);
  const tuning: MapTuning = windowBits === undefined ? {} : { windowBits };
  const loaded = { ...bases.take(points), checksResults: checked !== undefined };
  try {
    return await withStopwatch(
      { ...measurement, backend: checked ?? backend },
      curve,
      points,
      async (random, timed) => {
        const sparse = { work, ms: await timed(scalars).time(tuning) };
        if (checked === undefined) return { ...row, sparse };
        const checkedMs = await random.time({ ...tuning, ...CHECKED });
        const sparseMs = await timed(scalars).time({ ...tuning, ...CHECKED });
        return { ...row, checkedMs, sparse: { ...sparse, checkedMs: sparseMs } };
      },
      loaded,
    );
  } catch (error) {
    if (error instanceof PippinError && error.code === 'OUT_OF_MEMORY') return row;
    throw error;
  }
}
