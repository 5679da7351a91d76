import { afterAll, beforeAll, describe, it } from 'vitest';
import { CURVES } from '../../../sdk/curves/index.js';
import { edgeValues, Random } from '../../../tests/support/random.js';
import { openChromium, type ProductBrowser } from '../wide-arithmetic/browsers.js';
import { checkResults } from '../wide-arithmetic/check.js';
import { wideContender, wideForms } from '../wide-arithmetic/contenders.js';

const FIELDS = {
  'BN254 Fq': CURVES.bn254.fq,
  'BLS12-377 Fq': CURVES['bls12-377'].fq,
  'BLS12-381 Fq': CURVES['bls12-381'].fq,
};
const RANDOM_PAIRS = 500;

describe('products of limbs with wide arithmetic, in Chromium', () => {
  let browser: ProductBrowser | undefined;

  beforeAll(async () => {
    browser = await openChromium();
  });
  afterAll(async () => browser?.close());

  it.for(Object.entries(FIELDS))('are right in %s, and below 2p', async ([, { modulus: p }], { skip }) => {
    if (browser === undefined) return skip('no Chromium was found');
    if (!browser.isWide) return skip(`${browser.name} does not validate i64.mul_wide_u`);
    const pairs = operandPairs(p);
    const contenders = wideForms(p).map(wideContender);
    const [a, b] = [pairs.map(([x]) => x), pairs.map(([, y]) => y)];
    const modules = contenders.map(({ module }) => module);
    const results = await browser.multiply({ modules, a: a.map(String), b: b.map(String), turns: 0, turnMs: 0 });
    for (const [c, contender] of contenders.entries()) {
      checkResults(contender, results[c]!, a, b, p);
    }
  });
});

/**
 * Pairs of elements below 2p: random ones first, since the additions' products stay 0 after a pair of equal numbers; each
 * edge value with one from the other end; all pairs of a few.
 */
function operandPairs(p: bigint): [bigint, bigint][] {
  const random = new Random(37);
  const edges = [...edgeValues(p), ...edgeValues(2n * p)];
  const few = [0n, 1n, p - 1n, p, p + 1n, 2n * p - 1n, (1n << 64n) - 1n, (1n << 128n) - 1n, (1n << 192n) - 1n];
  return [
    ...Array.from({ length: RANDOM_PAIRS }, (): [bigint, bigint] => [random.below(2n * p), random.below(2n * p)]),
    ...edges.map((x, i): [bigint, bigint] => [x, edges[edges.length - 1 - i]!]),
    ...few.flatMap((x) => few.map((y): [bigint, bigint] => [x, y])),
  ];
}
