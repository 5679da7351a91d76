import { createProver, PippinError } from 'pippin-prover';
import { useEffect, useSyncExternalStore } from 'react';
import type { Prover, ProverOptions } from '../../api/index.js';
import type { Notice } from '../../api/progress.js';
import { optionsIdentity } from '../session/file-identity.js';
import { Shared } from './shared.js';

/** The page's prover, as a component sees it. */
export type ProverState = {
  /** Starts the prover again after it has failed. Does nothing otherwise. The function stays the same. */
  readonly retry: () => void;
} & (
  | { readonly status: 'loading'; readonly prover: undefined; readonly error: undefined }
  | { readonly status: 'ready'; readonly prover: Prover; readonly error: undefined }
  | { readonly status: 'failed'; readonly prover: undefined; readonly error: PippinError }
);

/** The provers that components have asked for, by their options, and the one that lives. */
const provers = new Map<string, Shared<Prover>>();
let living: Shared<Prover> | undefined;
const noticeListeners = new Set<(notice: Notice) => void>();

/**
 * The prover of the page. All components share one: it is started when the first component that uses it is mounted,
 * never in a render or on a server, and disposed of half a second after the last was unmounted, so that StrictMode and
 * a change of route keep it. Throws nothing.
 *
 * @param options as for `createProver`. All components that are mounted give the same values; one that gives others
 * while the prover is in use gets the error `INVALID_ARGUMENT`. When a component that uses it alone changes them, the
 * prover is replaced. `onNotice` may differ: each mounted component's is called.
 * @returns its state, with the errors of `createProver` in `error`.
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
export function useProver(options: ProverOptions = {}): ProverState {
  const { onNotice, ...rest } = options;
  const shared = proverOf(rest);
  const {
    status,
    value: prover,
    error,
  } = useSyncExternalStore(shared.subscribe, shared.snapshot, shared.serverSnapshot);
  useEffect(() => {
    if (onNotice === undefined) return undefined;
    // The same function of two components is called for each.
    const listener = (notice: Notice): void => onNotice(notice);
    noticeListeners.add(listener);
    return () => void noticeListeners.delete(listener);
  }, [onNotice]);
  return { status, prover, error, retry: shared.retry } as ProverState;
}

/** What starts the prover with these options. Asking for it starts nothing. */
function proverOf(options: Omit<ProverOptions, 'onNotice'>): Shared<Prover> {
  const id = optionsIdentity(options);
  const shared: Shared<Prover> =
    provers.get(id) ??
    new Shared<Prover>({
      start: async () => {
        await replaceLiving(shared);
        return createProver({ ...options, onNotice: tellNotice });
      },
      end: (prover) => prover.dispose(),
    });
  provers.set(id, shared);
  return shared;
}

/** Ends the prover that lives, so that another can take its place. `INVALID_ARGUMENT` if it is in use. */
async function replaceLiving(next: Shared<Prover>): Promise<void> {
  const before = living === next ? undefined : living;
  if (before !== undefined && before.users > 0) {
    throw new PippinError('INVALID_ARGUMENT', 'expected the options with which the page has its prover, got others', {
      hint: 'give every useProver the same options, or call it in one component that passes the prover on',
    });
  }
  living = next;
  await before?.end();
}

function tellNotice(notice: Notice): void {
  for (const listener of [...noticeListeners]) listener(notice);
}
