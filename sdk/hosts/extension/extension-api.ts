import { PippinError } from '../../base/errors.js';

/** What is used of `chrome.runtime.Port`. */
export interface ExtensionPort {
  readonly name: string;
  /** Who opened it, on the side that was called. */
  readonly sender?: { readonly id?: string | undefined; readonly url?: string | undefined } | undefined;
  postMessage(message: unknown): void;
  disconnect(): void;
  readonly onMessage: { addListener(listener: (message: unknown) => void): void };
  readonly onDisconnect: { addListener(listener: () => void): void };
}

/** What is used of `chrome`, which Firefox has as well. */
export interface ExtensionApi {
  readonly runtime: {
    /** Undefined in a page of an extension that was reloaded. */
    readonly id?: string | undefined;
    readonly lastError?: unknown;
    getURL(path: string): string;
    connect(info: { readonly name: string }): ExtensionPort;
    readonly onConnect: {
      addListener(listener: (port: ExtensionPort) => void): void;
      removeListener(listener: (port: ExtensionPort) => void): void;
    };
    /** Chrome 116. */
    getContexts?(filter: {
      readonly contextTypes: readonly string[];
    }): Promise<readonly { readonly documentUrl?: string }[]>;
    /** Not in an offscreen document. */
    getPlatformInfo?(): unknown;
  };
  /** Chromium, with the permission `offscreen`. */
  readonly offscreen?:
    | {
        createDocument(parameters: {
          readonly url: string;
          readonly reasons: readonly string[];
          readonly justification: string;
        }): Promise<void>;
      }
    | undefined;
}

/** The API of the extension that this page belongs to. `UNSUPPORTED_ENVIRONMENT` elsewhere. */
export function extensionApi(): ExtensionApi {
  const { chrome } = globalThis as { readonly chrome?: Partial<ExtensionApi> };
  if (typeof chrome?.runtime?.connect === 'function') return chrome as ExtensionApi;
  throw new PippinError(
    'UNSUPPORTED_ENVIRONMENT',
    'expected a page or service worker of an extension, got no chrome.runtime',
    {
      hint: "in a web page, use createProver of 'pippin-prover'",
    },
  );
}

/** Throws `EXTENSION_RELOADED` in a page whose extension was updated, reloaded or disabled. */
export function expectValidContext({ runtime }: ExtensionApi): void {
  if (runtime.id === undefined) throw extensionReloaded();
}

/** Throws `UNSUPPORTED_ENVIRONMENT` in Chromium where no offscreen document can be opened. Firefox has none, and needs none. */
export function expectOffscreenApi({ runtime, offscreen }: ExtensionApi): void {
  if (offscreen !== undefined || !runtime.getURL('/').startsWith('chrome-extension:')) return;
  throw new PippinError('UNSUPPORTED_ENVIRONMENT', 'expected chrome.offscreen, got none', {
    hint: 'the manifest needs the permission "offscreen"; a content script has none, and asks the service worker instead',
  });
}

/** The error of a page whose extension was replaced. */
export function extensionReloaded(cause?: unknown): PippinError {
  return new PippinError(
    'EXTENSION_RELOADED',
    'expected the extension that opened this page, got one that was updated, reloaded or disabled',
    { cause, hint: 'close this page and open it again' },
  );
}
