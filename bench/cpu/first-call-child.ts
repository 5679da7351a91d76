import { existsSync, readFileSync } from 'node:fs';
import { builtCreateProver } from './built-prover.js';
import { checkWith, type Proved } from './check.js';
import { limitCpus } from './peers/limit-cpus.js';

/**
 * A process that makes one proof and says what it took: `node first-call-child.mjs REQUEST`, REQUEST being JSON. Its own
 * modules are loaded and files are read before the clock starts.
 */
export interface FirstCallRequest {
  readonly contender: 'pippin' | 'snarkjs';
  readonly threads: number;
  readonly zkey: string;
  readonly witness: string;
  readonly verificationKey: string;
  /** A folder in which Pippin finds its prepared key; otherwise it keeps none. */
  readonly cache?: string | undefined;
  /** Whether the prover reads the key from its file instead of from memory. */
  readonly keyAsFile?: boolean | undefined;
}

/** Milliseconds of the proof, and the process's largest resident set until then, in MiB. */
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

/** Taken from the operating system's own record if there is one: on Linux `maxRSS` counts the process that started this one as well. */
function peakMebibytes(): number {
  const status = '/proc/self/status';
  const [, kibibytes] = (existsSync(status) && readFileSync(status, 'utf8').match(/^VmHWM:\s*(\d+) kB$/m)) || [];
  return (kibibytes === undefined ? process.resourceUsage().maxRSS : Number(kibibytes)) / 1024;
}

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
