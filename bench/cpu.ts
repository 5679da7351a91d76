import { pippenger } from '@noble/curves/abstract/curve.js';
import { bn254 as nobleBn254 } from '@noble/curves/bn254.js';
import { buildBn128 } from 'ffjavascript';
import { bls12377, bn254, type CurveParameters } from '../sdk/curves/index.js';
import { bigintToBytes, bytesToBigint } from '../sdk/field/bytes.js';
import { pointForm } from '../sdk/msm/prepared.js';
import { expectEqual, loadKernel } from './lib/kernel.js';
import { compare } from './lib/measure.js';
import { consecutiveMultiples, type Distribution, expectedFactor, makeScalars, multipleBytes } from './lib/points.js';
import { BenchReport, numbersOption } from './lib/report.js';

/**
 * The WASM kernels on one thread, beside ffjavascript (what snarkjs runs) on one thread and, at small sizes, @noble/curves. Wall
 * milliseconds; every result is checked.
 */
const RUNS = numbersOption('--runs', [7])[0]!;
const report = new BenchReport('WASM kernels, one thread');
const ff = await buildBn128(true);
const kernel = await loadKernel('bn254');

/** Elements that a batch of field products is measured on. */
const BATCH = 1 << 16;
{
  const values = makeScalars(bn254, BATCH, 'uniform');
  const montgomery = await ff.Fr.batchToMontgomery(values);
  report.add(
    `Fr products, 2^16 a batch`,
    await compare(
      [
        {
          name: 'pippin, a[i] b[i]',
          run: () => kernel.multiplyElements(values, values),
          check: (result) => {
            const a = bytesToBigint(values, 32, 32);
            expectEqual((result as Uint8Array).slice(32, 64), bigintToBytes((a * a) % bn254.fr.modulus, 32), 'product');
          },
        },
        { name: 'ffjavascript, conversion', run: () => ff.Fr.batchFromMontgomery(montgomery) },
      ],
      RUNS,
    ),
  );
}

for (const log of numbersOption('--sizes', [12, 14, 16])) {
  const values = makeScalars(bn254, 2 ** log, 'uniform');
  const montgomery = await ff.Fr.batchToMontgomery(values);
  const expected = await ff.Fr.batchFromMontgomery(await ff.Fr.fft(montgomery));
  report.add(
    `NTT BN254 2^${log}`,
    await compare(
      [
        {
          name: 'pippin',
          run: () => kernel.transform(values, 'forward'),
          check: (result) => expectEqual(result as Uint8Array, expected, 'transform'),
        },
        { name: 'ffjavascript', run: () => ff.Fr.fft(montgomery) },
      ],
      RUNS,
    ),
  );
}

const DISTRIBUTIONS: readonly Distribution[] = ['uniform', 'sparse', 'clustered'];
for (const log of numbersOption('--sizes', [12, 14, 16])) {
  await multiplications(bn254, log);
  await multiplications(bls12377, log);
}
report.finish();
await ff.terminate();

async function multiplications(curve: CurveParameters, log: number): Promise<void> {
  const count = 2 ** log;
  const own = await loadKernel(curve.id);
  const points = consecutiveMultiples(curve, count, 3n ** 150n);
  const form = pointForm(curve.id);
  const prepared = await own.prepareBases('g1', form, 'canonical', points.bytes, 0);
  await own.loadShard('bases', 'g1', form, prepared.points);
  const peerBases = curve.id === 'bn254' ? toMontgomeryPoints(points.bytes) : undefined;
  for (const distribution of DISTRIBUTIONS) {
    const scalars = makeScalars(curve, count, distribution);
    const expected = multipleBytes(curve, expectedFactor(curve, points, scalars));
    const contenders = [
      {
        name: 'pippin',
        run: () => own.multiply('bases', scalars, undefined),
        check: (result: unknown) => expectEqual(result as Uint8Array, expected, 'multiplication'),
      },
    ];
    if (peerBases !== undefined) {
      contenders.push({
        name: 'ffjavascript',
        run: () => ff.G1.multiExpAffine(peerBases, scalars),
        check: (result: unknown) => {
          const [x, y] = ff.G1.toObject(ff.G1.toAffine(result as Uint8Array)) as [bigint, bigint];
          expectEqual(new Uint8Array([...bigintToBytes(x, 32), ...bigintToBytes(y, 32)]), expected, 'ffjavascript');
        },
      });
    }
    if (curve.id === 'bn254' && log <= 12 && distribution === 'uniform')
      contenders.push(noble(points.bytes, scalars, expected));
    report.add(`MSM ${curve.id} 2^${log} ${distribution}`, await compare(contenders, RUNS));
  }
}

/** x 2^256 mod p for every coordinate: the form that ffjavascript computes with. */
function toMontgomeryPoints(bytes: Uint8Array): Uint8Array {
  const result = new Uint8Array(bytes.length);
  for (let at = 0; at < bytes.length; at += 32) {
    result.set(bigintToBytes((bytesToBigint(bytes, at, 32) << 256n) % bn254.fq.modulus, 32), at);
  }
  return result;
}

function noble(bytes: Uint8Array, scalars: Uint8Array, expected: Uint8Array) {
  const { Point } = nobleBn254.G1;
  const points = Array.from({ length: bytes.length / 64 }, (_, i) =>
    Point.fromAffine({ x: bytesToBigint(bytes, 64 * i, 32), y: bytesToBigint(bytes, 64 * i + 32, 32) }),
  );
  const factors = Array.from({ length: scalars.length / 32 }, (_, i) => bytesToBigint(scalars, 32 * i, 32));
  return {
    name: '@noble/curves',
    run: async () => {
      const { x, y } = pippenger(Point, points, factors).toAffine();
      return new Uint8Array([...bigintToBytes(x, 32), ...bigintToBytes(y, 32)]);
    },
    check: (result: unknown) => expectEqual(result as Uint8Array, expected, '@noble/curves'),
  };
}
