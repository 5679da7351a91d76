import { throwIfAborted } from '../../base/abort.js';
import { bytesToBigint, joinBytes } from '../../base/bytes.js';
import { type Curve, pointBytes, SCALAR_BYTES } from '../../curves/index.js';
import { inverse } from '../../curves/modular.js';
import type { ByteSource } from '../../files/byte-source.js';
import type { KeyVector } from '../../files/snarkjs/zkey-header.js';
import { CHUNK_POINTS } from '../ceremony-work.js';
import { toMontgomery } from '../contributions.js';
import type { PowersJson, PowersJsonContribution, PowersJsonSecret } from './api.js';
import { expectLagrangeVectors, openPowers, POINTS, vectorOf } from './powers-file.js';
import type { PowersRecord, SecretName } from './powers-history.js';

/**
 * Powers of tau that are prepared for phase 2, as snarkjs 0.7.6 exports them. `UNSUPPORTED_FORMAT` for others. Points
 * are not checked.
 */
export async function powersJson(source: ByteSource, signal: AbortSignal | undefined): Promise<PowersJson> {
  const powers = await openPowers(source);
  const { curve, power } = powers;
  const lagrange = expectLagrangeVectors(powers);
  const number = numbersOver(curve);
  const numbersOf = (vector: KeyVector): Promise<string[]> => pointNumbers(curve, vector, number, signal);
  const points = (i: number): Promise<string[]> => numbersOf(vectorOf(powers, POINTS[i]!));
  /** For each domain, of 1, 2, 4, .. points; snarkjs leaves out the largest one of tau in G1. */
  const domains = async (i: number): Promise<string[][]> => {
    const numbers = await numbersOf(lagrange[i]!);
    return Array.from({ length: power + 1 }, (_, k) => numbers.slice(2 ** k - 1, 2 ** (k + 1) - 1));
  };
  return {
    q: String(curve.fq.modulus),
    power,
    contributions: powers.contributions.map((record, i) => contributionJson(curve, record, number, i + 1)),
    tauG1: await points(0),
    tauG2: await points(1),
    alphaTauG1: await points(2),
    betaTauG1: await points(3),
    betaG2: await points(4),
    lTauG1: await domains(0),
    lTauG2: await domains(1),
    lAlphaTauG1: await domains(2),
    lBetaTauG1: await domains(3),
  };
}

async function pointNumbers(
  curve: Curve,
  { group, count, bytes }: KeyVector,
  number: NumberOf,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const size = pointBytes(curve.id, group);
  const numbers: string[] = [];
  for (let from = 0; from < count; from += CHUNK_POINTS) {
    throwIfAborted(signal);
    const some = Math.min(CHUNK_POINTS, count - from);
    const chunk = await bytes.read(from * size, some * size);
    for (let i = 0; i < some; i++) numbers.push(number(chunk.subarray(i * size)));
  }
  return numbers;
}

/** What snarkjs writes for bytes: the first 32 as an element of Fr in Montgomery form, whatever they are. */
type NumberOf = (bytes: Uint8Array) => string;

function numbersOver({ fr }: Curve): NumberOf {
  const fromMontgomery = inverse(1n << BigInt(8 * SCALAR_BYTES), fr.modulus);
  return (bytes) => String((bytesToBigint(bytes, 0, SCALAR_BYTES) * fromMontgomery) % fr.modulus);
}

function contributionJson(
  curve: Curve,
  { points, state, hash, nextChallenge, name, beacon }: PowersRecord,
  number: NumberOf,
  id: number,
): PowersJsonContribution {
  const point = (of: keyof typeof points): string => number(toMontgomery(curve, points[of]));
  const secret = (of: SecretName): PowersJsonSecret => ({
    g1_s: point(`${of}S`),
    g1_sx: point(`${of}Sx`),
    g2_spx: point(`${of}Spx`),
  });
  return {
    tauG1: point('tauG1'),
    tauG2: point('tauG2'),
    alphaG1: point('alphaG1'),
    betaG1: point('betaG1'),
    betaG2: point('betaG2'),
    key: { tau: secret('tau'), alpha: secret('alpha'), beta: secret('beta') },
    partialHash: number(state),
    nextChallenge: number(nextChallenge),
    type: beacon === undefined ? 0 : 1,
    responseHash: number(hash),
    ...(name !== undefined && { name }),
    ...(beacon && {
      numIterationsExp: beacon.iterations,
      // Where it is shorter, snarkjs goes on with what it has converted before.
      beaconHash: number(joinBytes([beacon.hash, hash.subarray(beacon.hash.length)])),
    }),
    id,
  };
}
