import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CURVES } from '../../../sdk/curves/index.js';
import { edgeValues, Random } from '../../../tests/support/random.js';
import { type BrowserPage, openChromium } from '../wide-arithmetic/browsers.js';
import { wideContender, wideForms } from '../wide-arithmetic/contenders.js';

const FIELDS = {
  'BN254 Fq': CURVES.bn254.fq,
  'BLS12-377 Fq': CURVES['bls12-377'].fq,
  'BLS12-381 Fq': CURVES['bls12-381'].fq,
};
const RANDOM_PAIRS = 500;

describe('products of limbs with wide arithmetic, in Chromium', () => {
  let page: BrowserPage | undefined;

  beforeAll(async () => {
    page = await openChromium();
  });
  afterAll(async () => page?.close());

  it.for(Object.entries(FIELDS))('are right in %s, and below 2p', async ([, { modulus: p }], { skip }) => {
    if (page === undefined) return skip('no Chromium was found');
    if (!page.isWide) return skip(`${page.browser} does not validate i64.mul_wide_u`);
    const pairs = operandPairs(p);
    const contenders = wideForms(p).map(wideContender);
    const [a, b] = [pairs.map(([x]) => String(x)), pairs.map(([, y]) => String(y))];
    const results = await page.multiply({ modules: contenders.map(({ module }) => module), a, b, turns: 0, turnMs: 0 });
    for (const [c, { name, r }] of contenders.entries()) {
      for (const [i, [x, y]] of pairs.entries()) {
        for (const [result, expected] of [
          [results[c]!.products[i]!, x * y],
          [results[c]!.squares[i]!, x * x],
        ] as const) {
          const value = BigInt(result);
          if (value >= 2n * p || (value * r - expected) % p !== 0n) expect.fail(`${name}: pair ${i} gives ${value}`);
        }
      }
    }
  });
});

/** Pairs of elements below 2p: all pairs of some edge values, each edge value with its like, random ones. */
function operandPairs(p: bigint): [bigint, bigint][] {
  const random = new Random(37);
  const edges = [...edgeValues(p), ...edgeValues(2n * p)];
  const few = [0n, 1n, p - 1n, p, p + 1n, 2n * p - 1n, (1n << 64n) - 1n, (1n << 128n) - 1n, (1n << 192n) - 1n];
  return [
    ...few.flatMap((x) => few.map((y): [bigint, bigint] => [x, y])),
    ...edges.map((x, i): [bigint, bigint] => [x, edges[edges.length - 1 - i]!]),
    ...Array.from({ length: RANDOM_PAIRS }, (): [bigint, bigint] => [random.below(2n * p), random.below(2n * p)]),
  ];
}
