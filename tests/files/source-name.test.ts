import { describe, expect, it } from 'vitest';
import { nameOfPath, nameOfUrl } from '../../sdk/files/source-name.js';

describe('nameOfPath', () => {
  it.each([
    ['/home/alice/keys/spend.zkey', 'spend.zkey'],
    ['/keys/', 'keys'],
    ['/', undefined],
    ['', undefined],
    ['/keys/what?#@:.zkey', 'what?#@:.zkey'],
    [`/keys/${'x'.repeat(200)}`, 'x'.repeat(100)],
  ])('is the last part: %j', (path, expected) => {
    expect(nameOfPath(path)).toBe(expected);
  });
});

describe('nameOfUrl', () => {
  it.each([
    ['https://example.com/keys/spend.zkey', 'spend.zkey'],
    ['HTTP://user:password@example.com:8080/spend.zkey?token=secret/a#b/c', 'spend.zkey'],
    ['https://example.com/spend%20key.zkey', 'spend%20key.zkey'],
    ['https://example.com/keys/?key=secret', undefined],
    ['https://example.com/', undefined],
    ['https://example.com', undefined],
    ['https://user:password@example.com?a/secret', undefined],
    ['blob:https://example.com/3f1c', undefined],
    ['data:application/wasm;base64,AGFz/bQEA', undefined],
    ['data:,http://x/y', undefined],
    [`https://example.com/${'x'.repeat(5000)}`, 'x'.repeat(100)],
  ])('is the last part of the path, without secrets: %j', (url, expected) => {
    expect(nameOfUrl(url)).toBe(expected);
  });
});
