import { writeFileSync } from 'node:fs';
import { CURVES, type CurveId } from '../../sdk/curves/index.js';
import { median } from '../lib/measure.js';
import { numbersOption, textOption } from '../lib/report.js';
import { type BrowserPage, openChromium, openFirefox } from './wide-arithmetic/browsers.js';
import { type FieldContender, shippedContenders, wideContender, wideForms } from './wide-arithmetic/contenders.js';
import { OPERATIONS, type PageResult } from './wide-arithmetic/page.js';

/**
 * Times products and squares in coordinate fields with WebAssembly's wide arithmetic (bench/research/wide-arithmetic)
 * beside the shipped forms, in Chromium with the flag for it and in Firefox with the preference: nanoseconds of an
 * element in the quickest turn, the ratio to the lanes' quickest, and the ratio of the medians. Independent products go
 * over arrays; in a chain each takes the result of the last. All results of independent products are checked.
 *
 * Options: `--browsers chromium,firefox`, `--curves bn254,bls12-381`, `--turns 100`, `--turn-ms 2`, `--json FILE`.
 */
const browsers = (textOption('--browsers') ?? 'chromium,firefox').split(',');
const curves = (textOption('--curves') ?? 'bn254,bls12-381').split(',') as CurveId[];
const turns = numbersOption('--turns', [100])[0]!;
const turnMs = numbersOption('--turn-ms', [2])[0]!;

/** Elements of an array, few enough that three stay in a core's cache. */
const BATCH = 256;
const BASELINE = 'lanes';

const rows: unknown[] = [];
for (const name of browsers) {
  const page = name === 'firefox' ? await openFirefox() : await openChromium();
  if (page === undefined) throw new Error('expected a Chromium, found none');
  const { browser, isWide } = page;
  console.log(`${browser}, ${new Date().toISOString().slice(0, 10)}, ${turns} turns of ${turnMs} ms`);
  if (!isWide) console.log('It does not validate i64.mul_wide_u: only the shipped forms are timed.');
  for (const curve of curves) {
    const { modulus } = CURVES[curve].fq;
    const wide = isWide ? wideForms(modulus).map(wideContender) : [];
    await bench(page, curve, modulus, [...(await shippedContenders(CURVES[curve])), ...wide]);
  }
  await page.close();
}
const json = textOption('--json');
if (json !== undefined) writeFileSync(json, `${JSON.stringify(rows, undefined, 1)}\n`);
process.exit(0);

/** Checks and times the contenders, and prints their rows. */
async function bench(
  page: BrowserPage,
  curve: CurveId,
  p: bigint,
  contenders: readonly FieldContender[],
): Promise<void> {
  const a = powers(3n, p);
  const b = powers(7n, p);
  const modules = contenders.map(({ module }) => module);
  const results = await page.multiply({ modules, a: a.map(String), b: b.map(String), turns, turnMs });
  const lanes = results[contenders.findIndex(({ name }) => name === BASELINE)]!;
  console.log(`${curve} Fq, ns (ratios to lanes): products, squares; chains of products, of squares`);
  for (const [c, contender] of contenders.entries()) {
    const result = results[c]!;
    check(contender, result, a, b, p);
    const cells = OPERATIONS.map((operation) => {
      const times = result.times[operation];
      const laneTimes = lanes.times[operation];
      const least = Math.min(...times);
      const ratio = least / Math.min(...laneTimes);
      const medianRatio = median(times) / median(laneTimes);
      const row = { least, ratio, median: median(times), medianRatio };
      rows.push({ browser: page.browser, curve, contender: contender.name, operation, ...row });
      return `${least.toFixed(1)} (${ratio.toFixed(2)}, ${medianRatio.toFixed(2)})`.padEnd(20);
    });
    console.log(`  ${contender.name.padEnd(22)}${cells.join('')}`);
  }
}

/** Throws unless every product and square is congruent to the right one. */
function check(
  { name, r }: FieldContender,
  { products, squares }: PageResult,
  a: readonly bigint[],
  b: readonly bigint[],
  p: bigint,
): void {
  for (const [i, x] of a.entries()) {
    const isRight = [
      [products[i]!, x * b[i]!],
      [squares[i]!, x * x],
    ].every(([result, expected]) => (BigInt(result!) * r - BigInt(expected!)) % p === 0n);
    if (!isRight) throw new Error(`${name}: element ${i} is wrong`);
  }
}

/** `BATCH` values: p - 1, p - 2, 0, 1, and then base^400, base^401, ... mod p. */
function powers(base: bigint, p: bigint): bigint[] {
  const values = [p - 1n, p - 2n, 0n, 1n, base ** 400n % p];
  while (values.length < BATCH) values.push((values.at(-1)! * base) % p);
  return values;
}
