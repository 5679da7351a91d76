import type { ProverOptions } from '../../api/index.js';
import { describeType, describeValue } from '../../base/describe.js';
import { PippinError } from '../../base/errors.js';
import { OptionReader } from '../../base/option-reader.js';
import { ownMembers } from '../../base/records.js';
import { createProver } from '../page/browser.js';
import { indexedDbJournal, Journal } from '../session/journal.js';
import { type DeviceBudget, deviceBudget } from './device-budget.js';
import { findHostChannel, type HostChannel, type HostKind } from './host-channel.js';
import { PageLifecycle } from './page-lifecycle.js';
import { PageProver, type WebviewCircuit } from './page-prover.js';
import type { ProofResult } from './proof-queue.js';
import { type BackgroundPolicy, ProofServer } from './proof-server.js';
import { encodeMessage, type PageMessage } from './protocol.js';

/** Options of `serveProver`. */
export interface ServeOptions {
  /** The circuits that the app may use, by the names in its messages. */
  readonly circuits: Readonly<Record<string, WebviewCircuit>>;
  /**
   * Options of the page's prover. `threads` and `memoryBudget` default to `deviceBudget`: a sixteenth of
   * `navigator.deviceMemory`, 256 MiB where that is undefined (as on iOS), and a worker for each 64 MiB of it, at most
   * 4.
   *
   * @defaultValue `threads` and `memoryBudget` of `DeviceBudget`
   */
  readonly prover?: Omit<ProverOptions, 'onNotice'>;
  /**
   * How proofs are handled when the app goes to the background. `pause`: the work is stopped and its memory freed,
   * since iOS suspends a webview's process within seconds and rejects its GPU work, and both systems terminate large
   * background apps first; it restarts when the app is back. `abort`: the proof fails with `INTERRUPTED`. `continue`:
   * the work goes on as far as the system permits. The app gets a message in each case.
   *
   * @defaultValue `pause`
   */
  readonly background?: BackgroundPolicy;
  /**
   * Milliseconds that the page may be hidden before `background` takes effect, 0 to 60 000; the default covers a glance
   * at another app.
   *
   * @defaultValue 3000
   */
  readonly backgroundGrace?: number;
  /**
   * Idle milliseconds after which the prover is ended and its memory freed, 0 to 2^31 - 1.
   *
   * @defaultValue 60 000
   */
  readonly idleTimeout?: number;
  /**
   * Whether results are stored in IndexedDB for a day, until the app confirms them (`forget`), so that it can fetch
   * them after the page was reloaded. They are proofs and public signals; inputs are never stored.
   *
   * @defaultValue true
   */
  readonly keepResults?: boolean;
  /**
   * The channel to the app, for platforms that `findHostChannel` does not know.
   *
   * @defaultValue the channel that the app has added to the page
   */
  readonly channel?: HostChannel;
  /**
   * Called with each message that the page sends, to display it.
   *
   * @defaultValue none
   */
  readonly onMessage?: (message: PageMessage) => void;
}

/** A page that serves proofs to its app. */
export interface ProverService {
  /** How the app gave the page its channel. */
  readonly channel: HostKind;
  /** The resources that the page uses. */
  readonly budget: DeviceBudget;
  /**
   * Ends the service as if the page were closed: the app gets `leaving`, and no more answers. Throws nothing;
   * idempotent.
   *
   * @returns nothing.
   * @example
   * ```js
   * import { serveProver } from 'pippin-prover/webview';
   *
   * const service = await serveProver({ circuits: { spend: { zkey: 'spend.zkey', wasm: 'spend.wasm' } } });
   * addEventListener('beforeunload', () => service.close());
   * ```
   */
  close(): void;
}

/** The database of results. */
const JOURNAL = 'pippin-webview';
const POLICIES: readonly BackgroundPolicy[] = ['pause', 'abort', 'continue'];
const GRACE_MS = 3000;
const MOST_GRACE_MS = 60_000;
const IDLE_MS = 60_000;
const MOST_TIMEOUT_MS = 2 ** 31 - 1;

/**
 * Serves proofs from this page to the native app whose webview shows it, by the messages of `HostMessage` and
 * `PageMessage` (docs/webview.md).
 *
 * @param options the circuits, and how proofs are handled in the background.
 * @returns the service, which `close` ends.
 * @throws {PippinError} INVALID_ARGUMENT for options out of range.
 * @throws {PippinError} UNSUPPORTED_ENVIRONMENT where the page is a frame in another one, or no app has added a
 * channel.
 * @example
 * ```js
 * import { serveProver } from 'pippin-prover/webview';
 *
 * await serveProver({
 *   circuits: { spend: { zkey: 'spend.zkey', wasm: 'spend.wasm', keyOptions: { sha256: SPEND_ZKEY_SHA256 } } },
 *   background: 'pause',
 * });
 * ```
 */
export async function serveProver(options: ServeOptions): Promise<ProverService> {
  const reader = new OptionReader(options, 'the options of serveProver');
  const circuits = circuitsOf(reader);
  const given = (reader.read('prover') ?? undefined) as ServeOptions['prover'];
  const own = new OptionReader(given, 'prover');
  const background = reader.word('background', POLICIES) ?? 'pause';
  const graceMs = reader.number('backgroundGrace', 0, MOST_GRACE_MS, 'milliseconds') ?? GRACE_MS;
  const idleMs = reader.number('idleTimeout', 0, MOST_TIMEOUT_MS, 'milliseconds') ?? IDLE_MS;
  const keepResults = reader.flag('keepResults', true);
  const listener = reader.listener<PageMessage>('onMessage');
  const budget = budgetOf(own);
  const channel = channelOf(reader);

  const post = (message: Parameters<typeof encodeMessage>[0]): void => {
    const text = encodeMessage(message);
    channel.post(text);
    listener?.tell(JSON.parse(text) as PageMessage);
  };
  const open = () =>
    createProver({
      ...given,
      ...budget,
      // A circuit's log may show its inputs.
      onNotice: ({ code, message }) => code !== 'CIRCUIT_LOG' && post({ type: 'notice', code, message }),
    });
  const prover = new PageProver(open, idleMs);
  const journal = new Journal<ProofResult>(keepResults ? indexedDbJournal(JOURNAL) : undefined);
  await journal.open();
  const lifecycle: PageLifecycle = new PageLifecycle(
    { window: globalThis, document },
    {
      onVisible: () => server.onVisible(),
      onHidden: () => server.onHidden(),
      onFreeze: () => server.onFreeze(),
      onResume: () => server.onResume(),
      onLeave: () => server.onLeave(),
    },
  );
  const server = new ProofServer(
    {
      circuits,
      background,
      graceMs,
      budget,
      isVisible: () => lifecycle.isVisible,
      setVisible: (visible) => lifecycle.setVisible(visible),
      post,
    },
    prover,
    journal,
  );
  const stops = [lifecycle.watch(), channel.listen((data) => server.receive(data))];
  server.greet();
  return {
    channel: channel.kind,
    budget,
    close: () => {
      for (const stop of stops) stop();
      server.close();
    },
  };
}

function circuitsOf(options: OptionReader): Readonly<Record<string, WebviewCircuit>> {
  const circuits = options.read('circuits');
  if (typeof circuits !== 'object' || circuits === null) throw options.wrong('circuits', 'an object', circuits);
  const reader = new OptionReader(circuits, 'circuits');
  const named = reader.names().map((name) => {
    const circuit = reader.read(name);
    const own = ownMembers(circuit);
    if (!('zkey' in own) || !('wasm' in own)) throw options.wrong(`circuits.${name}`, '{ zkey, wasm }', circuit);
    return [name, own as unknown as WebviewCircuit] as const;
  });
  return Object.fromEntries(named);
}

function budgetOf(prover: OptionReader): DeviceBudget {
  const { deviceMemory, hardwareConcurrency } = navigator as Navigator & { readonly deviceMemory?: number };
  const memoryBudget = prover.number('memoryBudget', 1, Number.MAX_SAFE_INTEGER, 'bytes');
  const threads = prover.integer('threads', 0, 64);
  return deviceBudget(
    { memory: deviceMemory, cores: hardwareConcurrency },
    { ...(memoryBudget === undefined ? {} : { memoryBudget }), ...(threads === undefined ? {} : { threads }) },
  );
}

function channelOf(options: OptionReader): HostChannel {
  // In a frame, another page could stand between the app and this one.
  if (globalThis.parent !== globalThis.window) {
    throw new PippinError('UNSUPPORTED_ENVIRONMENT', 'expected the page of a webview, got a frame in another page');
  }
  const given = options.read('channel') ?? undefined;
  if (given !== undefined) {
    const { post, listen } = given as Partial<HostChannel>;
    if (typeof post !== 'function' || typeof listen !== 'function') {
      throw options.wrong('channel', '{ kind, post, listen }', describeType(given));
    }
    return given as HostChannel;
  }
  const found = findHostChannel();
  if (found === undefined) {
    throw new PippinError(
      'UNSUPPORTED_ENVIRONMENT',
      `expected a channel of the app that shows this page, got none at ${describeValue(globalThis.location?.origin)}`,
      { hint: 'let the app add pippinHost to this origin before it loads the page, or use react-native-webview' },
    );
  }
  return found;
}
