import { PippinError } from '../../../base/errors.js';
import { U32_BYTES } from './stage.js';
import type { Step } from './steps.js';
import { SUBMIT_PARAMS_BYTES } from './submit-params.js';

/** The lifetime of a buffer's contents: its first and last step, counted from 0. */
export interface Lifetime {
  readonly from: number;
  readonly to: number;
}

/** The lifetime of each buffer. */
export type Lifetimes<Buffer extends string> = ReadonlyMap<Buffer, Lifetime>;

/** Bytes of each buffer. */
export type BufferBytes<Buffer extends string> = Readonly<Partial<Record<Buffer, number>>>;

/**
 * Which buffers share memory. Each allocation is a separate GPU buffer, bound as a whole: WebGPU does not allow one
 * dispatch to read one range and write another range of the same buffer.
 */
export interface ScratchLayout<Buffer extends string> {
  /** Bytes of each allocation, the largest first. */
  readonly allocations: readonly number[];
  /** The allocation that each buffer is in, at offset 0, and the buffer's own bytes. */
  readonly buffers: ReadonlyMap<Buffer, { readonly allocation: number; readonly bytes: number }>;
}

/**
 * The lifetimes of buffers in steps that run once or several times in sequence: from the first step that uses a buffer
 * to the last. `carried` buffers keep their contents from one run to the next, or have contents before the first run or
 * after the last: they are needed throughout. `INTERNAL` if another buffer is read before it is written.
 */
export function lifetimesOf<Buffer extends string>(
  steps: Iterable<Step<Buffer>>,
  carried: Iterable<Buffer> = [],
): Lifetimes<Buffer> {
  const lifetimes = new Map<Buffer, Lifetime>();
  const always: Lifetime = { from: 0, to: Number.POSITIVE_INFINITY };
  for (const buffer of carried) lifetimes.set(buffer, always);
  let at = 0;
  for (const step of steps) {
    for (const { buffer, isRead } of usesOf(step)) {
      const known = lifetimes.get(buffer);
      if (known === always) continue;
      if (known === undefined && isRead) {
        throw new PippinError('INTERNAL', `expected step ${at} to find ${buffer} written, got it from an earlier run`);
      }
      lifetimes.set(buffer, { from: known?.from ?? at, to: at });
    }
    at++;
  }
  return lifetimes;
}

/** The scratch buffers that a step uses, and whether it only reads them. */
function usesOf<Buffer extends string>(step: Step<Buffer>): { buffer: Buffer; isRead: boolean }[] {
  if (step.kind === 'wipe' || step.kind === 'encode') return [];
  if (step.kind !== 'dispatch') return [{ buffer: step.buffer, isRead: step.kind === 'read back' }];
  const { kernel, buffers } = step.dispatch;
  return Object.values(kernel.bindings).flatMap(({ access }, i) => {
    const buffer = buffers[i]!;
    return typeof buffer === 'string' ? [{ buffer, isRead: access === 'read' }] : [];
  });
}

/**
 * Lets buffers with disjoint lifetimes share memory: the largest first, each in the first allocation that is free
 * during its lifetime. Close to the minimum, which is NP-hard to find (Pemmaraju, Raman, Varadarajan, "Buffer
 * minimization using max-coloring", SODA 2004).
 */
export function layOut<Buffer extends string>(
  sizes: BufferBytes<Buffer>,
  lifetimes: Lifetimes<Buffer>,
): ScratchLayout<Buffer> {
  const sorted = (Object.entries(sizes) as [Buffer, number][]).sort(([, a], [, b]) => b - a);
  const members: Lifetime[][] = [];
  const allocations: number[] = [];
  const buffers = new Map<Buffer, { allocation: number; bytes: number }>();
  for (const [buffer, size] of sorted) {
    // WebGPU binds no empty buffer.
    const bytes = Math.max(size, U32_BYTES);
    const lifetime = lifetimes.get(buffer);
    if (lifetime === undefined) throw new PippinError('INTERNAL', `expected a step that uses ${buffer}, got none`);
    let allocation = members.findIndex((others) => others.every((other) => !overlap(other, lifetime)));
    if (allocation < 0) {
      allocation = allocations.push(bytes) - 1;
      members.push([]);
    }
    members[allocation]!.push(lifetime);
    buffers.set(buffer, { allocation, bytes });
  }
  return { allocations, buffers };
}

function overlap(a: Lifetime, b: Lifetime): boolean {
  return a.from <= b.to && b.from <= a.to;
}

/** All bytes that a layout asks for, including a submit's `Params`. */
export function totalBytes({ allocations }: ScratchLayout<string>): number {
  return allocations.reduce((sum, bytes) => sum + bytes, SUBMIT_PARAMS_BYTES);
}

/** Bytes of the largest buffer that a layout asks for. */
export function largestBytes({ allocations }: ScratchLayout<string>): number {
  return Math.max(allocations[0] ?? 0, SUBMIT_PARAMS_BYTES);
}
