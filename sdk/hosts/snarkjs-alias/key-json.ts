import { bytesToBigint } from '../../base/bytes.js';
import { PippinError } from '../../base/errors.js';
import { CURVES, pointBytes, SCALAR_BYTES } from '../../curves/index.js';
import { inverse } from '../../curves/modular.js';
import type { ByteSource } from '../../files/byte-source.js';
import { g2PointToJson, pointToJson } from '../../files/snarkjs/json-values.js';
import { viewOf } from '../../files/snarkjs/section-file.js';
import { SequentialReader } from '../../files/snarkjs/sequential-reader.js';
import { COEFFICIENT_BYTES, readZkey, type Zkey } from '../../files/snarkjs/zkey.js';
import { type KeyVector, montgomeryReader } from '../../files/snarkjs/zkey-header.js';
import type { SnarkjsKeyCoefficient, SnarkjsKeyJson } from './api.js';

/**
 * `zKey.exportJson` of snarkjs for a key of Groth16. Fails as `readZkey` does, with `INVALID_POINT` for a coordinate
 * that is not below p, and with `MALFORMED_FILE` for a coefficient of another matrix than A and B, of a signal that the
 * key does not have, or not below r.
 */
export async function keyJson(source: ByteSource): Promise<SnarkjsKeyJson> {
  const key = await readZkey(source);
  const { curve, facts, points, vectors } = key;
  const { coordinateBytes, fq, fr } = CURVES[curve];
  const g1 = (point: Uint8Array): string[] => pointToJson(curve, point);
  const g2 = (point: Uint8Array): string[][] => g2PointToJson(curve, point);
  return {
    protocol: 'groth16',
    n8q: coordinateBytes,
    q: String(fq.modulus),
    n8r: SCALAR_BYTES,
    r: String(fr.modulus),
    nVars: facts.variables,
    nPublic: facts.publicSignals,
    domainSize: facts.domainSize,
    power: Math.log2(facts.domainSize),
    vk_alpha_1: g1(points.alpha1),
    vk_beta_1: g1(points.beta1),
    vk_beta_2: g2(points.beta2),
    vk_gamma_2: g2(points.gamma2),
    vk_delta_1: g1(points.delta1),
    vk_delta_2: g2(points.delta2),
    IC: points.ic.map(g1),
    ccoefs: await coefficients(key),
    A: await pointsOf(key, vectors.A, 'A', g1),
    B1: await pointsOf(key, vectors.B1, 'B1', g1),
    B2: await pointsOf(key, vectors.B2, 'B2', g2),
    C: afterHoles(facts.publicSignals + 1, await pointsOf(key, vectors.C, 'C', g1)),
    hExps: await pointsOf(key, vectors.H, 'H', g1),
  };
}

/** Reads each point of a vector, and converts it. */
async function pointsOf<Json>(
  { curve }: Zkey,
  { group, count, bytes }: KeyVector,
  name: string,
  toJson: (point: Uint8Array) => Json,
): Promise<Json[]> {
  const size = pointBytes(curve, group);
  const canonical = montgomeryReader(CURVES[curve]);
  const reader = new SequentialReader(bytes);
  const read: Json[] = [];
  for (let i = 0; i < count; i++) read.push(toJson(canonical(await reader.take(size), `${name}[${i}]`)));
  return read;
}

/** The entries of the matrices A (0) and B (1), which the file has times 2^512 mod r. */
async function coefficients({ curve, facts, coefficients: rows }: Zkey): Promise<SnarkjsKeyCoefficient[]> {
  const r = CURVES[curve].fr.modulus;
  const inverseR2 = inverse(1n << BigInt(16 * SCALAR_BYTES), r);
  const reader = new SequentialReader(rows);
  const read: SnarkjsKeyCoefficient[] = [];
  while (reader.left > 0) {
    const row = await reader.take(COEFFICIENT_BYTES);
    const view = viewOf(row);
    const [matrix, constraint, signal] = [0, 4, 8].map((at) => view.getUint32(at, true)) as [number, number, number];
    const written = bytesToBigint(row, 12, SCALAR_BYTES);
    if (matrix > 1 || signal >= facts.variables || written >= r) {
      throw new PippinError(
        'MALFORMED_FILE',
        `expected coefficient ${read.length} of matrix 0 or 1, of a signal below ${facts.variables}, and below r, got matrix ${matrix}, signal ${signal}`,
      );
    }
    read.push({ matrix, constraint, signal, value: String((written * inverseR2) % r) });
  }
  return read;
}

/** The elements behind `holes` empty places, as snarkjs numbers them. */
function afterHoles<Element>(holes: number, elements: readonly Element[]): Element[] {
  const all = new Array<Element>(holes);
  for (const element of elements) all.push(element);
  return all;
}
