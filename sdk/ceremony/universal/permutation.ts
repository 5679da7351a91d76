import { numbersFor } from '../setup/constraint-matrices.js';

/**
 * The permutation that connects the wires with the same signal in a cycle. A wire has the number i, n + i or 2 n + i as
 * wire a, b or c of gate i; the wires are visited gate by gate. Each is mapped to the wire with its signal that was
 * visited last before it, and the first of a signal to the last.
 *
 * @param wires the signals on the wires a, b and c of n rows.
 * @param signals how many signals there are.
 * @param fixed how many of the last rows have wires that are mapped to themselves.
 */
export function permutationOf(wires: readonly Uint32Array[], signals: number, fixed: number): Uint32Array {
  const n = wires[0]!.length;
  const images = numbersFor(wires.length * n);
  // Numbers + 1 of the wires that were visited first and last; 0 for signals that were not yet visited.
  const first = numbersFor(signals);
  const last = numbersFor(signals);
  for (let row = 0; row < n; row++) {
    for (let wire = 0; wire < wires.length; wire++) {
      const number = wire * n + row;
      if (row >= n - fixed) {
        images[number] = number;
        continue;
      }
      const signal = wires[wire]![row]!;
      if (last[signal] === 0) first[signal] = number + 1;
      else images[number] = last[signal]! - 1;
      last[signal] = number + 1;
    }
  }
  for (let signal = 0; signal < signals; signal++) {
    if (first[signal] !== 0) images[first[signal]! - 1] = last[signal]! - 1;
  }
  return images;
}
