import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../support/root.js';

/** What `cache-user.mjs` can do. */
export type CacheOperation =
  | { readonly operation: 'open'; readonly storageBudget?: number }
  | { readonly operation: 'prove'; readonly circuit: string; readonly precompute: number | 'auto' }
  | { readonly operation: 'sum'; readonly precompute: number | 'auto' }
  | { readonly operation: 'abort'; readonly circuit: string; readonly ms: number }
  | { readonly operation: 'clear' };

export interface CacheAnswer {
  readonly error?: string;
  readonly isRight?: boolean;
  readonly cached?: boolean;
  readonly notices: readonly string[];
}

export interface CachePlaces {
  /** The files that the processes read. */
  readonly files: string;
  /** The folder of the cache. */
  readonly directory: string;
  /** The disk is full as long as this file exists. */
  readonly fullDisk: string;
}

const folder = join(root, 'tests', 'campaigns');

/** A process with a prover on the shared cache. */
export class CacheProcess {
  private constructor(private readonly child: ChildProcess) {}

  static async start({ files, directory, fullDisk }: CachePlaces): Promise<CacheProcess> {
    const child = fork(join(folder, 'cache-user.mjs'), [join(root, 'dist', 'node.js'), files, directory], {
      // It holds for the threads of the process as well.
      env: {
        ...process.env,
        NODE_OPTIONS: `--import ${pathToFileURL(join(folder, 'full-disk.mjs'))}`,
        PIPPIN_FULL_DISK: fullDisk,
      },
      execArgv: [],
    });
    const started = new CacheProcess(child);
    await started.answer();
    return started;
  }

  /** What the process answers, one operation at a time; undefined if it was killed meanwhile. */
  async do(operation: CacheOperation): Promise<CacheAnswer | undefined> {
    const answer = this.answer();
    this.child.send(operation);
    return answer;
  }

  /** Ends the process wherever it is. */
  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
  }

  private async answer(): Promise<CacheAnswer | undefined> {
    const listening = new AbortController();
    const { signal } = listening;
    const ended = once(this.child, 'exit', { signal }).then(([exitCode]) => {
      if (exitCode !== null) throw new Error(`expected an answer of a process, got its end (${exitCode})`);
      return undefined;
    });
    ended.catch(() => undefined);
    try {
      return await Promise.race([
        once(this.child, 'message', { signal }).then(([answer]) => answer as CacheAnswer),
        ended,
      ]);
    } finally {
      listening.abort();
    }
  }
}
