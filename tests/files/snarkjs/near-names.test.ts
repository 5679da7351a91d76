import { describe, expect, it } from 'vitest';
import { namesNear } from '../../../sdk/files/witness/circom2-inputs.js';

const isNear = (name: string, written: string): boolean => [...namesNear([written])].includes(name);

describe('namesNear', () => {
  it.each([
    ['secret', 'secert'],
    ['secret', 'secre'],
    ['secret', 'ecret'],
    ['secret', 'secrett'],
    ['secret', 'Secret'],
    ['secret', 'SECRET'],
    ['leaf2', 'leaf1'],
    ['leaf', 'leaf1'],
    ['pathIndices', 'path_indices'],
    ['path_indices', 'pathIndices'],
    ['a', 'b'],
    ['a', 'anything'],
    ['_0', '_1'],
  ])('has %s for %s', (name, written) => {
    expect(isNear(name, written)).toBe(true);
  });

  it.each([
    ['secret', 'sceert'],
    ['path', 'root'],
    ['secret', ''],
  ])('does not have %s for %s', (name, written) => {
    expect(isNear(name, written)).toBe(false);
  });

  it('has few names, however many and long ones were written', () => {
    const long = 'a'.repeat(40);
    let count = 0;
    for (const _ of namesNear(Array.from({ length: 1000 }, (_, i) => `${long.slice(4)}${i + 1000}`))) count++;
    expect(count).toBeLessThan(100_000);
    expect([...namesNear([`${long}a`])]).toEqual([...namesNear([])]);
  });
});
