import { writeFileSync } from 'node:fs';
import { CURVES, type CurveId } from '../../sdk/curves/index.js';
import { median } from '../lib/measure.js';
import { numbersOption, textOption } from '../lib/report.js';
import { openChromium, openFirefox, type ProductBrowser } from './wide-arithmetic/browsers.js';
import { checkResults } from './wide-arithmetic/check.js';
import { type FieldContender, shippedContenders, wideContender, wideForms } from './wide-arithmetic/contenders.js';
import { OPERATIONS, type PageResult } from './wide-arithmetic/page.js';

/**
 * Times products and squares in coordinate fields with WebAssembly's wide arithmetic (bench/research/wide-arithmetic)
 * beside the shipped forms, in Chromium with the flag for it, in Firefox with the preference: nanoseconds of an
 * element in the quickest turn of a page, the median over pages, and its ratio to the lanes'. Turns are short, so that a
 * busy machine leaves some of them alone; contenders take turns; and engines compile anew in every page, not always
 * alike. Independent products go over arrays; in a chain each takes the result of the last. An addition is an
 * affine one with batch inversion, without the inversion itself. Results are checked, except of chains.
 *
 * Options: `--browsers chromium,firefox` (without it Chromium alone), `--curves bn254,bls12-381`, `--pages 7`, `--turns
 * 30`, `--turn-ms 2`, `--json FILE`.
 */
const browsers = (textOption('--browsers') ?? 'chromium').split(',');
const curves = (textOption('--curves') ?? 'bn254,bls12-381').split(',') as CurveId[];
const pages = numbersOption('--pages', [7])[0]!;
const turns = numbersOption('--turns', [30])[0]!;
const turnMs = numbersOption('--turn-ms', [2])[0]!;

/** Elements of an array, few enough that three stay in a core's cache. */
const BATCH = 256;
const BASELINE = 'lanes';

const rows: unknown[] = [];
for (const name of browsers) {
  const browser = name === 'firefox' ? await openFirefox() : await openChromium();
  if (browser === undefined) throw new Error('expected a Chromium, found none');
  const date = new Date().toISOString().slice(0, 10);
  console.log(`${browser.name}, ${date}, ${pages} pages of ${turns} turns of ${turnMs} ms`);
  if (!browser.isWide) console.log('It does not validate i64.mul_wide_u: only the shipped forms are timed.');
  for (const curve of curves) await bench(browser, curve);
  await browser.close();
}
const json = textOption('--json');
if (json !== undefined) writeFileSync(json, `${JSON.stringify(rows, undefined, 1)}\n`);
process.exit(0);

/** Checks and times the contenders, and prints their rows. */
async function bench(browser: ProductBrowser, curve: CurveId): Promise<void> {
  const { modulus: p } = CURVES[curve].fq;
  const wide = browser.isWide ? wideForms(p).map(wideContender) : [];
  const contenders: readonly FieldContender[] = [...(await shippedContenders(CURVES[curve], browser.isWide)), ...wide];
  const a = powers(3n, p);
  const b = powers(7n, p);
  const request = { a: a.map(String), b: b.map(String), turns, turnMs };
  const measured: PageResult[][] = [];
  for (let i = 0; i < pages; i++) {
    const results = await browser.multiply({ modules: contenders.map(({ module }) => module), ...request });
    for (const [c, contender] of contenders.entries()) checkResults(contender, results[c]!, a, b, p);
    measured.push(results);
  }
  console.log(`${curve} Fq, ns (ratio to lanes): ${OPERATIONS.join(', ')}`);
  const baseline = contenders.findIndex(({ name }) => name === BASELINE);
  for (const [c, { name }] of contenders.entries()) {
    const cells = OPERATIONS.map((operation) => {
      if (measured[0]![c]!.times[operation].length === 0) return '';
      const [ns, laneNs] = [c, baseline].map((index) =>
        median(measured.map((results) => Math.min(...results[index]!.times[operation]))),
      ) as [number, number];
      const times = measured.map((results) => results[c]!.times[operation]);
      rows.push({ browser: browser.name, curve, contender: name, operation, ns, ratio: ns / laneNs, times });
      return `${ns.toFixed(1)} (${(ns / laneNs).toFixed(2)})`.padEnd(15);
    });
    console.log(`  ${name.padEnd(22)}${cells.join('')}`);
  }
}

/** `BATCH` values: base^400, base^401, ... mod p. */
function powers(base: bigint, p: bigint): bigint[] {
  const values = [base ** 400n % p];
  while (values.length < BATCH) values.push((values.at(-1)! * base) % p);
  return values;
}
