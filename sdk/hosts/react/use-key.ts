import type { PippinError } from 'pippin-prover';
import { useSyncExternalStore } from 'react';
import type { BinarySource, Groth16Key, Prover, ProvingKey, ProvingKeyLoadOptions } from '../../api/index.js';
import { fileIdentity } from '../session/file-identity.js';
import { NO_PROGRESS, Shared, type Shown, type WorkProgress } from './shared.js';

/**
 * Options of `useKey`. The hook aborts and reports progress itself, and may load again, for which moved bytes would be
 * gone.
 */
export type UseKeyOptions = Omit<ProvingKeyLoadOptions, 'signal' | 'onProgress' | 'transfer'>;

/** A proving key, as a component sees it. */
export type KeyState<Key extends ProvingKey = Groth16Key> = WorkProgress & {
  /** Loads the key again after it has failed. Does nothing otherwise. */
  readonly retry: () => void;
} & (
    | {
        /** `waiting`: there is no prover or no file yet. */
        readonly status: 'waiting' | 'loading';
        readonly key: undefined;
        readonly error: undefined;
      }
    | { readonly status: 'ready'; readonly key: Key; readonly error: undefined }
    | { readonly status: 'failed'; readonly key: undefined; readonly error: PippinError }
  );

/** The keys of each prover, by their files and options. */
const keysOf = new WeakMap<Prover, Map<string, Shared<ProvingKey>>>();

const WAITING = { status: 'waiting', value: undefined, error: undefined, ...NO_PROGRESS } as const;
/** The store of a component that waits. */
const nothing: Pick<Shared<ProvingKey>, 'subscribe' | 'retry'> & { snapshot(): typeof WAITING } = {
  subscribe: () => () => undefined,
  snapshot: () => WAITING,
  retry: () => undefined,
};

/**
 * A proving key, loaded by the page's prover. Components that ask for the same file with the same options share it.
 * Loading is aborted, and a loaded key freed, half a second after the last of them was unmounted or has asked for
 * another. Throws nothing.
 *
 * @typeParam Key the type of the key, such as `PlonkKey`: the file tells the proof system, but the compiler does not
 * see it. With `ProvingKey` the key's `protocol` tells.
 * @param prover of `useProver`; undefined while it starts.
 * @param zkey the `.zkey`, or the chunks of one; undefined while it is not known. A Blob or bytes count as the same
 * file if they are the same object.
 * @param options as for `loadKey`; they may be written anew for each render.
 * @returns its state, with the errors of `loadKey` in `error`.
 * @example
 * ```tsx
 * import type { CircuitInputs } from 'pippin-prover';
 * import { useKey, useProof, useProver } from 'pippin-prover/react';
 *
 * export function Spend({ inputs }: { inputs: CircuitInputs }) {
 *   const { prover } = useProver();
 *   const { key } = useKey(prover, '/keys/note.zkey');
 *   const { status, fullProve } = useProof(prover, key);
 *   return <button onClick={() => fullProve(inputs, '/keys/note.wasm')}>{status}</button>;
 * }
 * ```
 */
export function useKey<Key extends ProvingKey = Groth16Key>(
  prover: Prover | undefined,
  zkey: BinarySource | readonly BinarySource[] | undefined,
  options: UseKeyOptions = {},
): KeyState<Key> {
  const shared = prover === undefined || zkey === undefined ? nothing : keyOf(prover, zkey, options);
  const shown: Shown<ProvingKey> | typeof WAITING = useSyncExternalStore<Shown<ProvingKey> | typeof WAITING>(
    shared.subscribe,
    shared.snapshot,
    nothing.snapshot,
  );
  const { value: key, ...rest } = shown;
  return { ...rest, key, retry: shared.retry } as KeyState<Key>;
}

function keyOf(
  prover: Prover,
  zkey: BinarySource | readonly BinarySource[],
  options: UseKeyOptions,
): Shared<ProvingKey> {
  const keys = keysOf.get(prover) ?? new Map<string, Shared<ProvingKey>>();
  keysOf.set(prover, keys);
  const id = fileIdentity(zkey, options);
  const shared: Shared<ProvingKey> =
    keys.get(id) ??
    new Shared<ProvingKey>({
      start: (signal, onProgress) => {
        keys.set(id, shared);
        return prover.loadKey(zkey, { ...options, signal, onProgress });
      },
      end: (key) => key.dispose(),
      // The bytes of a file must not stay in memory with it.
      left: () => void keys.delete(id),
    });
  keys.set(id, shared);
  return shared;
}
