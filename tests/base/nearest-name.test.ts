import { describe, expect, it } from 'vitest';
import { nearestName } from '../../sdk/base/nearest-name.js';

describe('nearestName', () => {
  const names = ['prove', 'verify', 'vkey', 'info', 'zkey', 'no-cache'];

  it.each([
    ['prvoe', 'prove'],
    ['Prove', 'prove'],
    ['prov', 'prove'],
    ['ver', 'verify'],
    ['verfiy', 'verify'],
    ['zkye', 'zkey'],
    ['nocache', 'no-cache'],
    ['inof', 'info'],
  ])('finds for %s %s', (given, expected) => {
    expect(nearestName(given, names)).toBe(expected);
  });

  it.each(['', 'x', 'q', 'setup', 'contribute', 'no-verify-at-all'])('finds nothing for %j', (given) => {
    expect(nearestName(given, names)).toBeUndefined();
  });

  it('has nothing among no names', () => {
    expect(nearestName('prove', [])).toBeUndefined();
  });
});
