import { setTimeout as delay } from 'node:timers/promises';
import type { Bases, Groth16Key, KzgSrs, ProveResult, Prover } from '../../../sdk/api/index.js';
import { messageOf, type PippinError, type PippinErrorCode } from '../../../sdk/base/errors.js';
import type { TestCircuit } from '../../support/circuits.js';
import type { UniversalSystemOfTests } from '../../support/universal-systems.js';
import { CIRCUIT_URL, type World } from './world.js';

/** What the journey asks for, and how its results are judged. */
export interface Errand {
  readonly circuit: TestCircuit;
  readonly scalars: Uint8Array;
  /** The same scalars in Montgomery form. */
  readonly montgomery: Uint8Array;
  /** The sum over the points with these scalars. */
  readonly sum: Uint8Array;
  /** Whether a proof holds, by a prover that meets no fault. */
  readonly holds: (result: ProveResult) => Promise<boolean>;
  /** The proof systems with a universal set-up, whose keys are of the same circuit. */
  readonly universal: readonly UniversalErrand[];
  /** Coefficients of a polynomial, a point, and the value there. */
  readonly polynomial: Uint8Array;
  readonly point: bigint;
  readonly value: bigint;
}

export interface UniversalErrand {
  readonly system: UniversalSystemOfTests;
  readonly holds: (result: { readonly proof: object; readonly publicSignals: string[] }) => Promise<boolean>;
}

/** The prover was disposed under the caller. */
class Disposed extends Error {}

/** No result is returned that a campaign may expect after these, whatever the fault was. */
const NEVER: readonly PippinErrorCode[] = ['INTERNAL', 'PROOF_INVALID', 'INVALID_HANDLE', 'INVALID_ARGUMENT'];

/** A wrong GPU of each of two provers. */
const MOST_REFUSED = 2;

/**
 * What a wallet does, from the first call to the last. No call may hang or give a wrong result. A call fails with a
 * typed error, and not more calls fail than there were faults. Returns a name for each thing that happened.
 */
export async function travel(world: World, errand: Errand): Promise<string[]> {
  const journey = new Journey(world, errand);
  for (;;) {
    try {
      await journey.run();
      return journey.happened;
    } catch (error) {
      if (!(error instanceof Disposed)) throw error;
      await world.dispose();
      await expectNothingLeft(world);
    }
  }
}

class Journey {
  readonly happened: string[] = [];
  private failures = 0;
  /** Sums of a GPU that is wrong from the beginning. */
  private refused = 0;

  constructor(
    private readonly world: World,
    private readonly errand: Errand,
  ) {}

  async run(): Promise<void> {
    const { world, errand } = this;
    const prover = await this.step('start', () => world.start());
    const key = await this.load(prover);
    await this.prove(prover, key);
    const bases = await this.loadBases(prover);
    await this.sum(prover, bases);
    const universal = await this.universal(prover);
    const srs = await this.commit(prover);
    await this.step('release', () =>
      Promise.all([key.dispose(), bases.dispose(), srs.dispose(), ...universal.map((each) => each.dispose())]),
    );
    // By now the cache has what was loaded.
    await delay(5);
    const again = await this.load(prover);
    await this.prove(prover, again);
    const basesAgain = await this.loadBases(prover);
    await this.sum(prover, basesAgain);
    const { verificationKey } = errand.circuit;
    const { proof, publicSignals } = await this.prove(prover, again);
    const isRight = await this.step('verify', (signal) =>
      prover.groth16.verify(verificationKey, publicSignals, proof, { signal }),
    );
    expectRight('verify', isRight);
    await this.step('clear', () => prover.clearCache());
    await world.dispose();
    await expectNothingLeft(world);
  }

  private load(prover: Prover): Promise<Groth16Key> {
    return this.step('load', (signal) => prover.groth16.loadKey(this.world.pathOf('zkey'), { signal }));
  }

  private async prove(prover: Prover, key: Groth16Key): Promise<ProveResult> {
    const { circuit, holds } = this.errand;
    const result = await this.step('prove', (signal) =>
      prover.groth16.fullProve(key, circuit.inputs, CIRCUIT_URL, { signal }),
    );
    expectRight('proof', await holds(result));
    return result;
  }

  private loadBases(prover: Prover): Promise<Bases> {
    const points = this.world.pathOf('points');
    return this.step('load bases', (signal) => prover.loadBases({ curve: 'bn254', points, precompute: 2 }, { signal }));
  }

  private async sum(prover: Prover, bases: Bases): Promise<void> {
    const { scalars, montgomery, sum } = this.errand;
    for (const [given, scalarsForm] of [
      [scalars, 'canonical'],
      [montgomery, 'montgomery'],
    ] as const) {
      const { bytes } = await this.step('sum', (signal) => prover.msm(bases, given, { signal, scalarsForm }));
      expectRight('sum', Buffer.compare(bytes, sum) === 0);
    }
  }

  /** A proof of each proof system with a universal set-up. */
  private async universal(prover: Prover): Promise<{ dispose(): Promise<void> }[]> {
    const { circuit, universal } = this.errand;
    const keys: { dispose(): Promise<void> }[] = [];
    for (const { system, holds } of universal) {
      const path = this.world.pathOf(system.protocol);
      const key = await this.step(`load ${system.protocol}`, (signal) => system.of(prover).loadKey(path, { signal }));
      keys.push(key);
      const result = await this.step(`prove ${system.protocol}`, (signal) =>
        system.of(prover).fullProve(key, circuit.inputs, CIRCUIT_URL, { signal }),
      );
      expectRight(`proof of ${system.protocol}`, await holds(result));
    }
    return keys;
  }

  /** A KZG commitment, and its opening at a point. */
  private async commit({ kzg }: Prover): Promise<KzgSrs> {
    const { polynomial, point, value } = this.errand;
    const path = this.world.pathOf('powers');
    const srs = await this.step('load an SRS', (signal) => kzg.loadSrs(path, { signal }));
    const { commitment } = await this.step('commit', (signal) => kzg.commit(srs, polynomial, { signal }));
    const opened = await this.step('open', (signal) => kzg.open(srs, polynomial, point, { signal }));
    expectRight('value', opened.value === value);
    const opening = { commitment, point, value, proof: opened.proof };
    expectRight('opening', await this.step('verify an opening', (signal) => kzg.verify(srs, opening, { signal })));
    return srs;
  }

  private async step<T>(name: string, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { world } = this;
    for (;;) {
      try {
        return await call(world.signal());
      } catch (error) {
        const { code } = expectTyped(name, error, world);
        this.happened.push(`${name}: ${code}`);
        if (world.disposing !== undefined) throw new Disposed();
        if (world.hasWrongGpu && code === 'RESULT_INVALID' && ++this.refused <= MOST_REFUSED) continue;
        if (++this.failures > world.line.fired.length) {
          throw new Error(`expected ${name} to be right after ${world.line.fired.length} faults`, { cause: error });
        }
        world.restoreFiles();
      }
    }
  }
}

function expectTyped(name: string, error: unknown, { line, hasWrongGpu }: World): PippinError {
  const known = error as PippinError;
  if (known?.name !== 'PippinError') throw new Error(`expected ${name} to fail typed`, { cause: error });
  // WebGPU's own errors are named so.
  const isWebGpus = known.code === 'INTERNAL' && /WebGPU reported|a fault/.test(messageOf(error));
  if (hasWrongGpu && known.code === 'RESULT_INVALID') return known;
  if (line.fired.length === 0 || (NEVER.includes(known.code) && !isWebGpus)) {
    throw new Error(`expected another error of ${name} than ${known.code}`, { cause: error });
  }
  return known;
}

function expectRight(what: string, isRight: boolean): void {
  if (!isRight) throw new Error(`expected a right result of ${what}, got a wrong one`);
}

async function expectNothingLeft(world: World): Promise<void> {
  const leaks = await world.leaks();
  if (leaks.length > 0) throw new Error(`expected nothing to be left after dispose, got ${leaks.join(', ')}`);
}
