import type { Groth16Proof } from '../../sdk/api/index.js';
import { bytesToBigint } from '../../sdk/base/bytes.js';
import { gatherScalars } from '../../sdk/bases/finishing.js';
import { bytesOfScalars, hostScalars, type ScalarVector, SharedScalars } from '../../sdk/bases/scalar-vector.js';
import { SCALAR_BYTES } from '../../sdk/curves/index.js';
import type { Kernel } from '../../sdk/executors/workers/kernel/kernel.js';
import { memorySource } from '../../sdk/files/byte-source.js';
import { proofToJson } from '../../sdk/files/snarkjs/groth16-json.js';
import { readZkey } from '../../sdk/files/snarkjs/zkey.js';
import type { Groth16Part } from '../../sdk/proofs/groth16/parts.js';
import { type Blinding, type ProtocolContext, prove } from '../../sdk/proofs/groth16/prove.js';

/**
 * Makes a whole Groth16 proof with one kernel on this thread, by the protocol of sdk/proofs/groth16 and without the
 * engine. The blinding stays as it is.
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
  const quotient = await kernel.multiplySubtract({ a: shifted[0]!, b: shifted[1]!, c: shifted[2]! });

  let last: Promise<unknown> = Promise.resolve();
  /** The kernel does one thing at a time. */
  const inTurn = <T>(work: () => Promise<T> | T): Promise<T> => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
  const msm = async (part: Groth16Part, scalars: ScalarVector): Promise<Uint8Array> => {
    const { group, count, bytes } = vectors[part];
    const vector = await kernel.prepareBases({
      group,
      form: 'weierstrass',
      encoding: 'montgomery',
      points: await bytes.read(0, bytes.size),
    });
    kernel.loadShard({ id: 'vector', group, form: 'weierstrass', points: vector.points });
    const prepared = { ...vector, curve, group, form: 'weierstrass', count } as const;
    return kernel.multiply({ id: 'vector', scalars: gatherScalars(prepared, bytesOfScalars(scalars)) });
  };
  const context: ProtocolContext = {
    msm: (part, scalars) => inTurn(() => msm(part, scalars)),
    quotient: (use) => use(hostScalars(quotient)),
    combine: (args) => inTurn(() => kernel.combine(args)),
    finish: (work) => work(),
    report: () => undefined,
  };
  const copy = { r: blinding.r.slice(), s: blinding.s.slice() };
  const { a: pointA, b: pointB, c: pointC } = await prove(context, { facts, points }, new SharedScalars(witness), copy);
  for (const id of ['a', 'b']) kernel.releaseConstraints({ id });
  kernel.releaseShard({ id: 'vector' });
  return {
    proof: proofToJson(curve, pointA, pointB, pointC),
    publicSignals: Array.from({ length: publicSignals }, (_, i) =>
      String(bytesToBigint(witness, (i + 1) * SCALAR_BYTES, SCALAR_BYTES)),
    ),
  };
}
