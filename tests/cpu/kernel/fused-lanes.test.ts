import { describe, expect, it } from 'vitest';
import { hasFusedLanes, wasmModuleOf } from '../../../sdk/cpu/kernel/fused-lanes.js';
import { ALL_CURVES } from '../../support/registry.js';
import { allowRelaxedSimd } from '../../support/relaxed-simd.js';

describe('the choice of a module', () => {
  it('takes fused multiply-adds where a product keeps its low half', () => {
    allowRelaxedSimd();
    // Every machine that these tests run on has the instruction.
    expect(hasFusedLanes()).toBe(true);
    for (const { id } of ALL_CURVES) expect(wasmModuleOf(id)).toBe(`${id}-fma`);
  });
});
