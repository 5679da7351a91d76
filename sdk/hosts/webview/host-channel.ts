import { messageOf } from '../../base/errors.js';
import { isForPippin } from './read-message.js';

/** How a native app can give its page a channel. */
export type HostKind =
  /** Android: `WebViewCompat.addWebMessageListener`. Messages arrive as events on the object itself. */
  | 'android-listener'
  /** Android: `addJavascriptInterface`, or a channel of the same form, such as Flutter's. */
  | 'android-interface'
  /** WKWebView: a script message handler, with or without a reply. */
  | 'webkit'
  /** react-native-webview. */
  | 'react-native';

/** A channel to the app that shows this page. */
export interface HostChannel {
  /** How the app gave the page its channel. */
  readonly kind: HostKind;
  /**
   * Sends a text to the app. Throws nothing, even if the app is gone.
   *
   * @param text the message.
   * @returns nothing.
   * @example
   * ```js
   * import { findHostChannel } from 'pippin-prover/webview';
   *
   * findHostChannel()?.post(JSON.stringify({ greeting: 'the page is there' }));
   * ```
   */
  post(text: string): void;
  /**
   * Calls a function with each message of the app. Throws nothing.
   *
   * @param receive called with each message, which is untrusted: validate it.
   * @returns a function that stops listening.
   * @example
   * ```js
   * import { findHostChannel } from 'pippin-prover/webview';
   *
   * const stop = findHostChannel()?.listen((data) => console.log(data));
   * addEventListener('pagehide', () => stop?.());
   * ```
   */
  listen(receive: (data: unknown) => void): () => void;
}

/**
 * The name under which an app adds itself to the page: as listener or interface on Android, as message handler in
 * WKWebView. It is the name of a global variable, or a member of `webkit.messageHandlers`.
 */
export const HOST_NAME = 'pippinHost';

/** The global function that an app calls with a message where it can only run scripts in the page. */
export const RECEIVE_NAME = 'pippinReceive';

/** An object that accepts messages. */
interface Port {
  postMessage(text: string): unknown;
}

/**
 * The channel that the app has added to this page. Throws nothing.
 *
 * @returns the channel; undefined where there is none, as in a browser.
 * @example
 * ```js
 * import { findHostChannel } from 'pippin-prover/webview';
 *
 * const channel = findHostChannel();
 * document.title = channel === undefined ? 'in a browser' : `in an app (${channel.kind})`;
 * ```
 */
export function findHostChannel(): HostChannel | undefined {
  const page = globalThis as Readonly<Record<string, unknown>>;
  const host = page[HOST_NAME];
  if (isPort(host)) {
    return isEventTarget(host) ? listenerChannel(host) : scriptedChannel('android-interface', host);
  }
  const handler = memberOf(memberOf(page.webkit, 'messageHandlers'), HOST_NAME);
  if (isPort(handler)) return scriptedChannel('webkit', handler);
  const reactNative = page.ReactNativeWebView;
  return isPort(reactNative) ? scriptedChannel('react-native', reactNative) : undefined;
}

/** The object of `addWebMessageListener`, which the system injects only for the origins that the app has listed. */
function listenerChannel(host: Port & EventTarget): HostChannel {
  return {
    kind: 'android-listener',
    post: (text) => void send(host, text),
    listen: (receive) => {
      const listener = (event: Event): void => receive((event as MessageEvent).data);
      host.addEventListener('message', listener);
      return () => host.removeEventListener('message', listener);
    },
  };
}

/**
 * A channel whose app answers by running a script (`pippinReceive(text)`) or by `message` events: Android's
 * `postWebMessage` and iOS on the window, react-native-webview for Android on the document. Such an event has neither a
 * source nor an origin; messages of other windows and frames have both and are ignored.
 */
function scriptedChannel(kind: HostKind, port: Port): HostChannel {
  const receivers = new Set<(data: unknown) => void>();
  const receive = (data: unknown): void => {
    for (const each of [...receivers]) each(data);
  };
  const onMessage = (event: Event): void => {
    const { data, origin, source } = event as MessageEvent;
    if (source === null && origin === '' && isForPippin(data)) receive(data);
  };
  return {
    kind,
    post: (text) => {
      const reply = send(port, text);
      // The reply of a message handler is one more message.
      if (reply instanceof Promise) {
        reply.then(
          (data) => isForPippin(data) && receive(data),
          (error) => tellConsole(error),
        );
      }
    },
    listen: (listener) => {
      receivers.add(listener);
      const targets = [globalThis, document] as const;
      for (const target of targets) target.addEventListener('message', onMessage);
      // Only the app and the page's own scripts can call it.
      Object.defineProperty(globalThis, RECEIVE_NAME, { configurable: true, value: receive });
      return () => {
        receivers.delete(listener);
        for (const target of targets) target.removeEventListener('message', onMessage);
        Reflect.deleteProperty(globalThis, RECEIVE_NAME);
      };
    },
  };
}

function send(port: Port, text: string): unknown {
  try {
    return port.postMessage(text);
  } catch (error) {
    tellConsole(error);
    return undefined;
  }
}

function tellConsole(error: unknown): void {
  console.error(`pippin: expected the app to take a message, got an error: ${messageOf(error)}`);
}

function isPort(value: unknown): value is Port {
  return typeof memberOf(value, 'postMessage') === 'function';
}

function isEventTarget(value: unknown): value is EventTarget {
  return typeof memberOf(value, 'addEventListener') === 'function';
}

/** A member of an object or a function; host objects may be either. */
function memberOf(value: unknown, name: string): unknown {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}
