import { INTERRUPTIONS } from './fault-line.js';

/**
 * What can go wrong at the points of each seam, by the beginning of a point's name. `silent`: there is never an answer.
 * `unanswered`: there is none before the caller has aborted his call.
 */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  'store.open': ['rejected', 'silent'],
  'store.get': ['rejected', 'silent', 'damaged', 'swapped', 'missing'],
  'store.set': ['quota exceeded', 'silent'],
  'store.delete': ['rejected', 'silent'],
  'store.keys': ['rejected', 'silent'],
  'file.open': ['rejected', 'unanswered'],
  'file.read': ['rejected', 'changed', 'unanswered'],
  fetch: ['rejected', 'refused', 'broken off', 'unanswered'],
  'crypto.digest': ['rejected'],
  'wasm.compile': ['rejected', 'unanswered'],
  'circuit.compile': ['rejected'],
  'worker.spawn': ['thrown'],
  'worker.': ['killed before', 'killed after', 'silent', 'out of memory'],
  'witness.spawn': ['thrown'],
  'witness.': ['killed before', 'killed after', 'silent', 'out of memory'],
  'gpu.requestAdapter': ['rejected', 'none', 'silent'],
  'gpu.requestDevice': ['rejected', 'lost', 'silent'],
  'gpu.createComputePipelineAsync': ['rejected', 'lost', 'silent'],
  'gpu.mapAsync': ['rejected', 'lost', 'silent', 'zeroed'],
  'gpu.onSubmittedWorkDone': ['rejected', 'lost', 'silent'],
  'gpu.popErrorScope': ['error', 'lost', 'silent'],
  'stage ': ['skipped', 'halved', 'doubled'],
  'process.spawn': ['thrown'],
  'process.': ['killed before', 'killed after', 'silent', 'lost'],
};

/** The faults that a point takes, the caller's interruptions among them. */
export function kindsOf(point: string): readonly string[] {
  const seam = Object.keys(KINDS)
    .filter((start) => point.startsWith(start))
    .sort((a, b) => b.length - a.length)[0];
  if (seam === undefined) throw new Error(`expected the point ${point} to be of a seam with faults, got none`);
  return point.startsWith('stage ') ? KINDS[seam]! : [...KINDS[seam]!, ...INTERRUPTIONS];
}
