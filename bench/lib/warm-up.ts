/**
 * Milliseconds of work until an idle GPU has raised its clock, with some to spare. An H200 that is always busy takes
 * about 300; 600 of work that keeps it busy half of the time were too few.
 */
const WARM_UP_MS = 1500;

/**
 * Runs `work` again and again until the GPU's clock is up. A GPU that has been idle for some seconds runs at a fraction
 * of its clock: an H200 at 345 MHz instead of 1980. So the first runs after long work of the CPU would be several times
 * slower than those after them.
 */
export async function warmUp(work: () => Promise<unknown>): Promise<void> {
  const start = performance.now();
  do await work();
  while (performance.now() - start < WARM_UP_MS);
}
