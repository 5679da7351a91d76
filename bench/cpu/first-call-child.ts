import { readFileSync } from 'node:fs';
import { peakMebibytes } from '../lib/peak-memory.js';
import { builtCreateProver } from './built-prover.js';
import { checkWith, type Proved } from './check.js';
import { limitCpus } from './peers/limit-cpus.js';

/**
 * What this script is asked for: `node first-call-child.mjs REQUEST`, where REQUEST is this object as JSON. The script
 * makes one proof in a fresh process and prints a `FirstCall` as JSON. Before the clock starts it loads the contender's
 * code, the witness, and the key unless `keyAsFile` is set. `zkey`, `witness` and `verificationKey` are paths.
 */
export interface FirstCallRequest {
  readonly contender: 'pippin' | 'snarkjs';
  readonly threads: number;
  readonly zkey: string;
  readonly witness: string;
  readonly verificationKey: string;
  /** The folder of Pippin's cache; without it, Pippin does not use a cache. */
  readonly cache?: string | undefined;
  /** Whether the prover reads the key from its file instead of from memory. */
  readonly keyAsFile?: boolean | undefined;
}

/**
 * Milliseconds of wall and CPU time until the proof is made, and the largest resident set of the process by then in
 * MiB.
 */
export interface FirstCall {
  readonly wall: number;
  readonly cpu: number;
  readonly peak: number;
}

const request = JSON.parse(process.argv[2]!) as FirstCallRequest;
const witness = new Uint8Array(readFileSync(request.witness));
const zkey = request.keyAsFile ? request.zkey : readFileSync(request.zkey);
const prove = request.contender === 'pippin' ? await pippin(request) : await snark(request);
const cpuBefore = process.cpuUsage();
const start = performance.now();
const proved = await prove();
const wall = performance.now() - start;
const { user, system } = process.cpuUsage(cpuBefore);
const peak = peakMebibytes();
await checkWith(request.verificationKey)(proved);
process.stdout.write(JSON.stringify({ wall, cpu: (user + system) / 1000, peak } satisfies FirstCall));
process.exit(0);

async function pippin({ threads, cache }: FirstCallRequest): Promise<() => Promise<Proved>> {
  const createProver = await builtCreateProver();
  const stored = cache === undefined ? false : { directory: cache };
  return async () => {
    const prover = await createProver({ backend: 'wasm', threads, cache: stored });
    // The key is moved and not copied, because snarkjs does not keep a copy either.
    const key = await prover.groth16.loadKey(zkey, { transfer: true });
    return prover.groth16.prove(key, witness, { verify: false });
  };
}

async function snark({ threads }: FirstCallRequest): Promise<() => Promise<Proved>> {
  limitCpus(threads);
  const snarkjs = await import('snarkjs');
  return () => snarkjs.groth16.prove(zkey, witness);
}
