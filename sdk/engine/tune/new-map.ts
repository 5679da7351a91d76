import type { AdapterTimes, PerformanceMap } from '../../api/index.js';
import { MAP_FORMAT } from './performance-map.js';

/** A performance map of what was measured just now, by this version, on this platform. */
export function newMap(workers: PerformanceMap['workers'], gpu: AdapterTimes | undefined): PerformanceMap {
  return {
    format: MAP_FORMAT,
    made: new Date().toISOString(),
    platform: platformName(),
    workers,
    ...(gpu === undefined ? {} : { gpu }),
  };
}

/** The browser, or the runtime and its version. */
function platformName(): string {
  return globalThis.navigator?.userAgent ?? `Node.js ${globalThis.process?.version ?? ''}`.trim();
}
