import { pointForm } from '../../sdk/bases/prepared.js';
import { ScalarCheck } from '../../sdk/bases/scalar-bits.js';
import { bn254, type Curve, type GroupId, SCALAR_BYTES } from '../../sdk/curves/index.js';
import type { Kernel } from '../../sdk/executors/workers/kernel/kernel.js';
import { memorySource } from '../../sdk/files/byte-source.js';
import { plainCopy } from '../../sdk/files/plain-copy.js';
import { parseProof, parseVerificationKey } from '../../sdk/files/snarkjs/groth16-json.js';
import { parsePublicSignals } from '../../sdk/files/snarkjs/json-values.js';
import { readWtns } from '../../sdk/files/snarkjs/wtns.js';
import { checkCoefficientSignals, readZkey } from '../../sdk/files/snarkjs/zkey.js';
import { joinZkeyChunks } from '../../sdk/files/snarkjs/zkey-chunks.js';
import { boundedModule } from '../../sdk/files/witness/bounded-module.js';
import { flattenInputs, plainInputs } from '../../sdk/files/witness/circuit-inputs.js';
import { isOnCurve } from '../support/curve-reference.js';
import { integersIn } from './mutated-bytes.js';

/** The most bytes that a circuit's memory may take. */
export const WITNESS_MEMORY = 2 ** 26;

/** Reads a .zkey as `loadKey` does, up to what a worker keeps of it. */
export async function readKey(kernel: Kernel, file: Uint8Array): Promise<void> {
  await prepareKey(kernel, await readZkey(memorySource(file)));
}

export async function readKeyChunks(kernel: Kernel, chunks: readonly Uint8Array[]): Promise<void> {
  await prepareKey(kernel, await readZkey(await joinZkeyChunks(chunks.map(memorySource))));
}

async function prepareKey(kernel: Kernel, key: Awaited<ReturnType<typeof readZkey>>): Promise<void> {
  const entries = await key.coefficients.read(0, key.coefficients.size);
  checkCoefficientSignals(entries, key.facts);
  // The kernel is BN254's. The pool would take another.
  if (key.curve !== bn254.id) return;
  for (const { group, bytes } of Object.values(key.vectors)) {
    const points = await bytes.read(0, bytes.size);
    await kernel.prepareBases({ group, form: 'weierstrass', encoding: 'montgomery', points });
  }
  for (const matrix of [0, 1] as const) {
    kernel.loadConstraints({ id: 'matrix', matrix, entries, domainSize: key.facts.domainSize });
    kernel.releaseConstraints({ id: 'matrix' });
  }
}

/** Reads a .wtns. Throws unless what is read is just what its section 2 says. */
export async function readWitnessFile(file: Uint8Array, variables: number): Promise<void> {
  const values = await readWtns(memorySource(file), { curve: bn254.id, variables });
  if (Buffer.compare(values, sectionBody(file, 2)) !== 0)
    throw new Error('expected the witness of the file, got another');
  const integers = integersIn(values, SCALAR_BYTES);
  if (integers.length !== variables || integers[0] !== 1n || integers.some((value) => value >= bn254.fr.modulus)) {
    throw new Error('expected to refuse a witness that is none');
  }
}

/** The section of a file that was taken, which so has it once. What follows the sections is not looked at. */
export function sectionBody(file: Uint8Array, wanted: number): Uint8Array {
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  let at = 12;
  while (view.getUint32(at, true) !== wanted) at += 12 + view.getUint32(at + 4, true);
  return file.subarray(at + 12, at + 12 + view.getUint32(at + 4, true));
}

/**
 * Bounds the memory of a circuit's WASM. Throws if that makes a valid module invalid, or leaves something to be
 * bounded.
 */
export function boundCircuit(wasm: Uint8Array): void {
  const bounded = boundedModule(wasm, WITNESS_MEMORY);
  if (!WebAssembly.validate(wasm as Uint8Array<ArrayBuffer>)) return;
  if (!WebAssembly.validate(bounded as Uint8Array<ArrayBuffer>)) throw new Error('expected a valid module, bounded');
  if (Buffer.compare(boundedModule(bounded, WITNESS_MEMORY), bounded) !== 0)
    throw new Error('expected a bounded module');
}

/** The kinds of JSON that callers give, by name, and what reads each. */
export const JSON_READERS = {
  verificationKey: (json: unknown) => parseVerificationKey(plain(json, 'a verification key')),
  publicSignals: (json: unknown) => parsePublicSignals(plain(json, 'public signals'), bn254.id),
  proof: (json: unknown) => parseProof(plain(json, 'a proof'), bn254.id),
  inputs: (json: unknown) => flattenInputs(plainInputs(json as never), bn254.fr.modulus),
} as const;

const plain = (json: unknown, whole: string): unknown =>
  plainCopy(json, { code: 'MALFORMED_FILE', whole, single: 'JSON' });

/** Prepares points. In G1, throws if a point is taken that is not on the curve, or one refused that is. */
export async function preparePoints(kernel: Kernel, curve: Curve, group: GroupId, points: Uint8Array): Promise<void> {
  const arePoints = group === 'g2' || areOnCurve(curve, points);
  const request = { group, form: pointForm(curve.id, group), encoding: 'canonical', points } as const;
  await kernel.prepareBases(request).catch((error: Error) => {
    if (group === 'g2' || !arePoints || (error as { code?: string }).code === 'INVALID_LENGTH') throw error;
    throw new Error('expected to take points of the curve', { cause: error });
  });
  if (!arePoints) throw new Error('expected to refuse points that are not on the curve');
}

/** Whether all are points of G1 in boundary form. */
export function areOnCurve(curve: Curve, points: Uint8Array): boolean {
  const coordinates = integersIn(points, curve.coordinateBytes);
  for (let i = 0; i + 1 < coordinates.length; i += 2) {
    const [x, y] = [coordinates[i]!, coordinates[i + 1]!];
    if (x === 0n && y === 0n) continue;
    if (x >= curve.fq.modulus || y >= curve.fq.modulus || !isOnCurve(curve, [x, y])) return false;
  }
  return true;
}

/**
 * Checks scalars. Throws if one is taken that is not below r, if all are refused though they are, or if their bits are
 * told wrong.
 */
export function readScalars(curve: Curve, scalars: Uint8Array, count: number): void {
  const { scalarBytes: size, fr } = curve;
  const values = integersIn(scalars, size);
  const areScalars = scalars.length === count * size && values.every((value) => value < fr.modulus);
  let bits: number;
  try {
    const check = new ScalarCheck(curve.id, scalars, count);
    check.upTo();
    bits = check.bits;
  } catch (error) {
    if (areScalars) throw new Error('expected to take scalars below r', { cause: error });
    throw error;
  }
  if (!areScalars) throw new Error('expected to refuse what are no scalars');
  const lengths = values.map((value) => (2n * value < fr.modulus ? value : fr.modulus - value).toString(2).length);
  if (bits !== Math.max(1, ...lengths)) throw new Error(`expected ${Math.max(1, ...lengths)} bits, got ${bits}`);
}
