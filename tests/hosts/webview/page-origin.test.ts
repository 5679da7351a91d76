import { createContext, runInContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { deliver, originOf } from '../../../examples/mobile-webview/react-native/page-origin.js';

/** Which pages the component for react-native-webview talks with. */

describe('the origin of an address', () => {
  it.each([
    'https://wallet.example',
    'https://wallet.example/',
    'https://wallet.example/pippin/index.html?a=https://x/#y',
    'https://wallet.example:443/a',
    'https://wallet.example:8443/a',
    'http://localhost:80/a',
    'http://127.0.0.1:3000?a',
    'https://wallet.example.evil.org/',
    'https://wallet.example-evil.org/',
    'https://wallet.examples/',
  ])('is that of the platform: %s', (url) => {
    expect(originOf(url)).toBe(new URL(url).origin);
  });

  it.each([
    '',
    'https://',
    'https:///a',
    'https://wallet.example@evil.org/',
    'https://wallet.example:443@evil.org/',
    'https://wallet.example:x/',
    'https://wallet.example\\@evil.org/',
    'https://wallet.example\n.evil.org/',
    ' https://wallet.example/',
    'about:blank',
    'javascript:alert(1)//https://wallet.example/',
    'file:///wallet.example/',
    'data:text/html,https://wallet.example/',
    'blob:https://wallet.example/1',
  ])('is none of %j', (url) => {
    expect(originOf(url)).toBeUndefined();
  });
});

describe('a delivered text', () => {
  const pageAt = (origin: string) => {
    const heard: string[] = [];
    const page = createContext({ location: { origin }, pippinReceive: (text: string) => heard.push(text) });
    return { heard, run: (script: string) => runInContext(script, page) };
  };
  const TEXT = '{"a":"\\"); evil(); (\\" \u2028 </script>"}';

  it('arrives at its origin as it is, and is not run', () => {
    const { heard, run } = pageAt('https://wallet.example');
    expect(run(deliver(TEXT, 'https://wallet.example'))).toBe(true);
    expect(heard).toEqual([TEXT]);
  });

  it.each(['https://wallet.example.evil.org', 'http://wallet.example', 'null'])('does not arrive at %s', (origin) => {
    const { heard, run } = pageAt(origin);
    run(deliver(TEXT, 'https://wallet.example'));
    expect(heard).toEqual([]);
  });

  it('waits for nothing where the page has not loaded', () => {
    expect(runInContext(deliver(TEXT, 'null'), createContext({ location: { origin: 'null' } }))).toBe(true);
  });
});
