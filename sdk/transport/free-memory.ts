/**
 * Overwrites arrays with zeros that held a secret: an input, a witness, scalars, or what follows from them. Whoever still reads them, because
 * the call has failed meanwhile, reads zeros. Arrays whose buffer was moved elsewhere are left alone.
 */
export function wipe(...arrays: readonly Uint8Array[]): void {
  for (const array of arrays) array.fill(0);
}

/**
 * A copy with a buffer of its own, which can be moved and overwritten. V8 keeps arrays of up to 64 bytes that are made in another way among its
 * objects, and leaves a copy behind there when it moves them.
 */
export function ownCopy(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(new ArrayBuffer(bytes.length));
  copy.set(bytes);
  return copy;
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
