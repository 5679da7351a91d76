import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BackendChoice } from '../../sdk/api/index.js';
import { median } from '../lib/measure.js';
import type { KeyedCircuit } from './circuits.js';
import type { CreateProver } from './create-prover.js';

/** Milliseconds of the steps of a fresh process that makes two proofs one after the other. */
export interface FirstProof {
  readonly create: number;
  readonly load: number;
  readonly first: number;
  readonly second: number;
  /** What computed the parts of the second proof. */
  readonly secondBackend: string;
}

interface Request {
  readonly zkey: string;
  readonly witness: string;
  readonly backend: BackendChoice;
}

/** The option by which a process is asked for it. */
export const FIRST_PROOF = '--first-proof';

/**
 * Starts a process for each run, with no cache of keys. The driver finds no compiled kernels (`cold`), or those of a
 * run that is not timed. Gives the median of each step.
 */
export function firstProof(circuit: KeyedCircuit, backend: BackendChoice, cold: boolean, runs: number): FirstProof {
  const folder = mkdtempSync(join(tmpdir(), 'gpu-proof-'));
  try {
    const request: Request = { zkey: join(folder, 'key.zkey'), witness: join(folder, 'witness.wtns'), backend };
    writeFileSync(request.zkey, circuit.zkey);
    writeFileSync(request.witness, circuit.witness);
    const call = (shaders: string): FirstProof => {
      const env = { ...process.env, __GL_SHADER_DISK_CACHE_PATH: shaders };
      const args = [process.argv[1]!, FIRST_PROOF, JSON.stringify(request)];
      return JSON.parse(execFileSync(process.execPath, args, { env, encoding: 'utf8' }));
    };
    const shaders = (): string => mkdtempSync(join(folder, 'shaders-'));
    const kept = shaders();
    if (!cold) call(kept);
    const calls = Array.from({ length: runs }, () => call(cold ? shaders() : kept));
    const step = (name: 'create' | 'load' | 'first' | 'second'): number => median(calls.map((each) => each[name]));
    const { secondBackend } = calls.at(-1)!;
    return { create: step('create'), load: step('load'), first: step('first'), second: step('second'), secondBackend };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Serves as the process of one run: prints a `FirstProof` as JSON. */
export async function serveFirstProof(createProver: CreateProver, json: string): Promise<void> {
  const { zkey, witness: file, backend } = JSON.parse(json) as Request;
  const witness = new Uint8Array(readFileSync(file));
  const began = performance.now();
  const prover = await createProver({ backend, cache: false });
  const created = performance.now();
  const key = await prover.groth16.loadKey(zkey);
  const loaded = performance.now();
  await prover.groth16.prove(key, witness);
  const first = performance.now();
  const { report } = await prover.groth16.prove(key, witness);
  const second = performance.now();
  const times: FirstProof = {
    create: created - began,
    load: loaded - created,
    first: first - loaded,
    second: second - first,
    secondBackend: report.backend,
  };
  // Dawn ends the process with an error if kernels are still being compiled.
  await prover.dispose();
  process.stdout.write(JSON.stringify(times));
}
