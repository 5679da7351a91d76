import { readFileSync } from 'node:fs';
import * as snarkjs from 'snarkjs';
import type { CircuitInputs, Groth16VerificationKey } from '../../sdk/api/index.js';
import { CURVES, type CurveId } from '../../sdk/curves/index.js';
import { root } from './root.js';

const folder = `${root}/examples/groth16-commitment/key`;

/** The circuit of the example, with its key and inputs. It has about 6 000 constraints. */
export const example = {
  zkeyPath: `${folder}/note.zkey`,
  wasmPath: `${folder}/note.wasm`,
  inputs: JSON.parse(readFileSync(`${folder}/input.json`, 'utf8')) as CircuitInputs,
  verificationKey: JSON.parse(readFileSync(`${folder}/note.vkey.json`, 'utf8')) as Groth16VerificationKey,
} as const;

let madeWtns: Promise<Uint8Array> | undefined;

/** The example's witness in snarkjs' .wtns form, made by snarkjs once for all files of a process. */
export async function exampleWtns(): Promise<Uint8Array> {
  madeWtns ??= calculateWtns();
  return (await madeWtns).slice();
}

async function calculateWtns(): Promise<Uint8Array> {
  const file: { type: 'mem'; data?: Uint8Array } = { type: 'mem' };
  await snarkjs.wtns.calculate(example.inputs as Record<string, unknown>, example.wasmPath, file);
  return file.data!;
}

/** Whether snarkjs accepts a proof of the example. */
export function snarkjsVerifies(publicSignals: readonly string[], proof: unknown): Promise<boolean> {
  return snarkjs.groth16.verify(example.verificationKey, [...publicSignals], proof);
}

/**
 * Ends the workers that snarkjs has for a curve, if it has some: they would keep the process alive. Where test files share a
 * process (`vitest.config.ts`), which Vitest ends, they stay for the other files: snarkjs takes a second of CPU time to
 * make the WASM of a curve.
 */
export async function endSnarkjsOver(curve: CurveId): Promise<void> {
  if (process.env.PIPPIN_SHARED_PROCESS === '1') return;
  const made = Reflect.get(globalThis, `curve_${CURVES[curve].snarkjs!.name}`) as
    | snarkjs.SnarkjsCurve
    | null
    | undefined;
  await made?.terminate();
}

/** The same over BN254. */
export function endSnarkjs(): Promise<void> {
  return endSnarkjsOver('bn254');
}
