/** The resources that a page uses on a phone. */
export interface DeviceBudget {
  /** Bytes, for `ProverOptions.memoryBudget`. */
  readonly memoryBudget: number;
  /** Kernel workers. */
  readonly threads: number;
}

const MIB = 2 ** 20;

/**
 * The used part of a device's memory. Phones terminate processes that take too much of it, background processes first;
 * the page, the circuit's witness and the app itself need their share.
 */
const PART = 1 / 16;
/** The budget where the device does not report its memory: iOS, and pages over plain HTTP. */
const USUAL_BYTES = 256 * MIB;
const LEAST_BYTES = 64 * MIB;
const MOST_BYTES = 1024 * MIB;

/** Each kernel worker has a memory and a script engine. */
const BYTES_PER_THREAD = 64 * MIB;
/** Phones have two to four fast cores; a share on a slow core would delay the whole MSM. */
const MOST_THREADS = 4;

/**
 * The budget of a device.
 *
 * @param device.memory gibibytes as `navigator.deviceMemory` rounds them (0.25 to 8 or more); undefined where it is not
 * known.
 * @param device.cores `navigator.hardwareConcurrency`.
 * @param chosen the caller's own numbers, which take precedence.
 */
export function deviceBudget(
  device: { readonly memory: number | undefined; readonly cores: number | undefined },
  chosen: Partial<DeviceBudget> = {},
): DeviceBudget {
  const own = device.memory === undefined ? USUAL_BYTES : device.memory * 1024 * MIB * PART;
  const memoryBudget = chosen.memoryBudget ?? Math.min(Math.max(own, LEAST_BYTES), MOST_BYTES);
  const affordable = Math.floor(memoryBudget / BYTES_PER_THREAD);
  const threads = chosen.threads ?? Math.max(1, Math.min(affordable, device.cores ?? 1, MOST_THREADS));
  return { memoryBudget, threads };
}
