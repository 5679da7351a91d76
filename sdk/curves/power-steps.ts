/** What stands for no product in a step of a power. */
export const NO_PRODUCT = 255;

/**
 * An exponent by sliding windows: squares, and then a product with the power 2 i + 1 for a place i of the table. The
 * first step has a product alone.
 *
 * @param windowBits bits of an odd power, at most.
 */
export function powerSteps(exponent: bigint, windowBits: number): [squares: number, place: number][] {
  const bits = exponent.toString(2);
  const steps: [number, number][] = [];
  let squares = 0;
  for (let at = 0; at < bits.length; ) {
    if (bits[at] === '0') {
      squares++;
      at++;
      continue;
    }
    const window = bits.slice(at, at + windowBits).replace(/0+$/, '');
    squares += window.length;
    steps.push([steps.length === 0 ? 0 : squares, (Number.parseInt(window, 2) - 1) / 2]);
    at += window.length;
    squares = 0;
  }
  if (squares > 0) steps.push([squares, NO_PRODUCT]);
  return steps;
}
