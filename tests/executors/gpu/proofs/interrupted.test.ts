import * as snarkjs from 'snarkjs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Groth16Key, ProveOptions, Prover } from '../../../../sdk/api/index.js';
import { memorySource } from '../../../../sdk/files/byte-source.js';
import { readWtns } from '../../../../sdk/files/snarkjs/wtns.js';
import { readZkey } from '../../../../sdk/files/snarkjs/zkey.js';
import { MAKING_TIMEOUT, snarkjsWitness, type TestCircuit, testCircuit } from '../../../support/circuits.js';
import { EVERY_COMBINATION } from '../../../support/every-combination.js';
import { endSnarkjs } from '../../../support/example.js';
import { quickest } from '../../../support/quickest.js';
import { expectNoSecrets } from '../secrets-on.js';
import type { VirtualDevice } from '../virtual-gpu.js';
import { proverOnGpu } from './prover-on-gpu.js';

/** What begins in each phase of a proof, and which time it is that it does. */
const PHASES: Record<string, readonly [name: string, time: number]> = {
  'the upload of the witness': ['buffer scalars', 1],
  'the quotient': ['butterflies bn254', 2],
  'the first sum over G1': ['accumulate bn254 g1 limbs', 1],
  'the second sum over G1': ['reduce bn254 g1 limbs', 6],
  'the third sum over G1': ['collect bn254 g1 limbs', 3],
  'the last sum over G1': ['collect bn254 g1 limbs', 4],
  'the sum over G2': ['reduce bn254 g2 limbs', 1],
  'the last steps of a sum': ['worker finish', 2],
  'the combination': ['worker combine', 5],
  'the verification': ['worker pairing', 2],
};
/** The phases in which the GPU may have done its part. */
const AFTER_THE_GPU = ['the last steps of a sum', 'the combination', 'the verification'];

let circuit: TestCircuit;
let witness: Uint8Array;
/** The values of all signals. */
let values: Uint8Array;
beforeAll(async () => {
  circuit = await testCircuit('chain');
  witness = await snarkjsWitness(circuit);
  const { facts } = await readZkey(memorySource(circuit.zkey));
  values = await readWtns(memorySource(witness), { curve: 'bn254', variables: facts.variables });
}, MAKING_TIMEOUT);
afterAll(endSnarkjs);

/** Calls `act` with the device when a phase begins, once. */
class Watch {
  private counts = new Map<string, number>();
  private device: VirtualDevice | undefined;
  private armed: { name: string; time: number; act: (device: VirtualDevice) => void } | undefined;

  readonly onUse = (name: string, device: VirtualDevice | undefined = this.device): void => {
    this.device = device;
    const count = (this.counts.get(name) ?? 0) + 1;
    this.counts.set(name, count);
    const { armed } = this;
    if (armed?.name !== name || armed.time !== count) return;
    this.armed = undefined;
    armed.act(device!);
  };

  at(phase: string, act: (device: VirtualDevice) => void): void {
    const [name, time] = PHASES[phase]!;
    this.counts.clear();
    this.armed = { name, time, act };
  }

  get hasActed(): boolean {
    return this.armed === undefined;
  }
}

let prover: Prover;
let key: Groth16Key;
let devices: readonly VirtualDevice[];
let watch: Watch;

async function start(backend: 'auto' | 'webgpu', isSoftware: boolean): Promise<void> {
  watch = new Watch();
  const { onUse } = watch;
  const onMethod = (method: string): void => onUse(`worker ${method}`);
  ({ prover, devices } = await proverOnGpu({ backend }, { onUse, onMethod, isSoftware }));
  key = await prover.groth16.loadKey(circuit.zkey);
}

async function expectRight(options?: ProveOptions): Promise<string> {
  const { proof, publicSignals, report } = await prover.groth16.prove(key, witness, options);
  expect(await snarkjs.groth16.verify(circuit.verificationKey, [...publicSignals], proof)).toBe(true);
  return report.backend;
}

describe('a proof on the GPU', () => {
  beforeAll(() => start('webgpu', true));
  afterAll(() => prover.dispose());

  it('leaves nothing of the witness there', async () => {
    expect(await expectRight()).toBe('webgpu');
    const [device] = devices;
    await expectNoSecrets(device!, values);
    const labels = new Set([...device!.alive].map(({ label }) => label));
    // These were looked at, and the copy of the witness and the scalars of the sum over H are gone.
    for (const label of ['scratch 0', 'readback', 'staging']) expect(labels).toContain(label);
    expect(labels).not.toContain('scalars');
  });

  it.each(Object.keys(PHASES))(
    'ends within 200 ms when it is aborted in %s, and leaves nothing of the witness',
    async (phase) => {
      const abort = async (): Promise<number> => {
        const controller = new AbortController();
        let abortedAt = 0;
        watch.at(phase, () => {
          abortedAt = performance.now();
          controller.abort();
        });
        const aborted = prover.groth16.prove(key, witness, { signal: controller.signal });
        await expect(aborted).rejects.toMatchObject({ code: 'ABORTED' });
        return performance.now() - abortedAt;
      };
      expect(await quickest(200, abort)).toBeLessThan(200);
      await expectNoSecrets(devices[0]!, values);
      expect([...devices[0]!.alive].map(({ label }) => label)).not.toContain('scalars');
      expect(await expectRight()).toBe('webgpu');
    },
  );

  it.each(['the quotient', 'the second sum over G1', 'the last sum over G1', 'the sum over G2'])(
    'leaves nothing of the witness when a submit of %s is refused',
    async (phase) => {
      watch.at(phase, (device) => device.refuseNext());
      await expect(prover.groth16.prove(key, witness)).rejects.toMatchObject({ code: 'INTERNAL' });
      await expectNoSecrets(devices[0]!, values);
      expect([...devices[0]!.alive].map(({ label }) => label)).not.toContain('scalars');
      expect(await expectRight()).toBe('webgpu');
    },
  );

  it('is right when others that are under way at the same time are aborted', async () => {
    const controllers = [new AbortController(), new AbortController()];
    watch.at('the first sum over G1', () => controllers[0]!.abort());
    const aborted = controllers.map(({ signal }) => prover.groth16.prove(key, witness, { signal }));
    const right = [expectRight(), expectRight()];
    await expect(aborted[0]).rejects.toMatchObject({ code: 'ABORTED' });
    controllers[1]!.abort();
    await expect(aborted[1]).rejects.toMatchObject({ code: 'ABORTED' });
    expect(await Promise.all(right)).toEqual(['webgpu', 'webgpu']);
    await expectNoSecrets(devices[0]!, values);
  });
});

describe('a proof whose GPU is lost', () => {
  afterEach(() => prover.dispose());

  // `npm test` loses it in every other phase.
  const phases = Object.keys(PHASES).filter((_, i) => EVERY_COMBINATION || i % 2 === 0);
  it.each(phases)('in %s is right', async (phase) => {
    await start('webgpu', false);
    watch.at(phase, (device) => device.lose());
    await expectRight();
    expect(watch.hasActed).toBe(true);
    expect(devices[0]!.isLost).toBe(true);
    // Another device has taken its place, if one was needed.
    if (!AFTER_THE_GPU.includes(phase)) expect(devices).toHaveLength(2);
    expect(await expectRight()).toBe('webgpu');
    expect(devices).toHaveLength(2);
    await expectNoSecrets(devices[1]!, values);
  });
});

describe('a proof whose GPU hangs', () => {
  afterEach(() => prover.dispose());

  // Each waits for five seconds, and compiles the kernels of another device.
  const hanging = EVERY_COMBINATION ? ['the quotient', 'the sum over G2'] : ['the sum over G2'];
  it.each(hanging)('in %s is right, on another device', async (phase) => {
    await start('webgpu', false);
    watch.at(phase, (device) => device.hang());
    const started = performance.now();
    await expectRight();
    // The patience with a submit is five seconds.
    expect(performance.now() - started).toBeLessThan(30_000);
    expect(devices).toHaveLength(2);
    expect(await expectRight()).toBe('webgpu');
    expect(devices).toHaveLength(2);
  });
});
