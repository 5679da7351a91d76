import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ProveOptions, Prover, ProverOptions } from '../../../../sdk/api/index.js';
import type { PippinError } from '../../../../sdk/base/errors.js';
import { memorySource } from '../../../../sdk/files/byte-source.js';
import { readWtns } from '../../../../sdk/files/snarkjs/wtns.js';
import { MAKING_TIMEOUT, snarkjsWitness, type TestCircuit } from '../../../support/circuits.js';
import { firstOf } from '../../../support/combinations.js';
import { EVERY_COMBINATION } from '../../../support/every-combination.js';
import { endSnarkjs } from '../../../support/example.js';
import { quickest } from '../../../support/quickest.js';
import { UNIVERSAL_SYSTEMS } from '../../../support/universal-systems.js';
import { expectNoSecrets } from '../secrets-on.js';
import type { VirtualDevice } from '../virtual-gpu.js';
import { proverOnGpu } from './prover-on-gpu.js';

/** The steps of MSMs that are interrupted. */
const MSM_STEPS = ['accumulate bn254 g1 limbs', 'collect bn254 g1 limbs'];
/** The operations on vectors that are. */
const OPERATIONS = ['program', 'recurrence', 'shift', 'invert', 'nonzero', 'butterflies'];

/** A step, and which time of a proof it is. */
type Place = readonly [step: string, time: number];

/**
 * The first time that a proof takes each step of an MSM, and where every combination is asked for two later ones; one
 * time of each operation on vectors. How often it takes them depends on its scalars, which are blinded: another proof
 * may take a step less often, and never come to a later place.
 */
function placesIn(counts: ReadonlyMap<string, number>): Place[] {
  const ofSums = MSM_STEPS.flatMap((step) => {
    const count = counts.get(step)!;
    const times = EVERY_COMBINATION ? [1, Math.ceil(count / 3), Math.ceil((2 * count) / 3)] : [1];
    return [...new Set(times)].map((time): Place => [step, time]);
  });
  const ofVectors = OPERATIONS.map((name): Place => [`${name} bn254`, Math.ceil(counts.get(`${name} bn254`)! / 2)]);
  return [...ofSums, ...ofVectors];
}

/** A prover on a virtual GPU with a loaded key. */
interface Started {
  readonly prover: Prover;
  readonly devices: readonly VirtualDevice[];
  /** Makes a proof, which snarkjs verifies, and names its backend. */
  prove(options?: ProveOptions): Promise<string>;
  /** Calls `act` with the device when the next proof comes to a place. What it returns says whether one has. */
  at(place: Place, act: (device: VirtualDevice) => void): () => boolean;
  /** How often the steps were taken since the last `at`. */
  readonly counts: ReadonlyMap<string, number>;
}

afterAll(endSnarkjs);

/** The vectors of a proof system are in the hands of the same code: the first one stands for the others in some tests. */
const inFull = firstOf(UNIVERSAL_SYSTEMS);

describe.each(UNIVERSAL_SYSTEMS)('a proof of $protocol on the GPU', (system) => {
  const { of, circuitOf, snarkjsVerifies } = system;
  const isInFull = inFull.includes(system);
  let circuit: TestCircuit<object>;
  let witness: Uint8Array;
  let values: Uint8Array;
  /** The most bytes that its buffers take without a budget. */
  let usualPeak: number;
  let started: Started | undefined;
  afterEach(() => started?.prover.dispose());
  const ifInFull = (name: string, test: () => Promise<void>): void => {
    if (isInFull) it(name, test);
  };

  async function start(options: ProverOptions, isSoftware: boolean): Promise<Started> {
    const counts = new Map<string, number>();
    let armed: { readonly place: Place; act(device: VirtualDevice): void } | undefined;
    const onUse = (name: string, device: VirtualDevice): void => {
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      if (armed?.place[0] !== name || armed.place[1] !== count) return;
      const { act } = armed;
      armed = undefined;
      act(device);
    };
    const { prover, devices } = await proverOnGpu({ backend: 'webgpu', ...options }, { onUse, isSoftware });
    const key = await of(prover).loadKey(circuit.zkey);
    counts.clear();
    started = {
      prover,
      devices,
      counts,
      async prove(proveOptions) {
        const made = await of(prover).prove(key, witness, proveOptions);
        expect(await snarkjsVerifies(circuit.verificationKey, made)).toBe(true);
        return made.report.backend;
      },
      at(place, act) {
        counts.clear();
        const arming = { place, act };
        armed = arming;
        return () => armed !== arming;
      },
    };
    return started;
  }

  beforeAll(async () => {
    circuit = await circuitOf('chain');
    witness = await snarkjsWitness(circuit);
    values = await readWtns(memorySource(witness), { curve: 'bn254', variables: circuitVariables(witness) });
    const { prover, devices, prove } = await start({}, true);
    expect(await prove()).toBe('webgpu');
    usualPeak = devices[0]!.peakBytes;
    await prover.dispose();
  }, MAKING_TIMEOUT);

  it('leaves nothing of the witness there, aborted at any place or not', async () => {
    const { prove, at, devices, counts } = await start({}, true);
    expect(await prove()).toBe('webgpu');
    await expectNoSecrets(devices[0]!, values);
    // `npm test` tries every other place, and every fourth one of the other system.
    const abortStep = EVERY_COMBINATION ? 1 : isInFull ? 2 : 4;
    for (const place of placesIn(counts).filter((_, i) => i % abortStep === 0)) {
      const abort = async (): Promise<number> => {
        const controller = new AbortController();
        let abortedAt = Number.NaN;
        const isReached = at(place, () => {
          abortedAt = performance.now();
          controller.abort();
        });
        const outcome = await prove({ signal: controller.signal }).catch((error: PippinError) => error.code);
        expect(isReached() || place[1] > 1, `no proof came to ${place}`).toBe(true);
        expect(outcome).toBe(isReached() ? 'ABORTED' : 'webgpu');
        return isReached() ? performance.now() - abortedAt : 0;
      };
      expect(await quickest(200, abort)).toBeLessThan(200);
      await expectNoSecrets(devices[0]!, values);
    }
    expect(await prove()).toBe('webgpu');
  });

  it('is right when its device is lost at any place, on another one', async () => {
    // Submits are longer than on a software adapter, and steps fewer.
    const whole = await start({}, false);
    await whole.prove();
    await whole.prover.dispose();
    // A new prover for each place; `npm test` tries every fourth one, and every eighth one of the other system.
    const step = isInFull ? 4 : 8;
    const places = placesIn(whole.counts).filter((_, i) => EVERY_COMBINATION || i % step === 1);
    for (const place of places) {
      const { prover, prove, at, devices } = await start({}, false);
      const isReached = at(place, (device) => device.lose());
      await prove();
      expect(isReached() || place[1] > 1, `no proof came to ${place}`).toBe(true);
      expect(devices[0]!.isLost).toBe(isReached());
      expect(await prove()).toBe('webgpu');
      expect(devices).toHaveLength(isReached() ? 2 : 1);
      await expectNoSecrets(devices.at(-1)!, values);
      await prover.dispose();
    }
  });

  ifInFull('is right beside another one, and beside one that is aborted', async () => {
    const { prove, at, devices } = await start({}, true);
    expect(await Promise.all([prove(), prove()])).toEqual(['webgpu', 'webgpu']);
    const controller = new AbortController();
    at(['recurrence bn254', 3], () => controller.abort());
    const aborted = prove({ signal: controller.signal });
    const [outcome, backend] = await Promise.allSettled([aborted, prove()]);
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'ABORTED' } });
    expect(backend).toEqual({ status: 'fulfilled', value: 'webgpu' });
    await expectNoSecrets(devices[0]!, values);
  });

  ifInFull('is right within a budget of a quarter of the memory that it takes there', async () => {
    const memoryBudget = Math.floor(usualPeak / 4);
    const { prove, devices } = await start({ memoryBudget }, true);
    await prove();
    expect(await prove()).toBe('webgpu');
    expect(devices[0]!.peakBytes).toBeLessThanOrEqual(memoryBudget);
  });
});

/** The number of values in a witness of snarkjs: of its second section, after the headers of both. */
function circuitVariables(wtns: Uint8Array): number {
  const view = new DataView(wtns.buffer, wtns.byteOffset, wtns.length);
  // The header's section has n8, the prime and the number of values.
  return view.getUint32(12 + 12 + 4 + 32, true);
}
