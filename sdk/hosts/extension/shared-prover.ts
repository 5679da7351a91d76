import type { Groth16Key, Prover } from '../../api/index.js';
import type { ProgressListener } from '../../api/progress.js';
import { loadThenProve } from '../../api/progress-scale.js';
import { PippinError } from '../../base/errors.js';
import { JointWork } from './joint-work.js';
import type { KeyRequest } from './messages.js';

interface LoadedKey {
  /** What it is loaded from, as a text. */
  readonly name: string;
  readonly work: JointWork<Groth16Key>;
  /** The callers that have loaded it, and how often they have not released it. */
  readonly holders: Map<object, number>;
  /** Calls that prove with it. */
  users: number;
  /** Whether its last holder has released it while a call proved with it. */
  isReleased: boolean;
}

/** The one prover of the document, made when it is first needed, and the keys that all callers share. */
export class SharedProver {
  private prover: Promise<Prover> | undefined;
  /** By what they are loaded from; the one used last comes last. */
  private readonly keys = new Map<string, LoadedKey>();

  constructor(
    private readonly create: () => Promise<Prover>,
    private readonly maxKeys: number,
  ) {}

  /** Does something with the prover. One that cannot go on is given up, so that the next call makes another. */
  async use<T>(work: (prover: Prover) => Promise<T> | T): Promise<T> {
    this.prover ??= this.create();
    const { prover } = this;
    try {
      return await work(await prover);
    } catch (error) {
      if (this.prover === prover && !(await worksOn(prover, error))) void this.dispose();
      else if (this.prover !== prover && isDisposed(error)) throw lostWithAnother(error);
      throw error;
    }
  }

  /** Loads a key for a caller, unless it is loaded. */
  async load(
    request: KeyRequest,
    holder: object,
    signal: AbortSignal,
    onProgress: ProgressListener,
  ): Promise<Groth16Key> {
    const key = this.keyOf(request);
    const loaded = await key.work.join(signal, onProgress);
    key.holders.set(holder, (key.holders.get(holder) ?? 0) + 1);
    key.isReleased = false;
    this.letUnusedGo();
    return loaded;
  }

  /** Proves with a key, which is loaded if it is not. The progress of both is one. */
  async withKey<T>(
    request: KeyRequest,
    signal: AbortSignal,
    onProgress: ProgressListener,
    work: (prover: Prover, key: Groth16Key, onProgress: ProgressListener) => Promise<T>,
  ): Promise<T> {
    const key = this.keyOf(request);
    key.users++;
    const { loading, proving } = loadThenProve(key.work.hasEnded, onProgress);
    try {
      const loaded = await key.work.join(signal, loading);
      return await this.use((prover) => work(prover, loaded, proving));
    } finally {
      key.users--;
      this.freeReleased(key);
      this.letUnusedGo();
    }
  }

  /** Takes back one `load` of a caller, and frees a key that nobody holds any more. */
  release(request: KeyRequest, holder: object): void {
    const key = this.keys.get(JSON.stringify(request));
    if (key === undefined) return;
    const held = key.holders.get(holder) ?? 0;
    if (held > 1) key.holders.set(holder, held - 1);
    else key.holders.delete(holder);
    key.isReleased = key.holders.size === 0;
    this.freeReleased(key);
  }

  /** Forgets a caller. Its keys stay until others need the room, because it may come back. */
  forget(holder: object): void {
    for (const { holders } of this.keys.values()) holders.delete(holder);
  }

  /** Ends the prover. The next call makes another. */
  async dispose(): Promise<void> {
    const { prover } = this;
    this.prover = undefined;
    this.keys.clear();
    await prover?.then(
      (started) => started.dispose(),
      () => undefined,
    );
  }

  private keyOf(request: KeyRequest): LoadedKey {
    const name = JSON.stringify(request);
    let key = this.keys.get(name);
    if (key === undefined || key.work.isAborted) {
      const { urls, isChunked, options } = request;
      const work = new JointWork(
        (signal, onProgress) =>
          this.use(({ groth16 }) => groth16.loadKey(isChunked ? urls : urls[0]!, { ...options, signal, onProgress })),
        false,
      );
      const made: LoadedKey = { name, work, holders: new Map(), users: 0, isReleased: false };
      work.outcome.catch(() => {
        if (this.keys.get(name) === made) this.keys.delete(name);
      });
      key = made;
    }
    this.keys.delete(name);
    this.keys.set(name, key);
    return key;
  }

  private letUnusedGo(): void {
    for (const key of this.keys.values()) {
      if (this.keys.size <= this.maxKeys) return;
      if (key.users === 0) this.free(key);
    }
  }

  private freeReleased(key: LoadedKey): void {
    if (key.isReleased && key.users === 0) this.free(key);
  }

  private free(key: LoadedKey): void {
    const { name, work } = key;
    if (this.keys.get(name) === key) this.keys.delete(name);
    work.outcome.then((loaded) => loaded.dispose()).catch(() => undefined);
  }
}

/** Whether a prover still works after a call that failed: it did start, and its engine has not died. */
async function worksOn(prover: Promise<Prover>, error: unknown): Promise<boolean> {
  if (error instanceof PippinError && error.code === 'WORKER_FAILED') return false;
  return prover.then(
    () => true,
    () => false,
  );
}

function isDisposed(error: unknown): boolean {
  return error instanceof PippinError && error.code === 'DISPOSED';
}

/** The error of a call whose prover was given up because of another call. */
function lostWithAnother(cause: unknown): PippinError {
  return new PippinError(
    'PROVER_LOST',
    'expected the prover to go on, got its end because another call lost its worker',
    {
      cause,
      hint: 'call again: another prover is made',
    },
  );
}
