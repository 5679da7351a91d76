import { expect, it } from 'vitest';
import { fileIdentity } from '../../../sdk/hosts/session/file-identity.js';

it('is the same for one URL, whether it is a string, a URL or the only element of a list', () => {
  const url = 'https://example.org/a.zkey';
  expect(fileIdentity(new URL(url))).toBe(fileIdentity(url));
  expect(fileIdentity([url])).toBe(fileIdentity(url));
  expect(fileIdentity(`${url}b`)).not.toBe(fileIdentity(url));
  expect(fileIdentity([url, url])).not.toBe(fileIdentity(url));
});

it('tells objects of bytes apart, also when their bytes are the same', () => {
  const [a, b] = [new Uint8Array(3), new Uint8Array(3)];
  expect(fileIdentity(a)).toBe(fileIdentity(a));
  expect(fileIdentity(a)).not.toBe(fileIdentity(b));
  // A number is no file's name.
  expect(fileIdentity(a)).not.toBe(fileIdentity(String(JSON.parse(fileIdentity(a))[0][0])));
});

it('compares options by their values, in whatever order', () => {
  expect(fileIdentity('a', { x: 1, y: [2] })).toBe(fileIdentity('a', { y: [2], x: 1 }));
  expect(fileIdentity('a', { x: undefined })).toBe(fileIdentity('a'));
  expect(fileIdentity('a', { x: 1 })).not.toBe(fileIdentity('a'));
});
