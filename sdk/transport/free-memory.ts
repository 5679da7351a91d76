/**
 * Gives the memory of arrays that nobody looks at any more back at once, where the engine can (ArrayBuffer.prototype.transfer of
 * ES2024). Elsewhere the collector does, some time: it sees small objects and lets tens of megabytes behind them lie. Harmless for
 * arrays that were given away.
 */
export function freeMemory(...arrays: readonly Uint8Array[]): void {
  for (const { buffer } of arrays) {
    if (buffer.byteLength > 0) (buffer as { transfer?: (newLength: number) => unknown }).transfer?.(0);
  }
}
