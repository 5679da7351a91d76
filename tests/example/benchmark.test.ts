import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { LONGEST_PROOF, predicted, proofFault, sizeFault } from '../../examples/benchmark/src/limits.js';
import { productsInWords } from '../../examples/benchmark/src/products.js';
import { constraintsOf, PROOF_SYSTEMS } from '../../examples/benchmark/src/protocols.js';
import published from '../../examples/benchmark/src/published.json';
import { laterMs, visitMs } from '../../examples/benchmark/src/results.js';
import { SIZES, sizeName } from '../../examples/benchmark/src/sizes.js';
import { roughly, verdict } from '../../examples/benchmark/src/verdict.js';
import { root } from '../support/root.js';

/** What the benchmark page decides and says. `npm run test:pages` opens the page itself. */

describe('how far a run goes', () => {
  test('a first size is tried by everyone, on every device', () => {
    expect(proofFault(10, undefined)).toBeUndefined();
    for (const gigabytes of [undefined, 0.25, 8]) {
      for (const { protocol } of PROOF_SYSTEMS) expect(sizeFault(protocol, 10, gigabytes, undefined)).toBeUndefined();
    }
  });

  test('a proof is predicted in proportion to the constraints', () => {
    expect(predicted(100, 12, 14)).toBe(400);
    expect(proofFault(14, { log: 12, laterMs: LONGEST_PROOF / 4 })).toBeUndefined();
    expect(proofFault(14, { log: 12, laterMs: LONGEST_PROOF / 4 + 1 })).toMatch(
      /^a proof would take about 30 seconds$/,
    );
  });

  test('large keys are left out where memory or patience would not do', () => {
    expect(sizeFault('groth16', 18, 8, { log: 16, ms: 1000 })).toBeUndefined();
    expect(sizeFault('groth16', 18, 2, undefined)).toMatch(/720 MB/);
    expect(sizeFault('groth16', 18, 8, { log: 16, ms: 60_000 })).toMatch(/4 minutes/);
    // Keys of PLONK and FFLONK are larger.
    expect(sizeFault('fflonk', 16, 8, undefined)).toBeUndefined();
    expect(sizeFault('fflonk', 16, 2, undefined)).toMatch(/1013 MB/);
  });
});

test.each([
  [0.4, 'About 0.4 ms a proof: nobody notices it.'],
  [99, 'About 99 ms a proof: nobody notices it.'],
  [100, 'About 100 ms a proof: it feels immediate behind a button.'],
  [1310, 'About 1.3 s a proof: fine for a wallet’s confirmation screen.'],
  [9999, 'About 10 s a proof: bearable with a progress bar.'],
  [30_000, 'About 30 s a proof: too long to wait for: better in the background, or on a faster device.'],
])('%d ms in words', (ms, words) => {
  expect(verdict(ms)).toBe(words);
});

test('a first visit is told as one', () => {
  expect(verdict(2000, 'until a first proof')).toBe(
    'About 2 s until a first proof: fine for a wallet’s confirmation screen.',
  );
});

test('times are said with two digits', () => {
  expect([1, 456, 1000, 89_000, 90_000, 600_000].map(roughly)).toEqual([
    '1 ms',
    '460 ms',
    '1 s',
    '89 s',
    '2 minutes',
    '10 minutes',
  ]);
});

test('a later proof is the middle one, or the first where there was no other', () => {
  expect(laterMs({ firstMs: 9, laterMs: [] })).toBe(9);
  expect(laterMs({ firstMs: 9, laterMs: [4] })).toBe(4);
  expect(laterMs({ firstMs: 9, laterMs: [1, 5] })).toBe(3);
  expect(laterMs({ firstMs: 9, laterMs: [7, 1, 3] })).toBe(3);
  expect(visitMs({ openMs: 1, loadMs: 20, firstMs: 300 })).toBe(321);
});

test('sizes rise, and have their names', () => {
  expect(SIZES.map(({ log }) => log)).toEqual([10, 12, 14, 16, 18]);
  expect(SIZES.map(({ log }) => sizeName(log))).toEqual(['2¹⁰', '2¹²', '2¹⁴', '2¹⁶', '2¹⁸']);
  expect(constraintsOf('groth16', 14)).toBe(16_376);
  expect(constraintsOf('plonk', 14)).toBe(16_381);
});

test('published figures stand in docs/performance.md, under the heading that is named', () => {
  const sections = readFileSync(`${root}/docs/performance.md`, 'utf8').split(/^## /m);
  for (const { section, date, later, ...rest } of published.devices) {
    // Thousands are set apart there.
    const text = sections.find((one) => one.startsWith(section))?.replace(/(\d) (\d{3})\b/g, '$1$2');
    expect(text, section).toBeDefined();
    expect(text).toContain(date);
    for (const ms of [...Object.values(later), ...Object.values('first' in rest ? (rest.first ?? {}) : {})]) {
      expect(text).toMatch(new RegExp(`[| /]${String(ms).replace('.', '\\.')}[ |]`));
    }
  }
});

test('kinds of field products are told from the fastest on', () => {
  expect(productsInWords(undefined)).toBe('');
  expect(productsInWords({ points: 65_536, ms: { limbs: 10.24, words: 5, unrolled: 4.06 } })).toBe(
    'Field products on the graphics processor, by a sum of 2¹⁶ points: limbs without loops 4.1 ms, words of 32 bits 5.0 ms, limbs of 13 bits 10 ms.',
  );
});
