import { PippinError } from 'pippin-prover';
import { useEffect, useMemo, useState } from 'react';
import type {
  BinarySource,
  Circuit,
  CircuitInputs,
  Groth16Key,
  InputsOf,
  ProveOptions,
  ProveResultOf,
  Prover,
  ProvingKey,
} from '../../api/index.js';
import { abortError } from '../../base/abort.js';
import { type ProofInput, proveWith } from '../session/proof-system-of.js';
import { NO_PROGRESS, pippinError, progressOf, type WorkProgress } from './shared.js';

/** Options of a proof. The hook aborts and reports progress itself. */
export type ProofOptions = Omit<ProveOptions, 'signal' | 'onProgress'>;

/** What a component can do. The functions stay the same as long as prover and key do, and need no `this`. */
export interface ProofWork<Key extends ProvingKey = Groth16Key> {
  /**
   * Proves from the circuit's inputs, as `Groth16.fullProve`. A proof that is being made is aborted first. Never
   * rejects: it gives undefined when the proof failed or was aborted, and the state says why, so that an event handler
   * may ignore what it gives.
   *
   * @param inputs the circuit's inputs by the names of its signals.
   * @param circuit the circuit's WASM, or what `loadCircuit` gave.
   * @param options as for `Groth16.fullProve`.
   * @returns the proof; undefined when it failed or was aborted.
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
  fullProve<Inputs extends object>(
    inputs: Inputs & InputsOf<Inputs>,
    circuit: BinarySource | Circuit,
    options?: ProofOptions,
  ): Promise<ProveResultOf<Key> | undefined>;
  /**
   * The same from a witness, as `Groth16.prove`. Never rejects.
   *
   * @param witness a `.wtns` file.
   * @param options as for `Groth16.prove`.
   * @returns the proof; undefined when it failed or was aborted.
   * @example
   * ```tsx
   * import { useKey, useProof, useProver } from 'pippin-prover/react';
   *
   * export function Spend() {
   *   const { prover } = useProver();
   *   const { key } = useKey(prover, '/keys/note.zkey');
   *   const { status, prove } = useProof(prover, key);
   *   return <button onClick={() => prove('/witness.wtns')}>{status}</button>;
   * }
   * ```
   */
  prove(witness: BinarySource, options?: ProofOptions): Promise<ProveResultOf<Key> | undefined>;
  /**
   * Aborts the proof that is being made. Without one it does nothing. Throws nothing.
   *
   * @returns nothing.
   * @example
   * ```tsx
   * import { useKey, useProof, useProver } from 'pippin-prover/react';
   *
   * export function Spend() {
   *   const { prover } = useProver();
   *   const { key } = useKey(prover, '/keys/note.zkey');
   *   const { status, abort } = useProof(prover, key);
   *   return <button onClick={abort}>{status === 'proving' ? 'Cancel' : status}</button>;
   * }
   * ```
   */
  abort(): void;
  /**
   * Forgets the last proof or its error: the state is `idle` again. A proof that is being made is aborted. Throws
   * nothing.
   *
   * @returns nothing.
   * @example
   * ```tsx
   * import { useKey, useProof, useProver } from 'pippin-prover/react';
   *
   * export function Spend() {
   *   const { prover } = useProver();
   *   const { key } = useKey(prover, '/keys/note.zkey');
   *   const { status, reset } = useProof(prover, key);
   *   return <button onClick={reset}>{status}</button>;
   * }
   * ```
   */
  reset(): void;
}

type Proof<Key extends ProvingKey> =
  | { readonly status: 'idle' | 'proving'; readonly result: undefined; readonly error: undefined }
  | { readonly status: 'proved'; readonly result: ProveResultOf<Key>; readonly error: undefined }
  | {
      /** The error of `aborted` has the code `ABORTED`. */
      readonly status: 'failed' | 'aborted';
      readonly result: undefined;
      readonly error: PippinError;
    };

/** A component's proof: its state, and what can be done. */
export type ProofState<Key extends ProvingKey = Groth16Key> = Proof<Key> & WorkProgress & ProofWork<Key>;

const IDLE: Proof<never> & WorkProgress = { status: 'idle', result: undefined, error: undefined, ...NO_PROGRESS };

/**
 * Makes proofs for one component, one at a time. A proof is aborted when the component is unmounted, and when prover or
 * key change. Throws nothing.
 *
 * @param prover of `useProver`.
 * @param key of `useKey`, of any proof system. While prover or key are undefined, a proof fails with
 * `INVALID_ARGUMENT`.
 * @returns the state of the last proof, with the errors of `fullProve` and `prove` in `error`.
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
export function useProof<Key extends ProvingKey = Groth16Key>(
  prover: Prover | undefined,
  key: Key | undefined,
): ProofState<Key> {
  const [state, setState] = useState<Proof<Key> & WorkProgress>(IDLE);
  const work = useMemo(() => new Proving(prover, key, setState), [prover, key]);
  useEffect(() => work.abort, [work]);
  const { fullProve, prove, abort, reset } = work;
  return { ...state, fullProve, prove, abort, reset };
}

/** The proofs of a component with one prover and one key. */
class Proving<Key extends ProvingKey> implements ProofWork<Key> {
  /** The proof that is being made, and how far it is. What an older one still tells does not count. */
  private running: { readonly controller: AbortController; progress: WorkProgress } | undefined;

  constructor(
    private readonly prover: Prover | undefined,
    private readonly key: Key | undefined,
    private readonly show: (state: Proof<Key> & WorkProgress) => void,
  ) {}

  readonly fullProve: ProofWork<Key>['fullProve'] = (inputs, circuit, options) =>
    this.run({ inputs: inputs as CircuitInputs, circuit }, options);

  readonly prove: ProofWork<Key>['prove'] = (witness, options) => this.run({ witness }, options);

  readonly abort = (): void => {
    const { running } = this;
    if (running === undefined) return;
    this.running = undefined;
    running.controller.abort();
    const error = abortError(running.controller.signal);
    this.show({ status: 'aborted', result: undefined, error, ...running.progress });
  };

  readonly reset = (): void => {
    this.abort();
    this.show(IDLE);
  };

  private async run(input: ProofInput, options: ProofOptions | undefined): Promise<ProveResultOf<Key> | undefined> {
    this.running?.controller.abort();
    const controller = new AbortController();
    const running = { controller, progress: NO_PROGRESS };
    this.running = running;
    const onProgress = progressOf((progress) => {
      if (this.running !== running) return;
      running.progress = progress;
      this.show({ status: 'proving', result: undefined, error: undefined, ...progress });
    });
    this.show({ status: 'proving', result: undefined, error: undefined, ...NO_PROGRESS });
    const end = (state: Proof<Key>, progress: WorkProgress): void => {
      if (this.running !== running) return;
      this.running = undefined;
      this.show({ ...state, ...progress });
    };
    try {
      const { prover, key } = this;
      if (prover === undefined || key === undefined) throw notReady(prover === undefined ? 'prover' : 'key');
      const result = await proveWith(prover, key, input, { ...options, signal: controller.signal, onProgress });
      end({ status: 'proved', result, error: undefined }, { ...running.progress, progress: 1 });
      return controller.signal.aborted ? undefined : result;
    } catch (error) {
      end({ status: 'failed', result: undefined, error: pippinError(error) }, running.progress);
      return undefined;
    }
  }
}

function notReady(what: 'prover' | 'key'): PippinError {
  return new PippinError('INVALID_ARGUMENT', `expected a ${what}, got none yet`, {
    hint: 'let the component wait for the status `ready` of useProver and useKey',
  });
}
