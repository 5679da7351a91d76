import { built } from '../support/in-process-engine.js';

/** Milliseconds between two collections of a worker. */
const COLLECT_EVERY_MS = 1000;

/**
 * The scripts of a prover's workers, as `assets` take them, for workers that also call their garbage collector every
 * second. Their garbage, up to 20 MB in each that waits for V8, would hide what stays. Only where the process was
 * started with --expose-gc; elsewhere they do the same as the package's own.
 */
export function collectingWorkers(): { coordinator: string; kernel: string; witness: string } {
  return { coordinator: collecting('coordinator'), kernel: collecting('kernel'), witness: collecting('witness') };
}

function collecting(worker: string): string {
  const script = `import '${built(`${worker}-node.js`)}'; setInterval(() => globalThis.gc?.(), ${COLLECT_EVERY_MS}).unref();`;
  return `data:text/javascript,${encodeURIComponent(script)}`;
}
