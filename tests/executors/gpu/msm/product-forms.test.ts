import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { foldRepeats } from '../../../../scripts/lib/fold-repeats.mjs';
import { compactWgsl } from '../../../../scripts/lib/wgsl.mjs';
import { wgslLimbs } from '../../../../sdk/curves/limbs.js';
import { expandRepeats } from '../../../../sdk/executors/gpu/load-shader.js';
import { productKinds, withProducts } from '../../../../sdk/executors/gpu/msm/product-forms.js';
import { CURVES_ON_GPU } from '../../../support/registry.js';
import { root } from '../../../support/root.js';

// What the products give is tried on the GPU, from the fields as they are generated (field.test.ts, byte-field.test.ts).
const CURVES_WITH_ALL = CURVES_ON_GPU.filter(({ fq }) => productKinds(fq.bits, 'g1').includes('words'));

describe.each(CURVES_WITH_ALL)('products of $id that are made from those that are shipped', ({ id, fq }) => {
  /** A generated field, and what the build makes of it and a page expands again. */
  function texts(elements: 'fq' | 'fq-bytes'): readonly [generated: string, shipped: string] {
    const generated = readFileSync(`${root}/shaders/generated/${id}-${elements}.wgsl`, 'utf8');
    return [generated, expandRepeats(foldRepeats(compactWgsl(generated)))];
  }
  const made = { fq: texts('fq'), 'fq-bytes': texts('fq-bytes') };

  it('have no loop over limbs if they are unrolled', () => {
    const [unrolled, shipped] = made.fq.map((text) => withProducts(text, fq, 'unrolled')) as [string, string];
    expect(compactWgsl(unrolled)).toBe(compactWgsl(shipped));
    expect(unrolled).not.toContain('params.limbs');
    expect(unrolled).not.toMatch(/\[i\b/);
    for (let i = 0; i < wgslLimbs(fq.bits); i++) expect(unrolled).toContain(`limb_a = limbs_a[${i}];`);
  });

  it('have three products of half as many limbs by the method of Karatsuba', () => {
    const [product, shipped] = texts('fq').map((text) => withProducts(text, fq, 'karatsuba')) as [string, string];
    expect(compactWgsl(product)).toBe(compactWgsl(shipped));
    const body = /fn field_mul\([^{]*\{([^{}]*)\}/.exec(product)![1]!;
    const limbs = wgslLimbs(fq.bits);
    expect(body.match(/ \* /g)).toHaveLength(3 * (limbs / 2) ** 2 + limbs * (limbs + 1));
    expect(product.match(/fn field_mul\(/g)).toHaveLength(1);
  });

  it('have no products of bytes if they are by words', () => {
    const [byWords, shipped] = made['fq-bytes'].map((text) => withProducts(text, fq, 'words')) as [string, string];
    expect(compactWgsl(byWords)).toBe(compactWgsl(shipped));
    expect(byWords).not.toMatch(/dot4U8Packed|packed_4x8/);
    expect(byWords.match(/fn field_mul\(/g)).toHaveLength(1);
  });

  it('are otherwise as they are', () => {
    for (const elements of ['fq', 'fq-bytes'] as const) {
      const [text] = made[elements];
      expect(withProducts(text, fq, elements === 'fq' ? 'limbs' : 'bytes')).toBe(text);
    }
  });
});
