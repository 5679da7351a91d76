import { describe, expect, it } from 'vitest';
import { isComparable, isSameVersion, versionOf } from '../../sdk/files/url-version.js';

const NOW = Date.UTC(2026, 10, 22, 12);
const OLD = new Date(NOW - 3_600_000).toUTCString();
const RECENT = new Date(NOW - 30_000).toUTCString();

type Headers = Record<string, string>;
const version = (headers: Headers, url = 'https://a.example/key') =>
  versionOf({ url, headers: new globalThis.Headers(headers) }, NOW);

describe('the version of a file at a URL', () => {
  it.each<[what: string, headers: Headers, isKnown: boolean]>([
    ['a strong ETag', { etag: '"a"' }, true],
    ['a strong ETag and a length', { etag: '"a"', 'content-length': '9' }, true],
    ['a weak ETag', { etag: 'W/"a"' }, false],
    ['a weak ETag and a length', { etag: 'W/"a"', 'content-length': '9' }, false],
    ['a weak ETag, a length and an old time', { etag: 'W/"a"', 'content-length': '9', 'last-modified': OLD }, true],
    ['an empty ETag', { etag: '""' }, false],
    ['an ETag without quotes', { etag: 'a' }, false],
    ['an old time and a length', { 'content-length': '9', 'last-modified': OLD }, true],
    ['an old time without a length', { 'last-modified': OLD }, false],
    ['a recent time', { 'content-length': '9', 'last-modified': RECENT }, false],
    [
      'a time that is recent by the server’s own clock',
      { 'content-length': '9', 'last-modified': OLD, date: new Date(NOW - 3_590_000).toUTCString() },
      false,
    ],
    ['a time to come', { 'content-length': '9', 'last-modified': new Date(NOW + 1e6).toUTCString() }, false],
    ['the time of a file without one', { 'content-length': '9', 'last-modified': new Date(0).toUTCString() }, false],
    ['a time that is none', { 'content-length': '9', 'last-modified': 'yesterday' }, false],
    ['a length alone', { 'content-length': '9' }, false],
    ['nothing', {}, false],
  ])('%s', (_, headers, isKnown) => {
    expect(isComparable(version(headers))).toBe(isKnown);
    expect(isSameVersion(version(headers), version(headers))).toBe(isKnown);
  });

  const known: Headers = { etag: '"a"', 'content-length': '9', 'last-modified': OLD };
  it.each<[what: string, now: Headers, url?: string]>([
    ['ETag', { ...known, etag: '"b"' }],
    ['ETag, which has become weak,', { ...known, etag: 'W/"a"' }],
    ['ETag, which is no longer sent,', { 'content-length': '9', 'last-modified': OLD }],
    ['length', { ...known, 'content-length': '8' }],
    ['final URL', known, 'https://b.example/key'],
  ])('is another one with another %s', (_, now, url) => {
    expect(isSameVersion(version(known), version(now, url))).toBe(false);
  });

  it('without ETag is another one with another time', () => {
    const { etag, ...times } = known;
    const later = { ...times, 'last-modified': new Date(NOW - 7_200_000).toUTCString() };
    expect(isSameVersion(version(times), version(later))).toBe(false);
    expect(isSameVersion(version(times), version({ 'last-modified': OLD }))).toBe(false);
  });
});
