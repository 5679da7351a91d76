/** A circuit as far as a farm's load depends on it. */
export interface SimulatedCircuit {
  readonly name: string;
  /** Its part of all jobs, relative to that of the others. */
  readonly share: number;
  /** Seconds that a proof takes a worker which holds the key. */
  readonly proveS: number;
  /** Seconds until a worker has loaded the key. */
  readonly loadS: number;
  /** Megabytes of memory that the loaded key takes. */
  readonly keyMb: number;
}

/**
 * Sizes of circuits, from the smallest. Times are those of a worker with two cores; `shares` says how often such a
 * circuit occurs.
 */
interface Size {
  readonly name: string;
  readonly proveS: number;
  readonly loadS: number;
  readonly keyMb: number;
}

/**
 * Measured on two cores of an Intel Xeon (docs/performance.md, first and later proofs), the two large ones from the
 * H200 machine's cores.
 */
const SIZES: readonly Size[] = [
  { name: '2^12', proveS: 0.09, loadS: 0.08, keyMb: 4 },
  { name: '2^14', proveS: 0.3, loadS: 0.13, keyMb: 14 },
  { name: 'SHA-256', proveS: 0.21, loadS: 0.4, keyMb: 40 },
  { name: '2^16', proveS: 1.3, loadS: 0.5, keyMb: 56 },
  { name: '2^18', proveS: 5, loadS: 2, keyMb: 224 },
  { name: '2^20', proveS: 20, loadS: 8, keyMb: 900 },
];

/**
 * `count` circuits of these sizes in turn, the k-th of which is asked for in proportion to 1 / k (Zipf's law). The
 * large ones are so the rare ones.
 */
export function zipfCircuits(count: number): SimulatedCircuit[] {
  return Array.from({ length: count }, (_, k) => {
    const size = SIZES[Math.min(SIZES.length - 1, Math.floor((k * SIZES.length) / count))]!;
    return { ...size, name: `${k + 1}: ${size.name}`, share: 1 / (k + 1) };
  });
}

/** Seconds of one worker that the mean job takes when its key is loaded. */
export function meanProveS(circuits: readonly SimulatedCircuit[]): number {
  const shares = circuits.reduce((sum, { share }) => sum + share, 0);
  return circuits.reduce((sum, { share, proveS }) => sum + share * proveS, 0) / shares;
}
