import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CircuitInputs } from '../sdk/api/index.js';
import { compileCircuitAs } from '../sdk/files/witness/compile-circuit.js';
import { calculateWitness } from '../sdk/files/witness/witness-calculator.js';
import { summarize, type Times } from './lib/measure.js';
import { BenchReport, numbersOption } from './lib/report.js';

/**
 * Measures witnesses over BN254 by circuits' own WASM and with our arithmetic in the place of circom's, in turns in one
 * thread. Nothing is timed before both give the same witness.
 *
 * Needs the compiled circuits beside the bundle. Option: `--runs 12`.
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
};

const LABELS: Readonly<Record<string, string>> = {
  membership: 'Merkle + EdDSA',
  sha256: 'SHA-256 of 512 bits',
  hash: 'Poseidon of 2 values',
};

const MEMORY_BYTES = 2 ** 30;
const WARM_RUNS = 2;

const report = new BenchReport('witnesses, BN254, one thread');
for (const [name, inputs] of Object.entries(INPUTS)) {
  const wasm = new Uint8Array(readFileSync(join(folder, `${name}.wasm`)));
  const form = { memoryBytes: MEMORY_BYTES, isReused: true };
  const { module, arithmetic } = await compileCircuitAs(wasm, { ...form, exchangeArithmetic: true });
  if (arithmetic.by === 'circuit') throw new Error(`expected ${name} with exchanged arithmetic, got it as it is`);
  const contenders = [
    { name: 'exchanged', module, times: [] as Times[] },
    {
      name: "circom's",
      module: (await compileCircuitAs(wasm, { ...form, exchangeArithmetic: false })).module,
      times: [] as Times[],
    },
  ];
  const witnesses = await Promise.all(contenders.map((each) => calculateWitness(each.module, inputs, 'bn254')));
  if (Buffer.compare(witnesses[0]!, witnesses[1]!) !== 0) throw new Error(`expected one witness of ${name}, got two`);
  for (let run = -WARM_RUNS; run < numbersOption('--runs', [12])[0]!; run++) {
    for (const each of contenders) {
      const [start, cpuStart] = [performance.now(), process.cpuUsage()];
      await calculateWitness(each.module, inputs, 'bn254');
      const { user, system } = process.cpuUsage(cpuStart);
      if (run >= 0) each.times.push({ wall: performance.now() - start, cpu: (user + system) / 1000 });
    }
  }
  report.add(
    LABELS[name]!,
    contenders.map((each) => summarize(each.name, each.times)),
  );
}
report.finish();
