import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('the page of the example lets no frame be in it, of which react-native-webview would not tell', () => {
  const page = readFileSync(new URL('../../../examples/mobile-webview/index.html', import.meta.url), 'utf8');
  const policy = /http-equiv="Content-Security-Policy"\s+content="([^"]*)"/.exec(page)?.[1] ?? '';
  const directives = policy.split(';').map((directive) => directive.trim());
  expect(directives).toContain("default-src 'none'");
  expect(directives.filter((directive) => /^(frame|child|object)-src/.test(directive))).toEqual([]);
});
