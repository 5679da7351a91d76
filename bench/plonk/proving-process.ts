import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { BackendChoice, Report } from '../../sdk/api/index.js';
import { limitCpus } from '../cpu/peers/limit-cpus.js';
import { bundledCreateProver } from '../gpu-proof/create-prover.js';
import type { Times } from '../lib/measure.js';
import { peakMebibytes } from '../lib/peak-memory.js';
import { warmUp } from '../lib/warm-up.js';
import { loadSnarkjs, type Proved, type UniversalProtocol } from './snarkjs.js';

/** What a process is asked for. `zkey` and `witness` are paths. */
export interface ProcessRequest {
  readonly contender: 'pippin' | 'snarkjs';
  readonly protocol: UniversalProtocol;
  /** What Pippin computes with. */
  readonly backend: BackendChoice;
  readonly threads: number;
  readonly zkey: string;
  readonly witness: string;
  /** Timed proofs after the first one. */
  readonly later: number;
}

/** What a fresh process measured. */
export interface ProcessResult {
  /** From the files, with the code loaded, to the first proof. */
  readonly first: Times;
  readonly later: readonly Times[];
  /** The largest resident set in MiB at the end. */
  readonly peak: number;
  /** The last proof. */
  readonly proved: Proved;
  /** Pippin's report of it. */
  readonly report?: Report;
}

/** The option that makes the benchmark serve as such a process. */
export const PROVING_PROCESS = '--proving-process';

/** Starts a process that makes proofs, and waits for it. */
export function provingProcess(request: ProcessRequest): ProcessResult {
  const args = [process.argv[1]!, PROVING_PROCESS, JSON.stringify(request)];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 2 ** 26 }));
}

/** Serves as the process: prints a `ProcessResult` as JSON. @param folder of what scripts/bench.mjs puts beside it. */
export async function serveProofs(folder: URL, json: string): Promise<void> {
  const request = JSON.parse(json) as ProcessRequest;
  const { open, close } =
    request.contender === 'pippin' ? await pippin(folder, request) : await snarkjs(folder, request);
  let prove: (() => Promise<Made>) | undefined;
  const first = await timed(async () => {
    prove = await open();
    return prove();
  });
  let last = first.made;
  // An idle GPU has to raise its clock first.
  if (request.backend !== 'wasm' && request.contender === 'pippin' && request.later > 0) await warmUp(prove!);
  const later: Times[] = [];
  for (let i = 0; i < request.later; i++) {
    const { times, made } = await timed(prove!);
    later.push(times);
    last = made;
  }
  const { report } = last;
  const result: ProcessResult = {
    first: first.times,
    later,
    peak: peakMebibytes(),
    proved: { proof: last.proof, publicSignals: last.publicSignals } as Proved,
    ...(report === undefined ? {} : { report }),
  };
  await close();
  process.stdout.write(JSON.stringify(result));
}

type Made = Proved & { readonly report?: Report };

/** A prover whose code is loaded. `open` makes it ready to prove, which belongs to the first proof. */
interface Contender {
  open(): Promise<() => Promise<Made>>;
  close(): Promise<void>;
}

async function pippin(folder: URL, request: ProcessRequest): Promise<Contender> {
  const createProver = await bundledCreateProver(new URL('sdk/node.js', folder));
  const { protocol, backend, threads, zkey } = request;
  const witness = new Uint8Array(readFileSync(request.witness));
  let close = async (): Promise<void> => undefined;
  return {
    async open() {
      const prover = await createProver({ backend, threads, cache: false });
      close = () => prover.dispose();
      const key = await prover[protocol].loadKey(zkey);
      return () => prover[protocol].prove(key as never, witness);
    },
    // Dawn ends the process with an error if kernels are still being compiled.
    close: () => close(),
  };
}

/** snarkjs reads the key's file for each proof. */
async function snarkjs(folder: URL, { protocol, threads, zkey, witness }: ProcessRequest): Promise<Contender> {
  limitCpus(threads);
  const { prove } = await loadSnarkjs(new URL('snarkjs.cjs', folder), protocol);
  return { open: async () => () => prove(zkey, witness), close: async () => undefined };
}

async function timed(work: () => Promise<Made>): Promise<{ readonly times: Times; readonly made: Made }> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  const made = await work();
  const wall = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  return { times: { wall, cpu: (user + system) / 1000 }, made };
}
