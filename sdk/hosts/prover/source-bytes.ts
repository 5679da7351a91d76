import * as Comlink from 'comlink';
import type { CircuitDescription } from '../../engine/engine-api.js';

/** Marks an argument for the engine so that the bytes or ports of the source in it are moved instead of copied on the way. */
export function withItsBytes<T>(argument: T, source: CircuitDescription): T {
  const moved = movedIn(source);
  return moved.length === 0 ? argument : Comlink.transfer(argument, moved);
}

function movedIn(source: CircuitDescription): Transferable[] {
  if (source.kind === 'chunks') return [...new Set(source.chunks.flatMap(movedIn))];
  if (source.kind === 'served') return [source.blob.port];
  return source.kind === 'bytes' ? [source.bytes.buffer] : [];
}
