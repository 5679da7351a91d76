import { describe, expect, it } from 'vitest';
import { wipe } from '../../sdk/base/free-memory.js';
import { SecretBytes } from '../../sdk/base/secret-bytes.js';

describe('wipe', () => {
  it('fills arrays with zeros, and only the part of a buffer that they view', () => {
    const bytes = Uint8Array.of(1, 2, 3, 4);
    wipe(bytes.subarray(1, 3), new Uint8Array());
    expect([...bytes]).toEqual([1, 0, 0, 4]);
  });

  it('leaves those alone that were moved', () => {
    const bytes = Uint8Array.of(1, 2);
    const moved = structuredClone(bytes, { transfer: [bytes.buffer] });
    wipe(bytes, moved);
    expect([...moved]).toEqual([0, 0]);
  });
});

describe('SecretBytes', () => {
  it('overwrites what it was given, and at once what comes later', () => {
    const secrets = new SecretBytes();
    const bytes = secrets.add(Uint8Array.of(1, 2));
    expect([...bytes]).toEqual([1, 2]);
    secrets.wipe();
    expect([...bytes]).toEqual([0, 0]);
    expect([...secrets.add(Uint8Array.of(3))]).toEqual([0]);
    secrets.wipe();
  });
});
