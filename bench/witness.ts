import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CircuitInputs } from '../sdk/api/index.js';
import { type CompiledCircuit, compileCircuitAs } from '../sdk/files/witness/compile-circuit.js';
import { KeptCircuit } from '../sdk/files/witness/kept-circuit.js';
import { calculateWitness } from '../sdk/files/witness/witness-calculator.js';
import { summarize, type Times } from './lib/measure.js';
import { BenchReport, numbersOption, textOption } from './lib/report.js';

/**
 * Measures witnesses over BN254 by circuits' own WASM and with our arithmetic in the place of circom's, in turns in one
 * thread. As with `loadCircuit`, the instances of small circuits are kept; the third contender is one that starts anew
 * each time. Nothing is timed before all give the same witness.
 *
 * Needs the compiled circuits beside the bundle. Options: `--runs 12`; `--circuits FOLDER` for more circuits, each a
 * NAME.wasm with its inputs in NAME.json.
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

const MEMORY_BYTES = 2 ** 30;
const WARM_RUNS = 2;

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

const report = new BenchReport('witnesses, BN254, one thread');
for (const [name, wasm, inputs] of circuits()) {
  const compile = (exchangeArithmetic: boolean): Promise<CompiledCircuit> =>
    compileCircuitAs(wasm, { memoryBytes: MEMORY_BYTES, isReused: true, exchangeArithmetic });
  const [ours, circoms] = [await compile(true), await compile(false)];
  if (ours.arithmetic.by === 'circuit') throw new Error(`expected ${name} with exchanged arithmetic, got it as it is`);
  const contenders = [
    { name: 'exchanged', circuit: ours, isKept: true },
    { name: "circom's", circuit: circoms, isKept: true },
    { name: 'exchanged, started anew', circuit: ours, isKept: false },
  ].map(({ circuit: { module, hasOnlyMemory }, isKept, ...rest }) => {
    const kept = isKept && hasOnlyMemory ? { circuits: new KeptCircuit(), as: 1 } : undefined;
    const run = (): Promise<Uint8Array> => calculateWitness(module, inputs, 'bn254', { kept });
    return { ...rest, run, times: [] as Times[] };
  });
  const [first, ...others] = await Promise.all(contenders.map(({ run }) => run()));
  if (others.some((each) => Buffer.compare(each, first!) !== 0)) throw new Error(`expected one witness of ${name}`);
  for (let run = -WARM_RUNS; run < numbersOption('--runs', [12])[0]!; run++) {
    for (const each of contenders) {
      const [start, cpuStart] = [performance.now(), process.cpuUsage()];
      await each.run();
      const { user, system } = process.cpuUsage(cpuStart);
      if (run >= 0) each.times.push({ wall: performance.now() - start, cpu: (user + system) / 1000 });
    }
  }
  report.add(
    LABELS[name] ?? name,
    contenders.map((each) => summarize(each.name, each.times)),
  );
}
report.finish();
