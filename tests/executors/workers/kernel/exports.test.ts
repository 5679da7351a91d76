import { describe, expect, it } from 'vitest';
import { ENDOMORPHISMS } from '../../../../sdk/curves/endomorphisms.js';
import { readPoints, readScalars, wholePart } from '../../../../sdk/executors/workers/kernel/exports.js';
import {
  ELEMENTS_NAMES,
  type ElementExports,
} from '../../../../sdk/executors/workers/kernel/generated/element-exports.js';
import { ELEMENTS_BASE, HEAP_BASE, SCALARS_BASE } from '../../../../sdk/executors/workers/kernel/memory.js';
import { ALL_CURVES, CURVES_WITH_TRANSFORMS } from '../../../support/registry.js';
import { scalarsBeside } from '../../../support/scalars-beside.js';
import { instantiate, WASM_MODULES } from '../../../support/wasm.js';

const MODULES = ALL_CURVES.flatMap((curve) => WASM_MODULES[curve.id].map((module) => ({ curve, module })));
const SCALARS = [...new Map(MODULES.map(({ curve, module }) => [scalarsBeside(curve.id, module), curve]))].map(
  ([module, curve]) => ({ curve, module }),
);

describe.each(MODULES)('the exports of $module', ({ curve, module }) => {
  it('have the parts that the curve has, each as a whole', async () => {
    const { exports } = await instantiate(module);
    const { core, groups, map, pairing } = readPoints(exports);
    expect(groups.g1).toBeDefined();
    expect(groups.g2 === undefined).toBe(curve.g2 === undefined);
    expect(map === undefined).toBe(ENDOMORPHISMS[curve.id] === undefined);
    expect(pairing === undefined).toBe(curve.pairing === undefined);
    expect(core.heapBase()).toBeGreaterThan(0);
    expect(core.heapBase()).toBeLessThanOrEqual(SCALARS_BASE);
  });

  it('are refused where a part is not whole', async () => {
    const { exports } = await instantiate(module);
    const { g1_addPairs: _, ...others } = exports;
    expect(() => readPoints(others)).toThrow(
      expect.objectContaining({ code: 'UNSUPPORTED_FORMAT', message: expect.stringContaining('addPairs') }),
    );
    expect(() => readPoints({})).toThrow(expect.objectContaining({ code: 'UNSUPPORTED_FORMAT' }));
  });
});

describe.each(SCALARS)('the exports of $module', ({ curve, module }) => {
  it('have the parts that the curve has, each as a whole, and data between those of the points and the vectors', async () => {
    const { exports } = await instantiate(module);
    const { scalars, halves, transforms, constraints } = readScalars(exports);
    expect(halves === undefined).toBe(ENDOMORPHISMS[curve.id] === undefined);
    expect(transforms === undefined).toBe(curve.transforms === undefined);
    expect(constraints === undefined).toBe(curve.transforms === undefined);
    expect(scalars.heapBase()).toBeGreaterThan(SCALARS_BASE);
    expect(scalars.heapBase()).toBeLessThanOrEqual(ELEMENTS_BASE);
  });

  it('are refused where a part is not whole', async () => {
    const { exports } = await instantiate(module);
    const { scalars_mask: _, ...others } = exports;
    expect(() => readScalars(others)).toThrow(
      expect.objectContaining({ code: 'UNSUPPORTED_FORMAT', message: expect.stringContaining('scalars_mask') }),
    );
    expect(() => readScalars({})).toThrow(expect.objectContaining({ code: 'UNSUPPORTED_FORMAT' }));
  });
});

describe.each(CURVES_WITH_TRANSFORMS)('the module of vectors over $id', ({ id }) => {
  it('has all of its exports, and data between those of the scalars and the heap', async () => {
    const { exports } = await instantiate(`${id}-elements` as 'bn254-elements');
    const elements = wholePart<ElementExports>(exports, ELEMENTS_NAMES);
    expect(elements.heapBase()).toBeGreaterThan(ELEMENTS_BASE);
    expect(elements.heapBase()).toBeLessThanOrEqual(HEAP_BASE);
  });
});
