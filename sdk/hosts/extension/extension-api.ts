import { messageOf, PippinError } from '../../base/errors.js';

/** The used part of `chrome.runtime.Port`. */
export interface ExtensionPort {
  readonly name: string;
  /** Who opened it, on the side that was called. */
  readonly sender?: { readonly id?: string | undefined; readonly url?: string | undefined } | undefined;
  postMessage(message: unknown): void;
  disconnect(): void;
  readonly onMessage: { addListener(listener: (message: unknown) => void): void };
  readonly onDisconnect: { addListener(listener: () => void): void };
}

/** The used part of `chrome`, which Firefox has as well. */
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

/**
 * Throws `UNSUPPORTED_ENVIRONMENT` in Chromium where no offscreen document can be opened. Firefox has none, and needs
 * none.
 */
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

/**
 * Opens the extension's offscreen document unless it is open or another page is opening it. Does nothing in Firefox.
 */
export async function openOffscreenDocument(
  { runtime, offscreen }: ExtensionApi,
  url: string,
  justification: string,
): Promise<void> {
  if (offscreen === undefined) return;
  const open = await offscreenUrl(runtime);
  if (open === url) return;
  // A document that another page is just opening has no URL of the extension yet.
  if (open?.startsWith(runtime.getURL('/'))) {
    throw new PippinError('UNSUPPORTED_ENVIRONMENT', `expected ${url} as the offscreen document, got ${open}`, {
      hint: 'an extension has one offscreen document: call serveProver() in it, and give its path as `document` of connectProver',
    });
  }
  try {
    await offscreen.createDocument({ url, reasons: ['WORKERS'], justification });
  } catch (cause) {
    // Another page was faster. Chromium has no other indication.
    if (/single offscreen/i.test(messageOf(cause))) return;
    throw new PippinError(
      'UNSUPPORTED_ENVIRONMENT',
      `expected the offscreen document ${url} to open: ${messageOf(cause)}`,
      {
        cause,
        hint: 'the page must be in the extension, and its scripts must run without an error',
      },
    );
  }
}

/** The URL of the open offscreen document, if the browser reports it. */
export async function offscreenUrl(runtime: ExtensionApi['runtime']): Promise<string | undefined> {
  const contexts = await runtime.getContexts?.({ contextTypes: ['OFFSCREEN_DOCUMENT'] });
  return contexts?.[0]?.documentUrl;
}
