import { PippinError } from '../base/errors.js';
import { isForeignScript, isMoved } from './script-urls.js';

/** What to look at when a worker never sent a message. */
const START_HINT =
  'check that the script is at that URL (a bundler may have renamed it), served as JavaScript (a missing file may give an HTML page), and allowed ' +
  "by the Content-Security-Policy (worker-src, script-src). ProverOptions.assets takes the scripts' URLs";

/** What to do where the package was moved away from its workers, and its own folder is not where it is looked for. */
const MOVED_HINT =
  "Vite has moved the package away from its workers, and node_modules/pippin-prover is elsewhere: set optimizeDeps: { exclude: ['pippin-prover'] }";

/** What to do where the script is of another origin than the page, such as a CDN. */
const ORIGIN_HINT =
  'a script of another origin, such as a CDN, starts by a blob: URL: the Content-Security-Policy must allow blob: and that origin in worker-src, and its server ' +
  "must allow this origin (CORS). Otherwise serve the package's files from the page's own origin (ProverOptions.assets), or use threads: 0";

/** What to look at when a worker ended after it had sent messages. */
const DEATH_HINT = 'the browser or the system may have ended it because memory ran out; fewer threads need less';

/** The most characters of a URL that a message shows. */
const MAX_URL_LENGTH = 300;

/**
 * Keeps the failure of one worker, if there is one, and reports it once to every listener, including those that are
 * added after it.
 */
export class WorkerFailure {
  private error: PippinError | undefined;
  private readonly listeners: ((error: PippinError) => void)[] = [];
  private started = false;
  private expected = false;

  /** @param script the URL of the worker's script. */
  constructor(private readonly script: string) {}

  /** Notes that the worker has sent a message, so that its script has run. */
  noteMessage(): void {
    this.started = true;
  }

  /** Notes that the worker is about to be ended on purpose, so that what is reported after this is no failure. */
  expectEnd(): void {
    this.expected = true;
  }

  /** Reports to the listeners that the worker failed; only the first failure counts. */
  report(reason: string, cause?: unknown, hint?: string): void {
    this.reportError(workerFailed(this.script, this.started, reason, cause, hint));
  }

  /** The same with an error that another thread has made. */
  reportError(error: PippinError): void {
    if (this.error !== undefined || this.expected) return;
    this.error = error;
    for (const listener of this.listeners) listener(error);
  }

  onFailure(listener: (error: PippinError) => void): void {
    const { error } = this;
    if (error === undefined) this.listeners.push(listener);
    // Not at once: whoever adds the listener may not be ready for the call yet.
    else queueMicrotask(() => listener(error));
  }
}

/** The error for a worker that could not be started at all, or that failed. */
export function workerFailed(
  script: string,
  started: boolean,
  reason: string,
  cause?: unknown,
  hint = started ? DEATH_HINT : startHint(script),
): PippinError {
  // A data URL holds the whole script.
  const url = script.length > MAX_URL_LENGTH ? `${script.slice(0, MAX_URL_LENGTH)}...` : script;
  const expected = started ? 'go on running' : 'start';
  return new PippinError('WORKER_FAILED', `expected the worker at ${url} to ${expected}, got: ${reason}`, {
    cause,
    hint,
  });
}

function startHint(script: string): string {
  if (isMoved(script)) return MOVED_HINT;
  return isForeignScript(script) ? ORIGIN_HINT : START_HINT;
}
