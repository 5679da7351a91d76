import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ProveOptions, Prover, ProverOptions } from '../../sdk/api/index.js';
import type { PippinError } from '../../sdk/base/errors.js';
import { type Fault, FaultLine } from '../campaigns/faults/fault-line.js';
import { faultyKernel } from '../campaigns/faults/seams.js';
import { MAKING_TIMEOUT, snarkjsWitness, type TestCircuit } from '../support/circuits.js';
import { firstOf } from '../support/combinations.js';
import { EVERY_COMBINATION } from '../support/every-combination.js';
import { endSnarkjs } from '../support/example.js';
import { inPlaceProver } from '../support/in-place-prover.js';
import { quickest } from '../support/quickest.js';
import { failureOf } from '../support/section-bytes.js';
import { UNIVERSAL_SYSTEMS } from '../support/universal-systems.js';

/** A prover with a key, of which the workers can fail. */
interface Started {
  readonly prover: Prover;
  /** Makes a proof that meets these faults, and has snarkjs verify it. */
  prove(faults?: readonly Fault[], options?: ProveOptions, interrupt?: (kind: string) => void): Promise<FaultLine>;
}

afterAll(endSnarkjs);

describe.each(UNIVERSAL_SYSTEMS)('a proof of $protocol', (system) => {
  const { circuitOf, of, snarkjsVerifies } = system;
  let circuit: TestCircuit<object>;
  let witness: Uint8Array;
  /**
   * The calls of the workers' methods by a first proof that are tried: the first, the middle or the last of each, in turns
   * from method to method; all three where every combination is asked for. Of the methods of the second proof system,
   * which are the same, every other one is tried.
   */
  let places: readonly Omit<Fault, 'kind'>[];

  let started: Started | undefined;
  afterEach(() => started?.prover.dispose());

  async function start(options: ProverOptions = {}): Promise<Started> {
    let line = new FaultLine();
    const current = { cross: (point: string) => line.cross(point) } as FaultLine;
    const workers = { spawnKernel: () => faultyKernel(current) };
    const prover = await inPlaceProver({ backend: 'wasm', threads: 2, ...options }, workers);
    const key = await of(prover).loadKey(circuit.zkey);
    started = {
      prover,
      async prove(faults = [], proveOptions = {}, interrupt = () => undefined) {
        const met = new FaultLine(faults, interrupt);
        line = met;
        const made = await of(prover).prove(key, witness, proveOptions);
        expect(await snarkjsVerifies(circuit.verificationKey, made)).toBe(true);
        return met;
      },
    };
    return started;
  }

  beforeAll(async () => {
    // The smallest circuit's proof calls the same methods, each as often or nearly so.
    circuit = await circuitOf(EVERY_COMBINATION ? 'chain' : 'smallest');
    witness = await snarkjsWitness(circuit);
    const { prover, prove } = await start();
    const { crossed } = await prove();
    places = [...crossed]
      .filter(([point]) => !point.startsWith('worker.open'))
      .flatMap(([point, count], method) => {
        const times = [...new Set([1, Math.ceil(count / 2), count])];
        const tried = EVERY_COMBINATION ? times : [times[method % times.length]!];
        if (!firstOf(UNIVERSAL_SYSTEMS).includes(system) && method % 2 === 1) return [];
        return tried.map((time) => ({ point, time }));
      });
    await prover.dispose();
  }, MAKING_TIMEOUT);

  it.each(['killed before', 'killed after'])(
    'is right although a worker is %s an answer, at any place',
    async (kind) => {
      // At every other place before the answer, and at those between after it.
      const first = kind === 'killed before' ? 0 : 1;
      for (const place of half(first)) {
        // The first proof of a key computes its values on the cosets, too.
        const { prover, prove } = await start();
        expect((await prove([{ ...place, kind }])).fired, `${place.point} ${place.time}`).toHaveLength(1);
        await prove();
        await prover.dispose();
      }
    },
  );

  /** Those of every other method, which are half of them in `npm test`. */
  const half = (first: number) => places.filter((_, i) => EVERY_COMBINATION || i % 2 === first);

  it('fails typed when a worker has no memory, and the next one is right', async () => {
    for (const place of half(0)) {
      const { prover, prove } = await start();
      const failing = prove([{ ...place, kind: 'out of memory' }]);
      expect({ place, code: (await failureOf(() => failing)).code }).toEqual({ place, code: 'OUT_OF_MEMORY' });
      await prove();
      await prover.dispose();
    }
  });

  it('ends within 200 ms when it is aborted at any place, and the next one is right', async () => {
    const { prove } = await start();
    for (const place of places) {
      const abort = async (): Promise<number> => {
        const controller = new AbortController();
        let abortedAt = Number.POSITIVE_INFINITY;
        const interrupt = (): void => {
          abortedAt = performance.now();
          controller.abort();
        };
        const proving = prove([{ ...place, kind: 'aborted' }], { signal: controller.signal }, interrupt);
        // Later proofs take the values on the cosets from the first one, and call a method less often.
        const outcome = await proving.catch((error: PippinError) => error.code);
        if (outcome instanceof FaultLine) expect(outcome.fired).toEqual([]);
        else expect(outcome).toBe('ABORTED');
        return performance.now() - abortedAt;
      };
      expect(await quickest(200, abort)).toBeLessThan(200);
    }
    await prove();
  });

  it('ends with DISPOSED when the prover is disposed at any place', async () => {
    for (const place of half(1)) {
      const { prover, prove } = await start();
      let disposing: Promise<void> | undefined;
      const interrupt = (): void => {
        disposing = prover.dispose();
      };
      const code = (await failureOf(() => prove([{ ...place, kind: 'disposed' }], {}, interrupt))).code;
      expect({ place, code }).toEqual({ place, code: 'DISPOSED' });
      await disposing;
    }
  });

  it('is right within the least memory budget of its key, which the error names', async () => {
    const none = await failureOf(() => start({ memoryBudget: 1 }));
    expect(none.code).toBe('OUT_OF_MEMORY');
    const [, floor] = /^expected a memoryBudget of at least (\d+) bytes for this key, got 1$/.exec(none.message)!;
    const tooSmall = await failureOf(() => start({ memoryBudget: Number(floor) - 1 }));
    expect(tooSmall.code).toBe('OUT_OF_MEMORY');
    const { prove } = await start({ memoryBudget: Number(floor) });
    await prove();
    await prove();
  });
});
