import { connectProver, type ProverConnection } from 'pippin-prover/webview-client';
import { forwardRef, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { AppState, Platform, StyleSheet } from 'react-native';
import { WebView, type WebViewMessageEvent } from 'react-native-webview';
import { deliver, originOf } from './page-origin';

/** What a wallet calls through the component's ref. */
export type PippinWebViewHandle = Pick<ProverConnection, 'prove'>;

export interface PippinWebViewProps {
  /**
   * Where the page is: an https address of yours, or a server within the app. The WebView component has no WebViewAssetLoader and no scheme handler of
   * its own, and file: addresses will not do: the page's modules and workers do not load from there.
   */
  readonly page: string;
}

/**
 * The page of examples/mobile-webview, invisible, behind a ref with `prove`. It is mounted as long as proofs may be wanted; the prover in it is
 * opened with the first one.
 */
export const PippinWebView = forwardRef<PippinWebViewHandle, PippinWebViewProps>(function PippinWebView({ page }, ref) {
  const view = useRef<WebView<object>>(null);
  /** Counts the lives of the webview: after its process has died on Android, only a new one will do. */
  const [life, setLife] = useState(0);
  const connection = useRef<ProverConnection>(undefined);
  /** The address of what the webview shows, as it tells. */
  const shown = useRef('');
  const origin = originOf(page);
  if (origin === undefined) throw new Error('expected page as an http or https address with its host in lower case');
  useImperativeHandle(ref, () => ({ prove: (...args) => connection.current!.prove(...args) }), []);

  useEffect(() => {
    const connected = connectProver({
      send: (text) => {
        if (originOf(shown.current) === origin) view.current?.injectJavaScript(deliver(text, origin));
      },
    });
    connection.current = connected;
    const states = AppState.addEventListener('change', (state) => {
      // `inactive` (a call, the app switcher) lasts a moment, and the page goes on.
      if (state !== 'inactive') connected.setVisible(state === 'active');
    });
    const warnings = AppState.addEventListener('memoryWarning', () => connected.trim('moderate'));
    return () => {
      states.remove();
      warnings.remove();
      connected.close();
    };
  }, [origin]);

  return (
    <WebView
      key={life}
      ref={view}
      source={{ uri: page }}
      // Only the page's own origin is loaded, and only its messages are taken. The list lets all pass, since it compares beginnings and has other addresses
      // opened in the browser.
      originWhitelist={['*']}
      onShouldStartLoadWithRequest={({ url }) => originOf(url) === origin}
      onNavigationStateChange={({ url }) => {
        shown.current = url;
      }}
      onMessage={({ nativeEvent }: WebViewMessageEvent) => {
        if (originOf(nativeEvent.url) === origin) connection.current?.receive(nativeEvent.data);
      }}
      // IndexedDB: prepared keys, and results that were made before the page was loaded again.
      domStorageEnabled
      cacheEnabled
      javaScriptEnabled
      allowFileAccess={false}
      setSupportMultipleWindows={false}
      webviewDebuggingEnabled={false}
      // The process of the page died, or was killed for its memory: iOS loads again, Android needs another view.
      onContentProcessDidTerminate={() => {
        connection.current?.pageLost();
        view.current?.reload();
      }}
      onRenderProcessGone={() => {
        connection.current?.pageLost();
        setLife((count) => count + 1);
      }}
      containerStyle={styles.view}
      pointerEvents="none"
      accessibilityElementsHidden
      importantForAccessibility={Platform.OS === 'android' ? 'no-hide-descendants' : 'auto'}
    />
  );
});

const styles = StyleSheet.create({
  // In the window and with an area: a webview without either is taken for one in the background.
  view: { position: 'absolute', width: 1, height: 1, opacity: 0.01 },
});
