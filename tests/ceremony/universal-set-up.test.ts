import * as snarkjs from 'snarkjs';
import { beforeAll, describe, expect, it } from 'vitest';
import type { UniversalProtocol } from '../../sdk/ceremony/universal/api.js';
import { CURVES, type CurveId, pointBytes } from '../../sdk/curves/index.js';
import { chainOver, circuitFile, MAKING_TIMEOUT, snarkjsWitness } from '../support/circuits.js';
import { EVERY_COMBINATION } from '../support/every-combination.js';
import { inPlaceProver } from '../support/in-place-prover.js';
import { withPreparedPowers } from '../support/prepared-powers.js';
import type { Term } from '../support/r1cs-reference.js';
import { Random } from '../support/random.js';
import { sectionFile, sectionsOf, withSection } from '../support/section-bytes.js';
import { UNIVERSAL_SYSTEMS } from '../support/universal-systems.js';
import { powersInPlace, universalKeysInPlace } from './ceremony-in-place.js';
import { readBytes } from './first-key.js';
import { type CircuitFacts, r1csFile, type Sums } from './r1cs-file.js';

const { newUniversalKey } = universalKeysInPlace();
const quiet = { info: () => {}, debug: () => {}, error: () => {}, warn: () => {} };
const HEADER_SECTION = 2;

/** The key that snarkjs makes; undefined for a circuit that it refuses. */
async function bySnarkjs(protocol: UniversalProtocol, r1cs: string | Uint8Array, ptau: string | Uint8Array) {
  const made: snarkjs.MemoryFile = { type: 'mem' };
  const log = console.log;
  // It prints a line for each wire that no gate has.
  console.log = () => {};
  try {
    const { setup } = protocol === 'plonk' ? snarkjs.plonk : snarkjs.fflonk;
    return (await setup(r1cs, ptau, made, quiet)) === -1 ? undefined : new Uint8Array(made.data!);
  } finally {
    console.log = log;
  }
}

async function here(
  protocol: UniversalProtocol,
  r1cs: string | Uint8Array,
  ptau: string | Uint8Array,
): Promise<Uint8Array> {
  const { zkey } = await newUniversalKey(r1cs, ptau, { protocol });
  return new Uint8Array(await zkey!.arrayBuffer());
}

/** Makes the key here and by snarkjs, and compares them section by section. */
async function expectSameKey(
  protocol: UniversalProtocol,
  curve: CurveId,
  r1cs: string | Uint8Array,
  ptau: string | Uint8Array,
): Promise<Uint8Array> {
  const ours = await here(protocol, r1cs, ptau);
  const theirs = (await bySnarkjs(protocol, r1cs, ptau))!;
  // Over BLS12-381 snarkjs writes two numbers that are not the roots of unity that an FFLONK key needs.
  const hasWrongRoots = protocol === 'fflonk' && curve !== 'bn254';
  const expected = sectionsOf(theirs);
  for (const [i, [id, bytes]] of sectionsOf(ours).entries()) {
    const [expectedId, expectedBytes] = expected[i]!;
    if (hasWrongRoots && id === HEADER_SECTION) {
      const roots = 2 * 4 + CURVES[curve].coordinateBytes + 32 + 20 + 2 * 32;
      // w3 and wr; w4 and w8 lie between them.
      for (const at of [roots, roots + 3 * 32]) expectedBytes.set(bytes.subarray(at, at + 32), at);
    }
    expect([id, bytes.length, Buffer.compare(bytes, expectedBytes)]).toEqual([expectedId, expectedBytes.length, 0]);
  }
  if (!hasWrongRoots) expect(Buffer.compare(ours, theirs)).toBe(0);
  return ours;
}

/** Powers of tau as FFLONK takes them; snarkjs looks for a section of Lagrange polynomials, but not into it. */
async function fflonkPowersOfTau(curve: CurveId): Promise<Uint8Array> {
  const { newPowersOfTau, addBeaconToPowersOfTau } = powersInPlace();
  const begun = await newPowersOfTau({ curve, power: 9 });
  const { ptau } = await addBeaconToPowersOfTau(begun.ptau!, { hash: '0a0b', iterations: 10 });
  const sections = sectionsOf(new Uint8Array(await ptau!.arrayBuffer()));
  return sectionFile('ptau', 1, [...sections, [12, new Uint8Array()]]);
}

describe.each(['plonk', 'fflonk'] as const)('the set-up of a %s key', (protocol) => {
  it.each(protocol === 'plonk' ? ['smallest', 'matrix', 'constant'] : ['smallest', 'chain'])(
    'is what snarkjs makes for the circuit %s',
    async (name) => {
      await expectSameKey(protocol, 'bn254', await circuitFile(`${name}.r1cs`), await circuitFile('pot9.ptau'));
    },
    MAKING_TIMEOUT,
  );

  it.each(EVERY_COMBINATION ? ['matrix', 'flags', 'hash'] : [])(
    'is what snarkjs makes for the large circuit %s',
    async (name) => {
      // PLONK is given no larger powers than it needs: snarkjs reads Lagrange polynomials of the domain's size.
      const power = protocol === 'fflonk' ? 15 : ({ matrix: 7, flags: 9 }[name] ?? 12);
      const r1cs = await circuitFile(`${name}.r1cs`);
      await withPreparedPowers(power, (ptau) => expectSameKey(protocol, 'bn254', r1cs, ptau));
    },
    MAKING_TIMEOUT,
  );

  describe.each(['bn254', 'bls12-381'] as const)('over %s', (curve: CurveId) => {
    const prime = CURVES[curve].fr.modulus;
    const random = new Random(13);
    let ptau: string | Uint8Array;
    let r1cs: string;
    beforeAll(async () => {
      const name = CURVES[curve].snarkjs!.name;
      ptau =
        protocol === 'fflonk'
          ? await fflonkPowersOfTau(curve)
          : await circuitFile(name === 'bn128' ? 'pot6.ptau' : `${name}/pot6-${name}.ptau`);
      r1cs = await circuitFile(name === 'bn128' ? 'chain.r1cs' : `${name}/chain.r1cs`);
    }, MAKING_TIMEOUT);

    const coefficient = (): bigint =>
      [1n, prime - 1n, 2n, 0n, 1n << 200n, random.below(prime)][Number(random.below(6n))]!;
    /** Terms in any order; the constant wire and others may come twice. */
    const terms = (wires: number, most: bigint): Term[] =>
      Array.from({ length: Number(random.below(most)) }, () => [Number(random.below(BigInt(wires))), coefficient()]);
    const drawn = (wires: number, constraints: number, most = 3n): Sums[] =>
      Array.from({ length: constraints }, () => [terms(wires, most), terms(wires, most), terms(wires, most)]);
    const constant = (value: bigint): Term[] => [[0, value]];

    const long: Term[] = Array.from({ length: 7 }, (_, i) => [i, coefficient()]);
    const shapes: [string, Omit<CircuitFacts, 'prime'>][] = [
      ['no public signal', { wires: 6, constraints: drawn(6, 3) }],
      ['a public output', { wires: 5, publicOutputs: 1, constraints: drawn(5, 2) }],
      [
        'public signals alone, as many as fit the smallest domain with FFLONK',
        { wires: 7, publicOutputs: 2, publicInputs: 4, constraints: [] },
      ],
      ['one private wire', { wires: 2, constraints: drawn(2, 1) }],
      ['wires that no constraint has', { wires: 40, publicInputs: 1, constraints: drawn(4, 2) }],
      [
        'linear constraints',
        {
          wires: 7,
          publicInputs: 1,
          constraints: [
            [[], [[1, 1n]], [[2, 3n]]],
            [[[1, 1n]], [], long.slice(0, 4)],
            [constant(5n), [[2, 7n]], [[3, 1n]]],
            [[[2, 7n]], constant(prime - 1n), [[2, prime - 7n]]],
          ],
        },
      ],
      [
        'constants of 0, and terms with the coefficient 0',
        {
          wires: 7,
          constraints: [
            [constant(0n), [[2, 7n]], [[3, 1n]]],
            [[[2, 7n]], constant(0n), [[0, 9n]]],
            [
              [
                [1, 0n],
                [0, 2n],
              ],
              [[2, 1n]],
              [
                [4, 0n],
                [5, 1n],
              ],
            ],
          ],
        },
      ],
      ['long linear combinations', { wires: 7, publicInputs: 1, constraints: [[long, [...long].reverse(), []]] }],
    ];
    /** What is refused and how gates are made knows no curve. */
    const isInFull = EVERY_COMBINATION || curve === 'bn254';
    it.each(EVERY_COMBINATION ? shapes : shapes.slice(isInFull ? 4 : -1))(
      'is what snarkjs makes for a circuit with %s',
      async (_, facts) => {
        await expectSameKey(protocol, curve, r1csFile({ prime, ...facts }), ptau);
      },
    );

    it('is what snarkjs makes for drawn circuits', async () => {
      for (let i = 0; i < (EVERY_COMBINATION ? 6 : isInFull ? 2 : 1); i++) {
        const facts = { prime, wires: 9, publicInputs: i % 3, publicOutputs: i % 2 };
        await expectSameKey(protocol, curve, r1csFile({ ...facts, constraints: drawn(9, 3, 6n) }), ptau);
      }
    });

    it('is what snarkjs makes for the circuit chain, and proves', async () => {
      const zkey = await expectSameKey(protocol, curve, r1cs, ptau);
      const system = UNIVERSAL_SYSTEMS.find((one) => one.protocol === protocol)!;
      const prover = await inPlaceProver({ threads: 1 });
      try {
        const { loadKey, prove, verify } = system.of(prover);
        const key = await loadKey(zkey);
        const made = await prove(key, await snarkjsWitness(await chainOver(curve)));
        expect(await verify(key.verificationKey, made.publicSignals, made.proof)).toBe(true);
        expect(await system.snarkjsVerifies(key.verificationKey, made)).toBe(true);
      } finally {
        await prover.dispose();
      }
    });

    it.runIf(isInFull)('is refused where the files do not fit, by a typed error', async () => {
      const facts = { prime, wires: 9, publicInputs: 2, constraints: drawn(9, 2, 2n) };
      const good = r1csFile(facts);
      const powers = typeof ptau === 'string' ? readBytes(ptau) : ptau;
      const other = curve === 'bn254' ? 'bls12-381' : 'bn254';
      const gates = [4, 5].map((id) => [id, new Uint8Array(4)] as const);
      const large = r1csFile({ ...facts, constraints: drawn(9, 63, 2n) });
      const needed = protocol === 'plonk' ? /2\^7 .* some for 2\^6/ : /2\^10 .* some for 2\^9/;
      const cases: [Uint8Array, Uint8Array, string, RegExp][] = [
        [r1csFile({ ...facts, prime: CURVES[other].fr.modulus, constraints: [] }), powers, 'CURVE_MISMATCH', /scalar/],
        [large, powers, 'INVALID_ARGUMENT', needed],
        [sectionFile('r1cs', 1, [...sectionsOf(good), ...gates]), powers, 'UNSUPPORTED_FORMAT', /custom gates/],
        [r1csFile({ ...facts, constraints: [[[[9, 1n]], [], []]] }), powers, 'MALFORMED_FILE', /wires below 9/],
        [r1csFile({ ...facts, constraints: [[[[1, prime]], [], []]] }), powers, 'MALFORMED_FILE', /below the prime/],
        [withSection(good, 2, (body) => body.slice(0, -1)), powers, 'MALFORMED_FILE', /2 constraints/],
        [powers, good, 'MALFORMED_FILE', /ptau/],
      ];
      for (const [circuit, taus, code, message] of cases) {
        const expected = { code, message: expect.stringMatching(message) };
        await expect(newUniversalKey(circuit, taus, { protocol })).rejects.toMatchObject(expected);
      }
      if (protocol === 'plonk') expect(await bySnarkjs(protocol, large, ptau)).toBeUndefined();
      else await expect(bySnarkjs(protocol, large, ptau)).rejects.toThrow('not big enough');
    });

    it('needs no prepared powers, and is refused with points that are none', async () => {
      const circuit = r1csFile({ prime, wires: 4, publicInputs: 1, constraints: drawn(4, 2, 2n) });
      const powers = typeof ptau === 'string' ? readBytes(ptau) : ptau;
      const unprepared = sectionFile(
        'ptau',
        1,
        sectionsOf(powers).filter(([id]) => id < 12),
      );
      const [plain, prepared] = await Promise.all(
        [unprepared, powers].map(async (file) =>
          (await newUniversalKey(circuit, file, { protocol })).zkey!.arrayBuffer(),
        ),
      );
      expect(Buffer.compare(Buffer.from(plain!), Buffer.from(prepared!))).toBe(0);
      const used = (protocol === 'plonk' ? 8 + 6 : 9 * 8 + 18) * pointBytes(curve, 'g1');
      const changed: [number, number, (body: Uint8Array, at: number) => void][] = [
        [2, used - 1, (body, at) => (body[at]! ^= 1)],
        [2, used - pointBytes(curve, 'g1'), (body, at) => body.fill(0, at, used)],
        [3, pointBytes(curve, 'g2') + 3, (body, at) => (body[at]! ^= 1)],
        [3, pointBytes(curve, 'g2'), (body, at) => body.fill(0, at, at + pointBytes(curve, 'g2'))],
      ];
      // Commitments of PLONK are computed over the Lagrange polynomials of the domain, if they are there.
      if (protocol === 'plonk') changed.push([12, 15 * pointBytes(curve, 'g1') - 1, changed[0]![2]]);
      for (const [id, at, change] of changed) {
        const file = withSection(powers, id, (body) => {
          change(body, at);
          return body;
        });
        await expect(newUniversalKey(circuit, file, { protocol })).rejects.toMatchObject({ code: 'INVALID_POINT' });
      }
      const unused = withSection(powers, 2, (body) => {
        body[used + 3]! ^= 1;
        return body;
      });
      await newUniversalKey(circuit, unused, { protocol });
    });

    it.runIf(isInFull)('tells its progress and sizes, and stops where it is aborted', async () => {
      const fractions: number[] = [];
      const onProgress = (fraction: number): void => void fractions.push(fraction);
      const { gates, domainSize } = await newUniversalKey(r1cs, ptau, { protocol, threads: 1, onProgress });
      expect(gates + (protocol === 'plonk' ? 0 : 2)).toBeLessThanOrEqual(domainSize);
      expect(fractions.at(-1)).toBe(1);
      expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
      const stop = new AbortController();
      let ended: string | undefined;
      const to = new WritableStream<Uint8Array>({
        write: () => stop.abort(),
        close: () => {
          ended = 'closed';
        },
        abort: () => {
          ended = 'aborted';
        },
      });
      const stopped = newUniversalKey(r1cs, ptau, { protocol, to, signal: stop.signal });
      await expect(stopped).rejects.toMatchObject({ code: 'ABORTED' });
      expect(ended).toBe('aborted');
    });
  });
});

it('takes the name of a proof system alone', async () => {
  for (const options of [undefined, {}, { protocol: 'groth16' }, { protocol: 'plonk', name: 'Ada' }]) {
    const made = newUniversalKey(new Uint8Array(), new Uint8Array(), options as never);
    await expect(made).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  }
});
