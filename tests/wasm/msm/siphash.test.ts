import { beforeAll, expect, it } from 'vitest';
import { type AssemblyExports, assemble } from '../../support/assembly.js';
import { sipHash } from '../../support/siphash.js';

let wasm: AssemblyExports;
let heap: number;
beforeAll(async () => {
  wasm = await assemble(
    'modules/test-siphash',
    `
    import { sipHash } from '../msm/siphash';
    export function heapBase(): usize { return __heap_base; }
    export function hash(key: usize, number: usize, target: usize): void {
      store<u64>(target, sipHash(key, load<u64>(number)));
    }`,
  );
  heap = wasm.heapBase!();
});

function hash(key: readonly number[], number: bigint): bigint {
  const view = new DataView(wasm.memory.buffer, heap);
  for (const [i, byte] of key.entries()) view.setUint8(i, byte);
  view.setBigUint64(16, number, true);
  wasm.hash!(heap, heap + 16, heap + 24);
  return view.getBigUint64(24, true);
}

it('gives the value of the designers for the bytes 0 to 7 under the key of the bytes 0 to 15', () => {
  const key = Array.from({ length: 16 }, (_, i) => i);
  // The ninth of vectors_sip64 in the designers' vectors.h.
  expect(hash(key, 0x0706050403020100n)).toBe(0x93f5f5799a932462n);
});

it('agrees with BigInt', () => {
  for (let i = 0; i < 50; i++) {
    const key = Array.from({ length: 16 }, (_, j) => (i * 89 + j * 57 + i * j) & 255);
    for (const number of [0n, 1n, BigInt(i), (1n << 32n) - 1n, 1n << 32n, (1n << 64n) - 1n]) {
      expect(hash(key, number)).toBe(sipHash(key, number));
    }
  }
});
