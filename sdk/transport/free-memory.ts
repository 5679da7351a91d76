/**
 * Frees at once the memory of arrays that are no longer used, where the engine can (ArrayBuffer.prototype.transfer of ES2024). Elsewhere
 * the garbage collector frees it, often much later, because it counts the small objects and not the tens of megabytes behind them. Arrays
 * whose buffer was moved elsewhere are left alone.
 *
 * SES gives engines that lack the method one that throws.
 */
export function freeMemory(...arrays: readonly Uint8Array[]): void {
  for (const { buffer } of arrays) {
    if (buffer.byteLength === 0) continue;
    try {
      (buffer as { transfer?: (newLength: number) => unknown }).transfer?.(0);
    } catch {
      // The garbage collector frees it.
    }
  }
}
