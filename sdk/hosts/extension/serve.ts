import type { Prover, ProverOptions } from '../../api/index.js';
import type { Notice } from '../../api/progress.js';
import type { Listener } from '../../base/listener.js';
import { OptionReader } from '../../base/option-reader.js';
import { createProver } from '../page/browser.js';
import { KeptProver } from '../session/kept-prover.js';
import type { ProverServer, ServeOptions } from './api.js';
import { type ExtensionApi, type ExtensionPort, extensionApi } from './extension-api.js';
import { KeptProofs } from './kept-proofs.js';
import { acceptLocally } from './local-ports.js';
import { ALIVE_MS, PORT_NAME } from './messages.js';
import { runMethod } from './methods.js';
import { Session, type SessionHost } from './session.js';

/** A day, the maximum of the time options. */
const DAY_MS = 86_400_000;

/** The minimum of `idleMs`: a page that closed sooner could be gone between a caller's first message and its call. */
const LEAST_IDLE_MS = 1000;

/** The page of the server, or a stand-in for tests. */
export interface ServePlatform {
  readonly api: ExtensionApi;
  createProver(options: ProverOptions): Promise<Prover>;
  /** The URL of this page. */
  readonly url: string;
  /** Closes this page. */
  closePage(): void;
}

/**
 * Proves for the other pages of the extension, which call `connectProver`. Call it once, in a script that runs while
 * the page loads: the offscreen document in Chromium, the background page in Firefox. The prover is created at the
 * first call, and ended after `idleMs` without one.
 *
 * Only pages and the service worker of this extension are served: neither content scripts nor other extensions or web
 * pages.
 *
 * @param options the prover's options, and how long results and keys are kept.
 * @returns the server, which `close` ends.
 * @throws {PippinError} INVALID_ARGUMENT for options out of range.
 * @throws {PippinError} UNSUPPORTED_ENVIRONMENT outside of an extension.
 * @example
 * ```js
 * // offscreen.js, a module script of offscreen.html
 * import { serveProver } from 'pippin-prover/extension';
 *
 * serveProver({
 *   prover: { threads: 4 },
 *   onEnded: (id) => chrome.runtime.sendMessage({ type: 'proof-ended', id }),
 * });
 * ```
 */
export function serveProver(options: ServeOptions = {}): ProverServer {
  const closePage = (): void => window.close();
  return serveProverOn({ api: extensionApi(), createProver, url: location.href, closePage }, options);
}

/** `serveProver` for the given page. */
export function serveProverOn(platform: ServePlatform, options: ServeOptions): ProverServer {
  return new Server(platform, new OptionReader(options, 'the options of serveProver'));
}

class Server implements ProverServer, SessionHost {
  private readonly sessions = new Set<Session>();
  private readonly prover: KeptProver;
  private readonly kept: KeptProofs;
  private readonly idleMs: number;
  private readonly closesDocument: boolean;
  private isOffscreen = false;
  /** Pending calls, also of callers that have disappeared. */
  private running = 0;
  private idleTimer: ReturnType<typeof setTimeout> | undefined;
  private aliveTimer: ReturnType<typeof setInterval> | undefined;
  private readonly onConnect = (port: ExtensionPort): void => {
    if (port.name !== PORT_NAME) return;
    if (this.isOwn(port)) this.admit(port);
    else port.disconnect();
  };

  constructor(
    private readonly platform: ServePlatform,
    reader: OptionReader,
  ) {
    const given = (reader.read('prover') ?? {}) as ProverOptions;
    const own = new OptionReader(given, 'prover of the options of serveProver').listener<Notice>('onNotice');
    const onEnded = reader.listener<string>('onEnded');
    const keepMs = reader.number('keepResultsMs', 0, DAY_MS, 'milliseconds') ?? 600_000;
    this.idleMs = reader.number('idleMs', LEAST_IDLE_MS, DAY_MS, 'milliseconds') ?? 300_000;
    this.closesDocument = reader.flag('closesDocument', true);
    const limits = { maxKeys: reader.integer('maxKeys', 1, 64) ?? 4 };
    this.prover = new KeptProver(
      () => platform.createProver({ ...given, onNotice: (notice) => this.tellNotice(notice, own) }),
      () => limits,
    );
    this.kept = new KeptProofs(keepMs, reader.integer('maxResults', 1, 1000) ?? 16, (id) => {
      this.rest();
      onEnded?.tell(id);
    });
    platform.api.runtime.onConnect.addListener(this.onConnect);
    acceptLocally((port) => this.admit(port));
    this.rest();
  }

  async close(): Promise<void> {
    this.platform.api.runtime.onConnect.removeListener(this.onConnect);
    acceptLocally(undefined);
    for (const session of [...this.sessions]) session.end();
    this.kept.clear();
    await this.prover.close();
    clearTimeout(this.idleTimer);
    clearInterval(this.aliveTimer);
  }

  async run(...[method, args, call]: Parameters<SessionHost['run']>): Promise<unknown> {
    this.running++;
    this.wake();
    try {
      return await runMethod(method, args, call, this.prover, this.kept);
    } finally {
      this.running--;
      this.rest();
    }
  }

  foundOffscreen(url: string): void {
    this.isOffscreen ||= url === this.platform.url;
  }

  heard(): void {
    this.rest();
  }

  ended(session: Session): void {
    this.sessions.delete(session);
    this.prover.keys?.forget(session);
  }

  private admit(port: ExtensionPort): void {
    this.sessions.add(new Session(port, this));
    this.rest();
  }

  /**
   * Whether a port comes from a page or the service worker of this extension. Content scripts have its id, but the URL
   * of their web page.
   */
  private isOwn({ sender }: ExtensionPort): boolean {
    const { runtime } = this.platform.api;
    return sender?.id === runtime.id && sender?.url?.startsWith(runtime.getURL('/')) === true;
  }

  private tellNotice(notice: Notice, own: Listener<Notice> | undefined): void {
    own?.tell(notice);
    // The notice may show inputs: only the caller of the proof gets it, through its progress.
    if (notice.code === 'CIRCUIT_LOG') return;
    for (const session of this.sessions) session.tellNotice(notice);
  }

  /** Starts heartbeats: to callers with pending calls, and to Firefox, which ends a background page without any. */
  private wake(): void {
    clearTimeout(this.idleTimer);
    if (this.aliveTimer !== undefined) return;
    // Firefox does not count the message that carried the call, and much of the time may have passed before it.
    this.touch();
    this.aliveTimer = setInterval(() => {
      if (!this.isNeeded()) {
        clearInterval(this.aliveTimer);
        this.aliveTimer = undefined;
        return;
      }
      for (const session of this.sessions) if (session.isBusy) session.sendAlive();
      this.touch();
    }, ALIVE_MS);
  }

  /** Calls the extension's API, which Firefox counts as a heartbeat of the background page. */
  private touch(): void {
    void this.platform.api.runtime.getPlatformInfo?.();
  }

  private isNeeded(): boolean {
    return this.running > 0 || this.kept.size > 0;
  }

  /** Ends the prover, and closes an offscreen document, after `idleMs` without use. */
  private rest(): void {
    clearTimeout(this.idleTimer);
    this.idleTimer = setTimeout(() => {
      if (this.isNeeded()) {
        this.rest();
        return;
      }
      if (this.isOffscreen && this.closesDocument) {
        void this.close();
        this.platform.closePage();
      } else void this.prover.close();
    }, this.idleMs);
  }
}
