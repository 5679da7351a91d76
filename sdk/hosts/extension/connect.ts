import type { AnyProveResult, CircuitInputs } from '../../api/index.js';
import type { Notice, ProgressEvent } from '../../api/progress.js';
import { CallerSignal } from '../../base/abort.js';
import { describeType } from '../../base/describe.js';
import { PippinError } from '../../base/errors.js';
import type { Listener } from '../../base/listener.js';
import { OptionReader } from '../../base/option-reader.js';
import { isObject } from '../../base/records.js';
import { plainCopy } from '../../files/plain-copy.js';
import { plainInputs } from '../../files/witness/circuit-inputs.js';
import type { Protocol } from '../../proofs/parts.js';
import type { ConnectOptions, ExtensionGroth16, ExtensionKey, ExtensionProver } from './api.js';
import { Connection, NOT_TAKEN } from './connection.js';
import {
  type ExtensionApi,
  expectOffscreenApi,
  expectValidContext,
  extensionApi,
  offscreenUrl,
  openOffscreenDocument,
} from './extension-api.js';
import {
  type Args,
  checkedId,
  jsonInputs,
  type KeyRequest,
  type Method,
  type PlainOptions,
  type ProveArgs,
  type Result,
  toBase64,
  unknownId,
} from './messages.js';
import type { ExtensionFile, KeyFile } from './request-api.js';
import type { ExtensionFflonk, ExtensionFflonkKey, ExtensionPlonk, ExtensionPlonkKey } from './universal-api.js';

/**
 * The back-off before each attempt to reach the document, in milliseconds. It may be closing, or loading because
 * another page opened it; in Firefox the background page may have to wake.
 */
const TRY_AFTER_MS = [0, 20, 50, 100, 200, 400, 800, 1_500, 3_000];
/** The retries of a call whose connection ended before the call arrived. */
const MAX_REPEATS = 2;
/** The call options that this side reads; the document's prover reads the others. */
const OWN_OPTIONS = ['signal', 'onProgress', 'transfer', 'id'];

/** A loaded key, and a proof system of the document, without the types that follow from the protocol. */
type AnyKey = ExtensionKey | ExtensionPlonkKey | ExtensionFflonkKey;
interface ExtensionSystem {
  loadKey(zkey: KeyFile['zkey'], options?: object): Promise<AnyKey>;
  prove(
    key: AnyKey | KeyFile,
    witness: Uint8Array | ArrayBuffer | ExtensionFile,
    options?: object,
  ): Promise<Result<'prove'>>;
  fullProve(
    key: AnyKey | KeyFile,
    inputs: CircuitInputs,
    wasm: ExtensionFile,
    options?: object,
  ): Promise<Result<'prove'>>;
  verify(verificationKey: unknown, publicSignals: unknown, proof: unknown, options?: object): Promise<boolean>;
}

/** The keys that `loadKey` has given, and what each is loaded from. */
const loadedKeys = new WeakMap<object, { readonly request: KeyRequest; isDisposed: boolean }>();

/**
 * The prover of this extension's document, for a popup, a service worker, a background page or any other page of the
 * extension. It connects at the first call, and reconnects after the document was closed. A service worker must create
 * it at each start.
 *
 * @param options which page proves, and a listener for notices.
 * @returns the prover of the document.
 * @throws {PippinError} INVALID_ARGUMENT for options of a wrong type.
 * @throws {PippinError} UNSUPPORTED_ENVIRONMENT outside of an extension.
 * @example
 * ```js
 * import { connectProver } from 'pippin-prover/extension';
 *
 * const justification = 'Makes zero-knowledge proofs in workers.';
 * const prover = connectProver({ document: 'offscreen.html', justification });
 * const spend = { zkey: 'keys/spend.zkey' };
 * const { proof, publicSignals } = await prover.groth16.fullProve(spend, inputs, 'keys/spend.wasm');
 * ```
 */
export function connectProver(options: ConnectOptions = {}): ExtensionProver {
  return connectProverOn(extensionApi(), options);
}

/** `connectProver` with the extension's API. */
export function connectProverOn(api: ExtensionApi, options: ConnectOptions): ExtensionProver {
  const reader = new OptionReader(options, 'the options of connectProver');
  const document = textOption(reader, 'document') ?? 'offscreen.html';
  const justification = textOption(reader, 'justification') ?? 'Computes zero-knowledge proofs in workers.';
  return new ConnectedProver(api, document, justification, reader.listener<Notice>('onNotice'));
}

class ConnectedProver implements ExtensionProver {
  #connection: Promise<Connection> | undefined;
  #disconnected: PippinError | undefined;

  constructor(
    private readonly api: ExtensionApi,
    private readonly document: string,
    private readonly justification: string,
    private readonly onNotice: Listener<Notice> | undefined,
  ) {}

  readonly groth16 = this.systemOf('groth16') as ExtensionGroth16;
  readonly plonk = this.systemOf('plonk') as ExtensionPlonk;
  readonly fflonk = this.systemOf('fflonk') as ExtensionFflonk;

  async capabilities(): Promise<Result<'capabilities'>> {
    return this.call('capabilities', {});
  }

  async proofs(): Promise<Result<'proofs'>> {
    return (await this.hasDocument()) ? this.call('proofs', {}) : [];
  }

  async result<Result extends AnyProveResult>(id: string, options?: object): Promise<Result> {
    const reader = new OptionReader(options, 'the options of result');
    const known = checkedId(id);
    if (!(await this.hasDocument())) throw unknownId();
    return (await this.call('result', { id: known }, reader)) as Result;
  }

  async discard(id: string): Promise<void> {
    const known = checkedId(id);
    if (await this.hasDocument()) await this.call('discard', { id: known });
  }

  async clearCache(): Promise<void> {
    await this.call('clearCache', {});
  }

  disconnect(): void {
    if (this.#disconnected !== undefined) return;
    const error = new PippinError('DISPOSED', 'expected a connected prover, got one after disconnect()');
    this.#disconnected = error;
    void this.#connection?.then(
      (connection) => connection.end(error),
      () => undefined,
    );
  }

  /** A proof system. All have the same methods, each for its keys and proofs. */
  private systemOf(protocol: Protocol): ExtensionSystem {
    return {
      loadKey: async (zkey, options) => {
        const reader = new OptionReader(options, 'the options of loadKey');
        const request = this.keyRequest(protocol, zkey, reader);
        // A key that arrives after the abort has no handle here, so it is released at once.
        const onLate = (): void => void this.call('releaseKey', { key: request }).catch(() => undefined);
        const facts = await this.call('loadKey', { key: request }, reader, onLate);
        const key: AnyKey = { ...facts, dispose: () => this.release(key) };
        loadedKeys.set(key, { request, isDisposed: false });
        return key;
      },
      prove: async (key, witness, options) => {
        const work = isBytes(witness)
          ? { witnessBase64: base64Of(witness) }
          : { witnessUrl: this.urlOf(witness, 'a witness') };
        return this.prove(this.requestOf(protocol, key), work, new OptionReader(options, 'the options of prove'));
      },
      fullProve: async (key, inputs, wasm, options) => {
        const work = {
          inputs: jsonInputs(plainInputs(inputs)) as CircuitInputs,
          wasm: this.urlOf(wasm, "a circuit's WASM"),
        };
        return this.prove(this.requestOf(protocol, key), work, new OptionReader(options, 'the options of fullProve'));
      },
      verify: async (verificationKey, publicSignals, proof, options) => {
        const reader = new OptionReader(options, 'the options of verify');
        const args = {
          protocol,
          verificationKey: plainJson(verificationKey, 'a verification key'),
          publicSignals: plainJson(publicSignals, 'public signals'),
          proof: plainJson(proof, 'a proof'),
          options: plainOptions(reader),
        };
        return this.call('verify', args, reader);
      },
    };
  }

  private async prove(key: KeyRequest, work: ProveArgs['work'], reader: OptionReader): Promise<Result<'prove'>> {
    const id = reader.read('id') ?? undefined;
    const request: ProveArgs = { key, work, options: plainOptions(reader) };
    return this.call('prove', id === undefined ? request : { ...request, id: checkedId(id) }, reader);
  }

  private async release(key: AnyKey): Promise<void> {
    const loaded = loadedKeys.get(key)!;
    if (loaded.isDisposed) return;
    loaded.isDisposed = true;
    if (this.#disconnected === undefined && (await this.hasDocument()))
      await this.call('releaseKey', { key: loaded.request });
  }

  /**
   * Makes a call, and retries it if the document closed before receiving it.
   *
   * @param onLate called when the answer arrives after the call was aborted.
   */
  private async call<M extends Method>(
    method: M,
    args: Args<M>,
    reader?: OptionReader,
    onLate?: () => void,
  ): Promise<Result<M>> {
    const signal = new CallerSignal(reader?.read('signal'));
    const listener = reader?.listener<ProgressEvent>('onProgress');
    signal.throwIfAborted();
    let abort: () => void = () => undefined;
    let aborted = false;
    const work = async (): Promise<unknown> => {
      for (let repeats = 0; ; repeats++) {
        const connection = await this.connection();
        // The caller has its error; nobody awaits this.
        if (aborted) return undefined;
        const { number, answer } = connection.call(
          method,
          args,
          listener && ((event) => aborted || listener.tell(event)),
        );
        abort = () => connection.abort(number);
        const value = await answer;
        if (value !== NOT_TAKEN) {
          if (aborted) onLate?.();
          return value;
        }
        if (repeats === MAX_REPEATS) throw noAnswer(this.document);
      }
    };
    return new Promise<Result<M>>((resolve, reject) => {
      const stopListening = signal.onAbort((error) => {
        aborted = true;
        reject(error);
        abort();
      });
      work()
        .then((value) => resolve(value as Result<M>), reject)
        .finally(stopListening);
    });
  }

  /** The open connection, or a new one. Concurrent calls share it. */
  private async connection(): Promise<Connection> {
    if (this.#disconnected !== undefined) throw this.#disconnected;
    const open = this.#connection;
    if (
      open !== undefined &&
      (await open.then(
        ({ isOpen }) => isOpen,
        () => false,
      ))
    )
      return open;
    // Another call may have opened one meanwhile.
    if (this.#connection === open) this.#connection = this.connect();
    return this.#connection!;
  }

  private async connect(): Promise<Connection> {
    const { api, document, justification } = this;
    const url = api.runtime.getURL(document);
    for (const ms of TRY_AFTER_MS) {
      if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
      expectValidContext(api);
      await openOffscreenDocument(api, url, justification);
      const offscreen = api.offscreen === undefined ? null : url;
      const connection = new Connection(api, offscreen, (notice) => this.onNotice?.tell(notice));
      const isOpen = await connection.opened;
      if (this.#disconnected !== undefined) {
        connection.end(this.#disconnected);
        throw this.#disconnected;
      }
      if (isOpen) return connection;
      expectOffscreenApi(api);
    }
    throw noAnswer(document);
  }

  /** Whether there may be a document. Firefox always has the background page, or wakes it. */
  private async hasDocument(): Promise<boolean> {
    const { runtime, offscreen } = this.api;
    expectValidContext(this.api);
    return offscreen === undefined || runtime.getContexts === undefined || (await offscreenUrl(runtime)) !== undefined;
  }

  /** The key of a proof: one that is loaded, or a file that is loaded for it. */
  private requestOf(protocol: Protocol, key: unknown): KeyRequest {
    const loaded = isObject(key) ? loadedKeys.get(key) : undefined;
    if (loaded?.isDisposed) throw new PippinError('DISPOSED', 'expected a loaded key, got one that was disposed');
    if (loaded !== undefined) {
      const { request } = loaded;
      if (request.protocol === protocol) return request;
      throw new PippinError('INVALID_HANDLE', `expected a ${protocol} key, got one of ${request.protocol}`);
    }
    if (!isObject(key) || !Object.hasOwn(key, 'zkey')) {
      throw new PippinError('INVALID_ARGUMENT', `expected a key of loadKey, or { zkey }, got ${describeType(key)}`);
    }
    const reader = new OptionReader(key, 'the key');
    const zkey = reader.read('zkey') as KeyFile['zkey'];
    const options = reader.read('options');
    reader.expectNoOthers();
    return this.keyRequest(protocol, zkey, new OptionReader(options, 'the options of the key'));
  }

  private keyRequest(protocol: Protocol, zkey: KeyFile['zkey'], options: OptionReader): KeyRequest {
    return {
      protocol,
      urls: (Array.isArray(zkey) ? zkey : [zkey]).map((file) => this.urlOf(file, 'a .zkey')),
      isChunked: Array.isArray(zkey),
      options: plainOptions(options),
    };
  }

  private urlOf(file: ExtensionFile, what: string): string {
    try {
      if (typeof file === 'string' || file instanceof URL) return new URL(file, this.api.runtime.getURL('/')).href;
    } catch (cause) {
      throw new PippinError('INVALID_ARGUMENT', `expected ${what} at a valid URL, got one that cannot be used`, {
        cause,
      });
    }
    throw new PippinError('INVALID_ARGUMENT', `expected ${what} as a path or URL, got ${describeType(file)}`, {
      hint: 'the document reads files itself: give the path of a file in the extension',
    });
  }
}

function noAnswer(document: string): PippinError {
  return new PippinError('PROVER_LOST', `expected ${document} to answer, got no answer`, {
    hint:
      `Chromium: the manifest needs the permission "offscreen", and ${document} a script that calls serveProver() while it loads; ` +
      'Firefox: a script of the background page calls it',
  });
}

/** The call options that the document's prover reads. */
function plainOptions(reader: OptionReader): PlainOptions {
  const names = reader.names().filter((name) => !OWN_OPTIONS.includes(name));
  const form = { code: 'INVALID_ARGUMENT', whole: 'an option', single: 'a value' } as const;
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = reader.read(name);
      return value === undefined ? [] : [[name, plainCopy(value, { ...form, whole: name })]];
    }),
  );
}

function plainJson(value: unknown, whole: string): unknown {
  return plainCopy(value, { code: 'MALFORMED_FILE', whole, single: 'JSON' });
}

function textOption(reader: OptionReader, name: string): string | undefined {
  const value = reader.read(name) ?? undefined;
  if (value !== undefined && typeof value !== 'string') throw reader.wrong(name, 'a string', value);
  return value;
}

/** The maximum size of a witness in a message: as base64 it leaves room for the key and the options. */
const MAX_BYTES = 47 * 2 ** 20;

function base64Of(bytes: Uint8Array | ArrayBuffer): string {
  if (bytes.byteLength <= MAX_BYTES) return toBase64(bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes));
  throw new PippinError('INVALID_LENGTH', `expected a witness of at most ${MAX_BYTES} bytes, got ${bytes.byteLength}`, {
    hint: 'give it by a URL that the document can fetch, such as one of URL.createObjectURL',
  });
}

function isBytes(value: unknown): value is Uint8Array | ArrayBuffer {
  return value instanceof Uint8Array || value instanceof ArrayBuffer;
}
