import * as Comlink from 'comlink';
import type { CircuitDescription } from '../engine/engine-api.js';

/** Marks an argument for the engine so that the bytes of the source in it are moved instead of copied on the way. */
export function withItsBytes<T>(argument: T, source: CircuitDescription): T {
  const buffers = buffersIn(source);
  return buffers.length === 0 ? argument : Comlink.transfer(argument, buffers);
}

function buffersIn(source: CircuitDescription): ArrayBuffer[] {
  if (source.kind === 'chunks') return [...new Set(source.chunks.flatMap(buffersIn))];
  return source.kind === 'bytes' ? [source.bytes.buffer] : [];
}
