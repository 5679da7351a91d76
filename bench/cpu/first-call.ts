import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Measurement, summarize } from '../lib/measure.js';
import type { BenchReport } from '../lib/report.js';
import type { FirstCall, FirstCallRequest } from './first-call-child.js';
import type { CpuOptions } from './options.js';
import { type BenchCircuit, benchCircuit, CIRCUITS, circuitLabel } from './setup/circuits.js';

const CHILD = fileURLToPath(new URL('./first-call-child.mjs', import.meta.url));
const RUNS = 3;
const TIME_BAR = 3;
const MEMORY_BAR = 2;
/** The circuit for which peak memory is compared. */
const LARGEST = 'chain16';

/** What a request says besides the circuit. */
type Variant = Pick<FirstCallRequest, 'contender' | 'cache' | 'keyAsFile'> & { readonly name: string };

/** Measures the first proof in a fresh process, and the memory that the process needs. */
export function firstCallRows(options: CpuOptions, report: BenchReport): Promise<void> {
  const cache = mkdtempSync(join(tmpdir(), 'pippin-bench-'));
  return rows(options, report, cache).finally(() => rmSync(cache, { recursive: true, force: true }));
}

async function rows(options: CpuOptions, report: BenchReport, cache: string): Promise<void> {
  const inMemory: Variant[] = [
    { name: 'pippin', contender: 'pippin' },
    { name: 'pippin, key in its cache', contender: 'pippin', cache },
    { name: 'snarkjs', contender: 'snarkjs' },
  ];
  const asFile: Variant[] = [
    { name: 'pippin, key as a file', contender: 'pippin', keyAsFile: true },
    { name: 'snarkjs, key as a file', contender: 'snarkjs', keyAsFile: true },
  ];
  for (const name of CIRCUITS) {
    const work = `first proof ${circuitLabel(name)}`;
    const memory = `peak memory ${circuitLabel(name)}, MiB`;
    const measuresMemory = name === LARGEST && options.wants(memory);
    if (!options.wants(work) && !measuresMemory) continue;
    const circuit = await benchCircuit(name);
    const calls = callAll(circuit, inMemory, options.threads);
    if (options.wants(work)) report.add(work, calls.map(times), { snarkjs: TIME_BAR });
    if (!measuresMemory) continue;
    report.add(memory, calls.map(peak), { snarkjs: MEMORY_BAR });
    const filed = callAll(circuit, asFile, options.threads);
    report.add('  the same, key as a file', filed.map(peak), { 'snarkjs, key as a file': MEMORY_BAR });
  }
}

interface Calls {
  readonly name: string;
  readonly calls: readonly FirstCall[];
}

/** Starts a process for each call; the variants take turns. Before that, a call that is not timed fills the cache. */
function callAll(circuit: BenchCircuit, variants: readonly Variant[], threads: number): Calls[] {
  const call = ({ name: _, ...variant }: Variant): FirstCall => {
    const { zkey, witness, verificationKey } = circuit;
    const request: FirstCallRequest = { ...variant, threads, zkey, witness, verificationKey };
    return JSON.parse(execFileSync(process.execPath, [CHILD, JSON.stringify(request)], { encoding: 'utf8' }));
  };
  for (const variant of variants) if (variant.cache !== undefined) call(variant);
  const calls = variants.map((): FirstCall[] => []);
  for (let run = 0; run < RUNS; run++) for (const [i, variant] of variants.entries()) calls[i]!.push(call(variant));
  return variants.map(({ name }, i) => ({ name, calls: calls[i]! }));
}

function times({ name, calls }: Calls): Measurement {
  return summarize(name, calls);
}

function peak({ name, calls }: Calls): Measurement {
  const { median, min, max } = summarize(
    name,
    calls.map((call) => ({ wall: call.peak, cpu: 0 })),
  );
  return { name, median, min, max };
}
