import { describe, expect, it } from 'vitest';
import { readExports } from '../../../sdk/cpu/kernel/exports.js';
import { ALL_CURVES } from '../../support/registry.js';
import { instantiate, WASM_MODULES } from '../../support/wasm.js';

const MODULES = ALL_CURVES.flatMap((curve) => WASM_MODULES[curve.id].map((module) => ({ curve, module })));

describe.each(MODULES)('the exports of $module', ({ curve, module }) => {
  it('have the parts that the curve has, each as a whole', async () => {
    const { exports } = await instantiate(module);
    const { core, groups, endomorphism, transforms, constraints, pairing } = readExports(exports);
    expect(core.heapBase()).toBeGreaterThan(0);
    expect(groups.g1).toBeDefined();
    expect(groups.g2 === undefined).toBe(curve.g2 === undefined);
    expect(endomorphism === undefined).toBe(curve.g1.endomorphism === undefined);
    expect(transforms === undefined).toBe(curve.transforms === undefined);
    expect(constraints === undefined).toBe(curve.transforms === undefined);
    expect(pairing === undefined).toBe(curve.pairing === undefined);
  });

  it('are refused where a part is not whole', async () => {
    const { exports } = await instantiate(module);
    const { g1_addPairs: _, ...others } = exports;
    expect(() => readExports(others)).toThrow(
      expect.objectContaining({ code: 'UNSUPPORTED_FORMAT', message: expect.stringContaining('addPairs') }),
    );
    expect(() => readExports({})).toThrow(expect.objectContaining({ code: 'UNSUPPORTED_FORMAT' }));
  });
});
