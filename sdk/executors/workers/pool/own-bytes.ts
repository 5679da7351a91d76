import { copyBytes } from '../../../base/bytes.js';
import { wipe } from '../../../base/free-memory.js';
import { isShared } from '../../../transport/shared-bytes.js';

/**
 * The arguments with byte arrays that can be moved to a worker, and the buffers of these. With `moved` the arrays are
 * used as they are. Otherwise they are copied here and the copies are moved: sending a view itself would send its whole
 * buffer, and would copy it twice. Views of shared memory are sent themselves.
 */
export function ownBytes<Arguments extends object>(
  args: Arguments,
  moved: boolean,
): { readonly sent: Arguments; readonly buffers: ArrayBuffer[] } {
  const sent: Record<string, unknown> = { ...(args as Record<string, unknown>) };
  const buffers: ArrayBuffer[] = [];
  for (const [name, value] of Object.entries(sent)) {
    if (!(value instanceof Uint8Array) || isShared(value)) continue;
    const own = moved ? value : copyBytes(value);
    sent[name] = own;
    buffers.push(own.buffer as ArrayBuffer);
  }
  return { sent: sent as Arguments, buffers };
}

/** Overwrites the byte arrays of a result that nobody waits for any more. */
export function wipeBytesOf(result: unknown): void {
  if (result instanceof Uint8Array) wipe(result);
  else if (result instanceof Uint32Array) wipe(new Uint8Array(result.buffer));
}
