/**
 * The origin of an http or https address as `location.origin` has it; undefined for any other text. React Native's own `URL` does not tell origins, and the
 * component's `originWhitelist` compares beginnings: `https://wallet.example` lets `https://wallet.example.evil.org` pass.
 */
export function originOf(url: string): string | undefined {
  // What follows the host ends it: neither `@`, before which a name would stand, nor a backslash.
  const [, scheme, host, port] = /^(https?):\/\/([a-z0-9.-]+)(?::(\d+))?(?:[/?#]|$)/.exec(url) ?? [];
  if (scheme === undefined) return undefined;
  const isUsual = port === undefined || port === (scheme === 'https' ? '443' : '80');
  return `${scheme}://${host}${isUsual ? '' : `:${port}`}`;
}

/**
 * The script that gives a text to the page of an origin, and to no other that may have taken its place meanwhile. JSON is a part of JavaScript, so
 * that nothing in the text can be run. There is no function before the page has loaded.
 */
export function deliver(text: string, origin: string): string {
  return `if (location.origin === ${JSON.stringify(origin)}) globalThis.pippinReceive?.(${JSON.stringify(text)}); true;`;
}
