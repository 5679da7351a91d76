import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { findChromium, plainFlags } from '../scripts/lib/chromium.mjs';
import { serveFolder } from '../scripts/lib/static-server.mjs';
import type { CircuitInputs } from '../sdk/api/index.js';
import { summarize } from './lib/measure.js';
import { BenchReport, numbersOption, textOption } from './lib/report.js';
import { measureCircuit } from './witness/measure-circuit.js';

/**
 * Measures witnesses over BN254 by circuits' own WASM and with our arithmetic in the place of circom's, in one thread.
 *
 * Needs the compiled circuits beside the bundle. Options: `--runs 12`; `--circuits FOLDER` for more circuits, each a
 * NAME.wasm with its inputs in NAME.json; `--chromium` to run in a page, without those.
 */
const folder = new URL('./witness/', import.meta.url).pathname;

/** The base point of Baby Jubjub. */
const BASE = [
  5299619240641551281634865583518297030282874472190772894086521144482721001553n,
  16950150798460657717958625567821834550301663161624707787222815936182638968203n,
];

const INPUTS: Readonly<Record<string, CircuitInputs>> = {
  membership: {
    leaf: 5n,
    sibling: Array.from({ length: 22 }, (_, i) => 1000n + BigInt(i)),
    isRight: Array.from({ length: 22 }, (_, i) => BigInt(i & 1)),
    signed: 0n,
    key: BASE,
    r8: BASE,
    s: 12345n,
  },
  sha256: { bits: Array.from({ length: 512 }, (_, i) => BigInt((i * 7) % 3 === 0)) },
  hash: { inputs: [1n, 2n] },
  mimc: { ins: [3n, 5n], k: 7n },
};

const LABELS: Readonly<Record<string, string>> = {
  membership: 'Merkle + EdDSA',
  sha256: 'SHA-256 of 512 bits',
  hash: 'Poseidon of 2 values',
  mimc: 'MiMC sponge of 2 values',
};

/** Name, WASM and inputs of each circuit. */
function circuits(): (readonly [name: string, wasm: Uint8Array, inputs: CircuitInputs])[] {
  const read = (path: string): Uint8Array => new Uint8Array(readFileSync(path));
  const own = Object.entries(INPUTS).map(
    ([name, inputs]) => [name, read(join(folder, `${name}.wasm`)), inputs] as const,
  );
  const more = textOption('--circuits');
  if (more === undefined) return own;
  const names = readdirSync(more).flatMap((file) => (file.endsWith('.wasm') ? [file.slice(0, -'.wasm'.length)] : []));
  return [
    ...own,
    ...names.map((name) => {
      const inputs = JSON.parse(readFileSync(join(more, `${name}.json`), 'utf8')) as CircuitInputs;
      return [name, read(join(more, `${name}.wasm`)), inputs] as const;
    }),
  ];
}

type Measured = ReturnType<typeof measureCircuit>;

const report = new BenchReport('witnesses, BN254, one thread');
const [runs] = numbersOption('--runs', [12]);

async function measureAll(measure: (name: string, wasm: Uint8Array, inputs: CircuitInputs) => Measured): Promise<void> {
  for (const [name, wasm, inputs] of circuits()) {
    const contenders = await measure(name, wasm, inputs);
    report.add(
      LABELS[name] ?? name,
      contenders.map(({ name: contender, times }) => {
        const measured = summarize(contender, times);
        return measured.cpu === 0 ? { ...measured, cpu: undefined } : measured;
      }),
    );
  }
}

/** The circuits beside the bundle, in a page. */
async function measureInChromium(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await measureAll((name, _, inputs) => {
    const text = JSON.stringify(inputs, (__, value) => (typeof value === 'bigint' ? String(value) : value));
    return page.evaluate(
      ([wasm, json, count]) => (globalThis as unknown as PageOfBench).measureCircuit(wasm, json, count),
      [`${name}.wasm`, text, runs!] as const,
    );
  });
}

interface PageOfBench {
  measureCircuit(url: string, inputs: string, runs: number): Measured;
}

if (process.argv.includes('--chromium')) {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('expected Chromium, got none');
  // Isolated pages have a clock of 5 us, others of 100.
  const server = await serveFolder(folder, { isolated: true });
  const browser = await chromium.launch({ executablePath, args: plainFlags() });
  try {
    await measureInChromium(await browser.newPage(), server.url);
    console.log(`Chromium ${browser.version()}; CPU time is not measured there`);
  } finally {
    await browser.close();
    await server.close();
  }
} else {
  const cpu = (): number => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  };
  await measureAll((_, wasm, inputs) => measureCircuit(wasm, inputs, runs!, cpu));
}
report.finish();
