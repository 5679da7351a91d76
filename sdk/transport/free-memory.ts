/**
 * Overwrites arrays with zeros that held a secret: an input, a witness, scalars, or what follows from them. Whoever still reads them, because
 * the call has failed meanwhile, reads zeros. Arrays whose buffer was moved elsewhere are left alone.
 */
export function wipe(...arrays: readonly Uint8Array[]): void {
  // Those that were moved have no length; filling them would throw.
  for (const array of arrays) if (array.length > 0) array.fill(0);
}

/**
 * Frees at once the memory of arrays that are no longer used, where the engine can (ArrayBuffer.prototype.transfer of ES2024). Elsewhere
 * the garbage collector frees it, often much later, because it counts the small objects and not the tens of megabytes behind them. Arrays
 * whose buffer was moved elsewhere are left alone.
 */
export function freeMemory(...arrays: readonly Uint8Array[]): void {
  for (const { buffer } of arrays) {
    if (buffer.byteLength > 0) (buffer as { transfer?: (newLength: number) => unknown }).transfer?.(0);
  }
}
