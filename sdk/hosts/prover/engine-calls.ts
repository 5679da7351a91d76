import * as Comlink from 'comlink';
import type { CallName, Capabilities, ProverEvent } from '../../api/index.js';
import type { Notice, ProgressEvent } from '../../api/progress.js';
import { CallerSignal } from '../../base/abort.js';
import { asPippinError, PippinError } from '../../base/errors.js';
import { wipe } from '../../base/free-memory.js';
import type { Listener } from '../../base/listener.js';
import type { OptionReader } from '../../base/option-reader.js';
import {
  type CircuitDescription,
  type EngineApi,
  type EngineConfig,
  type EngineEvent,
  START_CALL,
} from '../../engine/engine-api.js';
import type { WorkerChannel } from '../../transport/channel.js';
import { Heartbeat } from '../../transport/heartbeat.js';
import { type Remote, remote } from '../../transport/remote.js';
import { CallEvents } from './call-events.js';
import type { CallerPlatform } from './caller-platform.js';
import { SharedCopies } from './shared-copies.js';

/** The timeout in milliseconds until the engine's script runs; it is downloaded before. */
const START_MS = 120_000;

/**
 * The timeout in milliseconds of a silent script that runs and starts: a blocked thread must not keep its caller
 * waiting.
 */
const ANSWER_MS = 30_000;

/** A call of the caller, as the engine knows it. */
export interface NumberedCall {
  readonly number: number;
  readonly name: CallName;
  readonly signal: CallerSignal;
  readonly listener: Listener<ProgressEvent> | undefined;
}

/** What a call has the engine do. */
export type Work<T> = (engine: Remote<EngineApi>, call: number) => Promise<T>;

/**
 * The calls of a prover to its engine: numbers them, passes on their events, and answers an abort at once while the
 * engine is still stopping the work.
 */
export class EngineCalls {
  private readonly engine: Remote<EngineApi>;
  private readonly listeners = new Map<number, Listener<ProgressEvent>>();
  private readonly events: CallEvents | undefined;
  private readonly pending = new Set<(error: PippinError) => void>();
  private readonly shared = new SharedCopies();
  private current: Capabilities | undefined;
  /** Whether a notice came that the capabilities of the start may not know of. */
  private noticedAtStart = false;
  private ended: PippinError | undefined;
  private staysAtExit: (() => void) | undefined;
  private nextCall = START_CALL + 1;

  constructor(
    private readonly platform: Pick<CallerPlatform, 'beforeExit' | 'disposeTimeoutMs'>,
    private readonly channel: WorkerChannel,
    onNotice: Listener<Notice> | undefined,
    onEvent: Listener<ProverEvent> | undefined,
  ) {
    this.events = onEvent && new CallEvents(onEvent);
    this.engine = remote<EngineApi>(channel.endpoint);
    channel.onEvent((message) => {
      const { call, event } = message as EngineEvent;
      if (event.kind === 'notice') this.notice(call, () => onNotice?.tell(event.notice));
      this.events?.pass(call, event);
      this.listeners.get(call)?.tell(event);
    });
    channel.onFailure((error) => this.end(error));
  }

  async start(config: EngineConfig): Promise<void> {
    await this.askUnlessSilent(START_MS, (engine) => engine.hello());
    this.current = await this.askUnlessSilent(ANSWER_MS, (engine) => engine.start(config));
    if (this.noticedAtStart) await this.refreshCapabilities();
  }

  /**
   * A prover that nobody disposes is disposed when the process has nothing else to do, so that the cache is written and
   * the GPU let go.
   */
  endBeforeExit(): void {
    this.staysAtExit = this.platform.beforeExit?.(() => void this.dispose());
  }

  get capabilities(): Capabilities {
    if (this.current === undefined) throw new PippinError('INTERNAL', 'expected a started engine');
    return this.current;
  }

  /** Whether the prover was disposed, or its engine has failed. */
  get hasEnded(): boolean {
    return this.ended !== undefined;
  }

  /**
   * Reads what every call's options have; the others have been read. Throws if there are members that no option has, if
   * the signal has fired, or if the prover has ended.
   *
   * @param name the method that was called.
   * @param others names of options that may be given and are not used.
   */
  begin(name: CallName, options: OptionReader, others: readonly string[] = []): NumberedCall {
    const signal = new CallerSignal(options.read('signal'));
    const listener = options.listener<ProgressEvent>('onProgress');
    options.expectNoOthers(others);
    signal.throwIfAborted();
    if (this.ended !== undefined) throw this.ended;
    return { number: this.nextCall++, name, signal, listener };
  }

  /** Runs one numbered call: its events go to its listener, its signal to the engine. */
  run<T>(call: NumberedCall, work: Work<T>): Promise<T> {
    const run = (): Promise<T> => this.runUnwatched(call, work);
    return this.events === undefined ? run() : this.events.around(call.number, call.name, run);
  }

  /**
   * Runs a call with a copy of bytes in memory that the engine shares, which it overwrites. The copy is made while the
   * engine already computes with the first of them.
   *
   * @param aligned see `SharedCopies.begin`.
   */
  async runShared<T>(
    call: NumberedCall,
    bytes: Uint8Array,
    work: (copy: Uint8Array) => Work<T>,
    aligned?: number,
  ): Promise<T> {
    const { copy, fill } = this.shared.begin(bytes, aligned);
    const answer = this.run(call, work(copy));
    fill();
    try {
      return await answer;
    } finally {
      // An engine that has ended overwrites nothing.
      if (this.ended !== undefined) wipe(copy);
    }
  }

  private async runUnwatched<T>({ number, signal, listener }: NumberedCall, work: Work<T>): Promise<T> {
    if (listener !== undefined) this.listeners.set(number, listener);
    let stopListening = (): void => undefined;
    try {
      return await this.guard(
        () => work(this.engine, number),
        (reject) => {
          stopListening = signal.onAbort((error) => {
            void this.engine.abort(number);
            reject(error);
          });
        },
      );
    } finally {
      stopListening();
      this.listeners.delete(number);
      // Nobody waits for it, so that an abort is answered at once.
      void this.refreshCapabilities();
    }
  }

  /**
   * Runs a call that loads something. An answer that crosses an abort is released: the caller never gets to know of it.
   */
  async load<T extends { readonly handle: number }>(call: NumberedCall, work: Work<T>): Promise<T> {
    let loading: Promise<T> | undefined;
    try {
      return await this.run(call, (engine, number) => {
        loading = work(engine, number);
        return loading;
      });
    } catch (error) {
      loading?.then(({ handle }) => this.engine.release(handle)).catch(() => undefined);
      throw error;
    }
  }

  /** Asks the engine something that has no number: it has no events, and nothing stops it. */
  ask<T>(work: (engine: Remote<EngineApi>) => Promise<T>): Promise<T> {
    return this.guard(() => work(this.engine));
  }

  /**
   * Asks the engine something at its start. If its thread is silent past the timeout, the engine ends with
   * `WORKER_FAILED`.
   */
  private async askUnlessSilent<T>(patienceMs: number, work: (engine: Remote<EngineApi>) => Promise<T>): Promise<T> {
    const onSilent = (): void =>
      this.end(new PippinError('WORKER_FAILED', 'expected a coordinator that runs, got none'));
    const ask = (): Promise<void> => this.engine.hello();
    const heartbeat = new Heartbeat({ patienceMs, startMs: patienceMs, onSilent, ask });
    try {
      return await heartbeat.until(this.ask(work));
    } finally {
      heartbeat.end();
    }
  }

  /** Ends the engine. Never rejects; idempotent. */
  async dispose(): Promise<void> {
    if (this.ended !== undefined) return;
    this.end(new PippinError('DISPOSED', 'the prover was disposed'), false);
    this.channel.setBusy?.(true);
    // The engine ends its own workers and frees the GPU. If it does not answer in time, its worker is ended from here.
    let timer: ReturnType<typeof setTimeout> | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.platform.disposeTimeoutMs);
    });
    await Promise.race([this.engine.dispose().catch(() => undefined), timeout]);
    clearTimeout(timer);
    this.channel.terminate();
  }

  /** Passes a notice on; one that no call has caused is about the GPU, and comes when the capabilities say so, too. */
  private notice(call: number, tell: () => void): void {
    if (call !== START_CALL) tell();
    else if (this.current !== undefined) void this.refreshCapabilities().then(tell);
    else {
      this.noticedAtStart = true;
      tell();
    }
  }

  /** Asks for the capabilities again, since the GPU may have been opened or lost. */
  private async refreshCapabilities(): Promise<void> {
    if (this.ended !== undefined) return;
    try {
      this.current = await this.ask((engine) => engine.capabilities());
    } catch {
      // The prover has ended.
    }
  }

  /** The answer of `work`, or the error with which the engine ends before it. */
  private guard<T>(work: () => Promise<T>, onReject?: (reject: (error: PippinError) => void) => void): Promise<T> {
    if (this.ended !== undefined) return Promise.reject(this.ended);
    return new Promise<T>((resolve, reject) => {
      onReject?.(reject);
      this.pending.add(reject);
      this.channel.setBusy?.(true);
      work()
        .then(resolve, (error) => reject(asPippinError(error)))
        .finally(() => {
          this.pending.delete(reject);
          if (this.pending.size === 0 && this.ended === undefined) this.channel.setBusy?.(false);
        });
    });
  }

  private end(error: PippinError, terminate = true): void {
    this.ended ??= error;
    this.staysAtExit?.();
    for (const reject of this.pending) reject(error);
    this.pending.clear();
    this.shared.wipe();
    if (terminate) this.channel.terminate();
  }
}

/**
 * Marks an argument for the engine so that the bytes or ports of the source in it are moved instead of copied on the
 * way. Bytes in shared memory stay where they are.
 */
export function withItsBytes<T>(argument: T, source: CircuitDescription): T {
  const moved = movedIn(source);
  return moved.length === 0 ? argument : Comlink.transfer(argument, moved);
}

function movedIn(source: CircuitDescription): Transferable[] {
  if (source.kind === 'chunks') return [...new Set(source.chunks.flatMap(movedIn))];
  if (source.kind === 'served') return [source.blob.port];
  return source.kind === 'bytes' && source.bytes.buffer instanceof ArrayBuffer ? [source.bytes.buffer] : [];
}
