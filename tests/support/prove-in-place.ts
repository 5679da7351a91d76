import type { Groth16Proof } from '../../sdk/api/index.js';
import { bytesToBigint } from '../../sdk/base/bytes.js';
import { gatherScalars } from '../../sdk/bases/kept-scalars.js';
import { SCALAR_BYTES } from '../../sdk/curves/index.js';
import type { Kernel } from '../../sdk/executors/workers/kernel/kernel.js';
import { memorySource } from '../../sdk/files/byte-source.js';
import { proofToJson } from '../../sdk/files/snarkjs/proof-json.js';
import { type KeyVector, readZkey } from '../../sdk/files/snarkjs/zkey.js';
import { assembleA, assembleB, assembleC, blindC, type Combine } from '../../sdk/proofs/groth16/assemble.js';
import type { Blinding } from '../../sdk/proofs/groth16/blinding.js';

/**
 * Makes a whole Groth16 proof with one kernel on this thread, step by step. It uses only the functions of sdk/proofs/groth16 and sdk/executors/workers,
 * and not the engine.
 */
export async function proveInPlace(
  kernel: Kernel,
  zkey: Uint8Array,
  witness: Uint8Array,
  blinding: Blinding,
): Promise<{ proof: Groth16Proof; publicSignals: string[] }> {
  const { curve, facts, points, vectors, coefficients } = await readZkey(memorySource(zkey));
  const { publicSignals, domainSize } = facts;

  const entries = await coefficients.read(0, coefficients.size);
  kernel.loadConstraints({ id: 'a', matrix: 0, entries, domainSize });
  kernel.loadConstraints({ id: 'b', matrix: 1, entries, domainSize });
  const a = await kernel.evaluateConstraints({ id: 'a', witness });
  const b = await kernel.evaluateConstraints({ id: 'b', witness });
  const shifted = [];
  for (const values of [a, b, await kernel.multiplyElements({ a, b })])
    shifted.push(await kernel.shiftToCoset({ values }));
  const quotient = await kernel.quotient({ a: shifted[0]!, b: shifted[1]!, c: shifted[2]! });

  const sum = async ({ group, count, bytes }: KeyVector, scalars: Uint8Array): Promise<Uint8Array> => {
    const part = await kernel.prepareBases({
      group,
      form: 'weierstrass',
      encoding: 'montgomery',
      points: await bytes.read(0, bytes.size),
    });
    kernel.loadShard({ id: 'vector', group, form: 'weierstrass', points: part.points });
    const prepared = { ...part, curve, group, form: 'weierstrass', count } as const;
    return kernel.multiply({ id: 'vector', scalars: gatherScalars(prepared, scalars) });
  };
  const combine: Combine = (args) => kernel.combine(args);
  const pointA = await assembleA(combine, points, await sum(vectors.A, witness), blinding);
  const pointB = await assembleB(combine, points, await sum(vectors.B2, witness), blinding);
  const sums = {
    C: await sum(vectors.C, witness.subarray((publicSignals + 1) * SCALAR_BYTES)),
    H: await sum(vectors.H, quotient),
  };
  const blind = await blindC(combine, points, pointA, await sum(vectors.B1, witness), blinding);
  const pointC = await assembleC(combine, sums, blind);
  for (const id of ['a', 'b']) kernel.releaseConstraints({ id });
  kernel.releaseShard({ id: 'vector' });
  return {
    proof: proofToJson(curve, pointA, pointB, pointC),
    publicSignals: Array.from({ length: publicSignals }, (_, i) =>
      String(bytesToBigint(witness, (i + 1) * SCALAR_BYTES, SCALAR_BYTES)),
    ),
  };
}
