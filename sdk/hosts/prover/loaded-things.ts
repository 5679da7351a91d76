import { describeType } from '../../base/describe.js';
import { PippinError } from '../../base/errors.js';
import type { CurveId, GroupId } from '../../curves/index.js';
import type { Protocol } from '../../proofs/parts.js';
import type { EngineCalls } from './engine-calls.js';

/** What callers hold. */
export interface LoadedThing {
  dispose(): Promise<void>;
}

/** What a prover knows about loaded bases, a loaded key or a loaded circuit, beside what the caller sees. */
interface Loaded {
  /** The calls of the prover that has loaded it. */
  readonly calls: EngineCalls;
  readonly kind: keyof typeof KINDS;
  /** Its number in the engine. */
  readonly handle: number;
  /** Of a key: its proof system. */
  readonly protocol?: Protocol;
  /** Of bases and an SRS: what their MSMs are over. */
  readonly sums?: { readonly curve: CurveId; readonly group: GroupId; readonly count: number };
  isDisposed: boolean;
}

/** The words for what can be loaded, as messages use them. */
const KINDS = { bases: 'bases', key: 'a proving key', circuit: 'a circuit', srs: 'an SRS' } as const;

/** The calls that load them. */
const LOADERS = { bases: 'loadBases', key: 'loadKey', circuit: 'loadCircuit', srs: 'loadSrs' } as const;

const loadedThings = new WeakMap<object, Loaded>();

/** Notes what a prover has loaded. */
export function noteLoaded(thing: LoadedThing, loaded: Omit<Loaded, 'isDisposed'>): void {
  loadedThings.set(thing, { ...loaded, isDisposed: false });
}

/** Whether a value is something that a prover has loaded. */
export function isLoaded(value: unknown): value is LoadedThing {
  return typeof value === 'object' && value !== null && loadedThings.has(value);
}

/**
 * What is known of loaded bases, a loaded key or a loaded circuit. `INVALID_ARGUMENT` for anything else,
 * `INVALID_HANDLE` for what another prover has loaded or of the other kind, `DISPOSED` for what was disposed.
 *
 * @param calls of the prover that is to use it.
 * @param protocol of a key: the proof system that is to use it.
 */
export function loadedOf(calls: EngineCalls, thing: LoadedThing, kind: Loaded['kind'], protocol?: Protocol): Loaded {
  const expected = `${KINDS[kind]} loaded by this prover`;
  const loaded = typeof thing === 'object' && thing !== null ? loadedThings.get(thing) : undefined;
  if (loaded === undefined) {
    throw new PippinError('INVALID_ARGUMENT', `expected ${expected}, got ${describeType(thing)}`, {
      hint: `give what ${LOADERS[kind]} gave: awaited, and the object itself rather than a copy of it`,
    });
  }
  if (loaded.calls !== calls) {
    throw new PippinError('INVALID_HANDLE', `expected ${expected}, got ${KINDS[loaded.kind]} of another prover`, {
      hint: 'load them again with this prover; its cache makes that quick',
    });
  }
  if (loaded.kind !== kind) {
    throw new PippinError('INVALID_HANDLE', `expected ${expected}, got ${KINDS[loaded.kind]}`);
  }
  if (loaded.protocol !== protocol) {
    throw new PippinError('INVALID_HANDLE', `expected a ${protocol} key, got a ${loaded.protocol} key`, {
      hint: `use prover.${loaded.protocol} with it`,
    });
  }
  if (loaded.isDisposed && !calls.hasEnded) {
    throw new PippinError('DISPOSED', `expected ${expected}, got what was disposed`);
  }
  return loaded;
}

/** Frees what was loaded. Idempotent. */
export async function releaseLoaded(thing: LoadedThing): Promise<void> {
  const loaded = loadedThings.get(thing)!;
  const { calls, handle } = loaded;
  loaded.isDisposed = true;
  if (!calls.hasEnded) await calls.ask((engine) => engine.release(handle));
}
