import { prepareBases } from '../cpu/pool/prepare.js';
import { type CurveId, type GroupId, pointBytes } from '../curves/index.js';
import { PippinError } from '../errors.js';
import type { LoadedBases } from '../msm/loaded-bases.js';
import { preparedFromRecord, preparedToRecord } from '../msm/prepared-record.js';
import type { Call } from './call.js';
import type { EngineContext } from './context.js';
import type { SourceDescription } from './engine-api.js';
import { openSource } from './sources.js';

/** What the names of the arrays in a record of bases begin with. */
const RECORD_NAME = 'bases';

/** Reads points, checks and prepares them (or takes them from the cache), and copies them to where they will be used. */
export async function loadBases(
  context: EngineContext,
  call: Call,
  curve: CurveId,
  group: GroupId,
  description: SourceDescription,
): Promise<{ bases: LoadedBases; cached: boolean }> {
  const { backends, cache } = context;
  const progress = call.meter('prepare', 1);
  const bytes = pointBytes(curve, group);
  const opened = backends.openCurve(curve, [group]);
  // Awaited below; a failure must not count as unhandled while the source is being read.
  opened.catch(() => undefined);
  const source = await call.span('read', 'host', () => openSource(context.platform, description, call.signal));
  if (source.size % bytes !== 0) {
    throw new PippinError(
      'INVALID_LENGTH',
      `expected points of ${bytes} bytes each (${curve} ${group}), got ${source.size} bytes`,
    );
  }
  await opened;
  const count = source.size / bytes;
  const plan = `bases/${curve}/${group}`;
  const request = { curve, group, encoding: 'canonical', count, points: source } as const;
  const known = await cache.load(call, plan, source, ({ facts, arrays }) =>
    preparedFromRecord(RECORD_NAME, facts, arrays, request),
  );
  const prepared =
    known ??
    (await call.span('prepare', 'wasm', () =>
      prepareBases(backends.pool, request, { signal: call.signal, onProgress: progress }),
    ));
  const bases = backends.holdForSums(prepared, request);
  try {
    await bases.load({ signal: call.signal, observer: call.observer() });
  } catch (error) {
    bases.release();
    throw error;
  }
  const saved =
    known === undefined ? cache.save(plan, source, preparedToRecord(RECORD_NAME, prepared)) : Promise.resolve();
  void saved.then(() => bases.freePoints()).catch(() => undefined);
  progress(1);
  return { bases, cached: known !== undefined };
}
