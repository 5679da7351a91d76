import { describe, expect, it } from 'vitest';
import { hasFusedLanes, wasmModuleOf } from '../../../sdk/cpu/kernel/fused-lanes.js';
import { allowRelaxedSimd } from '../../support/relaxed-simd.js';

describe('the choice of a module', () => {
  it('takes fused multiply-adds where a product keeps its low half', () => {
    allowRelaxedSimd();
    // Every machine that these tests run on has the instruction.
    expect(hasFusedLanes()).toBe(true);
    expect(wasmModuleOf('bn254')).toBe('bn254-fma');
    expect(wasmModuleOf('bls12-377')).toBe('bls12-377-fma');
  });
});
