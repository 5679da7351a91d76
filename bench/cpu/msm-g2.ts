import { readFile } from 'node:fs/promises';
import { bn254 as nobleBn254 } from '@noble/curves/bn254.js';
import { bigintToBytes } from '../../sdk/base/bytes.js';
import { bn254 } from '../../sdk/curves/index.js';
import { mod } from '../../sdk/curves/modular.js';
import { expectEqual } from '../lib/kernel.js';
import { compare } from '../lib/measure.js';
import { expectedFactor, makeScalars } from '../lib/points.js';
import type { BenchReport } from '../lib/report.js';
import { type CpuOptions, ROW_LIMIT_MS } from './options.js';
import { toFfjavascript } from './peers/ffjavascript.js';
import type { Peers } from './peers/peers.js';
import { Multiples } from './setup/multiples.js';

const LOG = 14;
const FIRST = 3n ** 150n;
const BAR = 5;

/** Measures a multi-scalar multiplication in BN254's G2 over loaded bases. */
export async function g2Rows(options: CpuOptions, report: BenchReport, peers: Peers): Promise<void> {
  const work = `MSM bn254 G2 2^${LOG} uniform`;
  if (!options.wants(work)) return;
  const count = 2 ** LOG;
  const multiples = await Multiples.create(await readFile(new URL('./bn254.wasm', import.meta.url)));
  const factors = Array.from({ length: count }, (_, i) => FIRST + BigInt(i));
  const points = { bytes: multiples.of('g2', factors), first: FIRST };
  const scalars = makeScalars(bn254, count, 'uniform');
  const expected = nobleMultiple(expectedFactor(bn254, points, scalars));
  const prover = await peers.prover();
  const bases = await prover.loadBases({ curve: 'bn254', group: 'g2', points: points.bytes });
  const { G2 } = await peers.ffjavascript('bn254');
  const peerBases = toFfjavascript(bn254, points.bytes);
  const contenders = [
    {
      name: `pippin, ${options.threads} threads`,
      run: async () => (await prover.msm(bases, scalars)).bytes,
    },
    {
      name: 'ffjavascript',
      run: async () => g2Bytes(G2.toObject(G2.toAffine(await G2.multiExpAffine(peerBases, scalars))) as bigint[][]),
    },
  ];
  const checked = contenders.map((contender) => ({
    ...contender,
    check: (result: unknown) => expectEqual(result as Uint8Array, expected, contender.name),
  }));
  report.add(work, await compare(checked, options.runs, ROW_LIMIT_MS), { ffjavascript: BAR });
  await bases.dispose();
}

function nobleMultiple(factor: bigint): Uint8Array {
  const { x, y } = nobleBn254.G2.Point.BASE.multiply(mod(factor, bn254.fr.modulus)).toAffine();
  return g2Bytes([
    [x.c0, x.c1],
    [y.c0, y.c1],
  ]);
}

/** The boundary form of a point: c0 and c1 of x, then of y. */
function g2Bytes(coordinates: readonly (readonly bigint[])[]): Uint8Array {
  const values = coordinates.slice(0, 2).flat();
  return new Uint8Array(values.flatMap((value) => [...bigintToBytes(value, bn254.coordinateBytes)]));
}
