import { describe, expect, it } from 'vitest';
import { assetUrl } from '../../../sdk/hosts/page/asset-url.js';

describe('the URL of a file of the package in Node', () => {
  it('is the one that the caller gives', () => {
    const given = 'file:///srv/own/kernel.js';
    expect(assetUrl(given, 'kernel-node.js', 'file:///srv/pippin/').href).toBe(given);
    expect(assetUrl(new URL(given), 'kernel-node.js', undefined).href).toBe(given);
  });

  it("is that of the file in the caller's folder", () => {
    expect(assetUrl(undefined, 'mnt4-753-simd.wasm', 'file:///srv/pippin/').href).toBe(
      'file:///srv/pippin/mnt4-753-simd.wasm',
    );
  });

  it.each(['coordinator-node.js', 'kernel-node.js', 'witness-node.js', 'device-node.js', 'bn254-fma.wasm'] as const)(
    'is that of %s beside the script otherwise',
    (name) => {
      const script = new URL('../../../sdk/hosts/node/generated/node-file-urls.ts', import.meta.url);
      expect(assetUrl(undefined, name, undefined).href).toBe(new URL(name, script).href);
    },
  );

  it('cannot be made of what is none', () => {
    expect(() => assetUrl('kernel.js', 'kernel-node.js', undefined)).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT', message: expect.stringContaining('kernel-node.js') }),
    );
  });
});
