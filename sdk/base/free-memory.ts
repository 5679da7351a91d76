/**
 * Overwrites arrays with zeros that held a secret: an input, a witness, scalars, or what follows from them. Whoever
 * still reads them, because the call has failed meanwhile, reads zeros. Arrays whose buffer was moved elsewhere are
 * left alone.
 */
export function wipe(...arrays: readonly Uint8Array[]): void {
  // Arrays that were moved have no length; filling them would throw.
  for (const array of arrays) if (array.length > 0) array.fill(0);
}

/**
 * Frees at once the memory of arrays that are no longer used. The garbage collector would free it much later, because
 * it counts the small objects and not the tens of megabytes behind them. Arrays whose buffer was moved elsewhere are
 * left alone.
 */
export function freeMemory(...arrays: readonly Uint8Array[]): void {
  for (const { buffer } of arrays) if (buffer.byteLength > 0) release(buffer as Transferable<typeof buffer>);
}

/** Overwrites secrets that nothing reads any more, and frees their memory. */
export function wipeAndFree(...arrays: readonly Uint8Array[]): void {
  wipe(...arrays);
  freeMemory(...arrays);
}

/** A buffer that may have the method of ES2024. */
type Transferable<T> = T & { transfer?(newLength: number): unknown };

function release(buffer: Transferable<ArrayBufferLike>): void {
  if (buffer.transfer !== undefined) {
    try {
      buffer.transfer(0);
      return;
    } catch {
      // SES gives engines that lack the method one that throws.
    }
  }
  if (buffer instanceof ArrayBuffer) nowhere().postMessage(undefined, [buffer]);
}

/**
 * A port whose channel is closed: a buffer that is transferred to it is freed. Engines without
 * ArrayBuffer.prototype.transfer, such as Node 20's, have no other way to free a buffer.
 */
function nowhere(): MessagePort {
  if (closedPort === undefined) {
    closedPort = new MessageChannel().port1;
    closedPort.close();
  }
  return closedPort;
}

let closedPort: MessagePort | undefined;
