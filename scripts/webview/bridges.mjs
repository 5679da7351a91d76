/**
 * The bridges of the platforms, as their systems add them to a page. `add` runs in the page before its own scripts and leads what the page
 * sends to `toApp`; `deliver` runs in the page and gives it a message of the app. Both are sent to the browser as text, so that they use nothing
 * from outside of themselves.
 *
 * @typedef {{ name: string, shown: string, add: () => void, deliver: (text: string) => void }} Bridge
 */

/** WebViewCompat.addWebMessageListener: an object with events of its own, on the main frame of the origins that the app names. @type {Bridge} */
export const androidListener = {
  name: 'Android, addWebMessageListener',
  shown: 'Android, message listener',
  add: () => {
    if (location.origin !== 'https://appassets.androidplatform.net') return;
    class Host extends EventTarget {
      postMessage(/** @type {unknown} */ data) {
        if (typeof data !== 'string') throw new TypeError('expected a string');
        void globalThis.toApp(data);
      }
    }
    globalThis.pippinHost = new Host();
  },
  deliver: (text) => globalThis.pippinHost.dispatchEvent(new MessageEvent('message', { data: text })),
};

/** addJavascriptInterface: methods that take strings, on every frame. The app answers by evaluateJavascript. @type {Bridge} */
export const androidInterface = {
  name: 'Android, addJavascriptInterface and evaluateJavascript',
  shown: 'Android, JavaScript interface',
  add: () => {
    globalThis.pippinHost = { postMessage: (/** @type {unknown} */ data) => void globalThis.toApp(String(data)) };
  },
  deliver: (text) => globalThis.pippinReceive(text),
};

/** The same, where the app answers by postWebMessage: an event on the window, without source and origin. @type {Bridge} */
export const androidPostWebMessage = {
  ...androidInterface,
  name: 'Android, addJavascriptInterface and postWebMessage',
  deliver: (text) => window.dispatchEvent(new MessageEvent('message', { data: text })),
};

/** WKScriptMessageHandler: takes what can be cloned. The app answers by callAsyncJavaScript. @type {Bridge} */
export const webkitHandler = {
  name: 'WKWebView, script message handler',
  shown: 'WKWebView, message handler',
  add: () => {
    const postMessage = (/** @type {unknown} */ body) => {
      void globalThis.toApp(String(structuredClone(body)));
      return undefined;
    };
    globalThis.webkit = { messageHandlers: { pippinHost: { postMessage } } };
  },
  deliver: (text) => globalThis.pippinReceive(text),
};

/** WKScriptMessageHandlerWithReply: each message is answered by a promise; here the next message of the app is the answer. @type {Bridge} */
export const webkitReply = {
  name: 'WKWebView, script message handler with reply',
  shown: 'WKWebView, message handler',
  add: () => {
    const waiting = /** @type {string[]} */ ([]);
    const asking = /** @type {((text: string | null) => void)[]} */ ([]);
    const postMessage = async (/** @type {unknown} */ body) => {
      void globalThis.toApp(String(structuredClone(body)));
      return waiting.shift() ?? new Promise((resolve) => asking.push(resolve));
    };
    globalThis.webkit = { messageHandlers: { pippinHost: { postMessage } } };
    globalThis.reply = (/** @type {string} */ text) => {
      const answer = asking.shift();
      if (answer === undefined) waiting.push(text);
      else answer(text);
    };
  },
  deliver: (text) => globalThis.reply(text),
};

/** react-native-webview on iOS: one string to the app, an event on the window from it. @type {Bridge} */
export const reactNativeIos = {
  name: 'react-native-webview, iOS',
  shown: 'react-native-webview',
  add: () => {
    globalThis.ReactNativeWebView = {
      postMessage: (/** @type {unknown} */ data) => void globalThis.toApp(String(data)),
    };
  },
  deliver: (text) => window.dispatchEvent(new MessageEvent('message', { data: text })),
};

/** react-native-webview on Android: the event comes on the document. @type {Bridge} */
export const reactNativeAndroid = {
  ...reactNativeIos,
  name: 'react-native-webview, Android',
  deliver: (text) => document.dispatchEvent(new MessageEvent('message', { data: text })),
};

export const BRIDGES = [
  androidListener,
  androidInterface,
  androidPostWebMessage,
  webkitHandler,
  webkitReply,
  reactNativeIos,
  reactNativeAndroid,
];
