import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { bn254 } from '../../sdk/curves/index.js';
import { encodePoint } from '../../sdk/curves/point-bytes.js';
import { sharedDevice } from '../executors/gpu/test-device.js';
import { circuitFile, testCircuit } from '../support/circuits.js';
import { inPlaceProver } from '../support/in-place-prover.js';
import { dot, encodePoints, encodeScalars, multipleOf, progression } from '../support/points.js';
import type { Random } from '../support/random.js';
import { UNIVERSAL_SYSTEMS } from '../support/universal-systems.js';
import type { Campaign, OpenCampaign, Tier } from './campaign.js';
import { Deadlines } from './faults/deadlines.js';
import type { Fault } from './faults/fault-line.js';
import { type Errand, travel, type UniversalErrand } from './faults/journey.js';
import { kindsOf } from './faults/kinds.js';
import { type Files, type Setting, World } from './faults/world.js';

/** In so many cases there is one with two faults. */
const SECOND_FAULT_IN = 4;

/**
 * Cases below this number have no setting with a GPU that computes: its kernels take minutes to compile on a software
 * adapter.
 */
const SHORT_RUN = 8;

/** Between the targets of two cases, so that a few cases have different ones. */
const STRIDE = 7919;

/** Milliseconds in which a case must end. */
const IN_TIME_MS = 120_000;

/**
 * How many times as fast deadlines pass where something is silent. They must stay longer than honest work: a software
 * adapter takes up to half a second for a submit, which the engine waits 20 s for.
 */
const QUICK = { hardware: 100, software: 20 } as const;

/** So few points are summed quickly on a software GPU. */
const POINTS = 40;

/** One kind of fault at one point, in one setting. */
interface Target {
  readonly setting: Setting;
  readonly point: string;
  readonly kind: string;
  /** How often the point is crossed without a fault. */
  readonly crossings: number;
}

const SETTINGS: Readonly<Record<Tier, readonly Setting[]>> = {
  wasm: [{ name: 'workers' }],
  webgpu: [{ name: 'a wrong GPU' }, { name: 'a GPU' }, { name: 'two GPUs' }],
};

/** How often each kind of fault has happened at each point, by both of them. */
const hits = new Map<string, number>();

export const faults: Campaign = {
  about:
    'whatever fails at any place where the engine waits: no hang, no wrong result, nothing left behind, and the next call right',
  tiers: ['wasm', 'webgpu'],
  short: SHORT_RUN,
  full: 10_000,
  // The first case may have to compile all kernels. Each case has a limit of its own.
  hangsAfterMs: 30 * 60_000,
  async open(tier): Promise<OpenCampaign> {
    const { files, errand, close } = await prepare();
    const adapter = tier === 'webgpu' && (await sharedDevice()).info.isSoftware ? 'software' : 'hardware';
    let world: World;
    const globals = replaceGlobals(() => world);
    const targets: Target[] = [];
    const opened = new Set<Setting>();
    /** Learns a setting's points by a journey without a fault. */
    const explore = async (setting: Setting): Promise<void> => {
      world = new World(setting, files, []);
      await travel(world, errand);
      world.close();
      for (const [point, crossings] of [...world.line.crossed].sort()) {
        for (const kind of kindsOf(point)) {
          // The workers stand in for a wrong GPU with points that they prepare from the file once more. When that was
          // changed, no call is right until the key is loaded anew, which is no fault of the engine.
          if (kind === 'changed' && setting.name === 'a wrong GPU') continue;
          targets.push({ setting, point, kind, crossings });
        }
      }
    };
    const unhandled: unknown[] = [];
    const note = (error: unknown): number => unhandled.push(error);
    process.on('unhandledRejection', note);
    return {
      async run(random, index) {
        for (const setting of SETTINGS[tier]) {
          const isLong = setting.name === 'a GPU' || setting.name === 'two GPUs';
          if (opened.has(setting) || (isLong && index < SHORT_RUN)) continue;
          opened.add(setting);
          await explore(setting);
        }
        const target = targets[(index * STRIDE) % targets.length]!;
        const drawn = drawFaults(random, target, targets);
        world = new World(target.setting, files, drawn);
        const deadlines = new Deadlines(drawn.some(({ kind }) => kind === 'silent') ? QUICK[adapter] : 1);
        try {
          const happened = await inTime(travel(world, errand));
          const { pending } = deadlines;
          if (pending.length > 0) throw new Error(`expected no deadline to be left after dispose, got ${pending}`);
          if (unhandled.length > 0) throw new Error('expected every rejection to be handled', { cause: unhandled[0] });
          const { fired } = world.line;
          for (const { point, kind } of fired) {
            const name = nameOf(point, kind);
            hits.set(name, (hits.get(name) ?? 0) + 1);
          }
          const reached = `${fired.length} of ${drawn.length} faults reached`;
          return [...new Set([...happened, reached, ...world.notices.map(({ code }) => code)])];
        } catch (error) {
          const what = drawn.map(({ point, time, kind }) => `${point} ${time} ${kind}`).join(', ');
          throw new Error(`${target.setting.name}: ${what}: ${withCauses(error)}`);
        } finally {
          unhandled.length = 0;
          deadlines.close();
          world.close();
        }
      },
      figures: () => ({
        ...figuresOf(targets),
        ...(tier === 'webgpu' && { adapter: `${adapter}: deadlines pass ${QUICK[adapter]} times as fast` }),
      }),
      async close() {
        process.off('unhandledRejection', note);
        globals.restore();
        await close();
      },
    };
  },
};

/**
 * A fault at a target, and at times another one anywhere. A key whose file was changed cannot be read again when a
 * worker must be replaced: it is to be loaded anew, which is no fault of the engine.
 */
function drawFaults(random: Random, target: Target, targets: readonly Target[]): Fault[] {
  const at = ({ point, kind, crossings }: Target): Fault => ({ point, kind, time: 1 + random.integer(crossings) });
  const first = at(target);
  if (random.integer(SECOND_FAULT_IN) > 0 || target.kind === 'changed') return [first];
  const others = targets.filter(({ setting, kind }) => setting === target.setting && kind !== 'changed');
  return [first, at(others[random.integer(others.length)]!)];
}

const nameOf = (point: string, kind: string): string => `${point}: ${kind}`;

/** How often each point was hit, and by what: a row of the table in docs/reliability.md for each. */
function figuresOf(targets: readonly Target[]): Record<string, number | string> {
  const kinds = new Map<string, Set<string>>();
  for (const { point, kind } of targets) kinds.set(point, (kinds.get(point) ?? new Set()).add(kind));
  const figures: Record<string, number | string> = {};
  let fewest = Number.POSITIVE_INFINITY;
  for (const [point, ofPoint] of [...kinds].sort()) {
    const counts = [...ofPoint].map((kind) => ({ kind, count: hits.get(nameOf(point, kind)) ?? 0 }));
    const sum = counts.reduce((all, { count }) => all + count, 0);
    fewest = Math.min(fewest, sum);
    figures[point] = `${sum} (${counts.map(({ kind, count }) => `${kind} ${count}`).join(', ')})`;
  }
  return {
    ...figures,
    points: kinds.size,
    'targets (setting, point, kind)': targets.length,
    'fewest hits of a point': fewest,
  };
}

async function prepare(): Promise<{ files: Files; errand: Errand; close: () => Promise<void> }> {
  const circuit = await testCircuit('smallest');
  const { points, factors } = progression(bn254, POINTS, 11n ** 50n, 13n ** 40n);
  const r = bn254.fr.modulus;
  const scalars = factors.map((factor, i) => (factor * BigInt(i + 3)) ** 3n % r);
  const judge = await inPlaceProver({ backend: 'wasm', threads: 1 });
  const universal = await Promise.all(
    UNIVERSAL_SYSTEMS.map(async (system) => {
      const { zkey, verificationKey } = await system.circuitOf('smallest');
      const holds: UniversalErrand['holds'] = ({ proof, publicSignals }) =>
        system.of(judge).verify(verificationKey, publicSignals, proof);
      return { zkey, errand: { system, holds } };
    }),
  );
  const errand: Errand = {
    circuit,
    scalars: encodeScalars(scalars),
    montgomery: encodeScalars(scalars.map((scalar) => (scalar << 256n) % r)),
    sum: encodePoint('bn254', 'g1', multipleOf(bn254, dot(factors, scalars))),
    holds: ({ proof, publicSignals }) => judge.groth16.verify(circuit.verificationKey, publicSignals, proof),
    universal: universal.map(({ errand }) => errand),
    // X^2 + 3 X + 5 at 2.
    polynomial: encodeScalars([5n, 3n, 1n]),
    point: 2n,
    value: 15n,
  };
  const files = {
    zkey: circuit.zkey,
    plonk: universal[0]!.zkey,
    fflonk: universal[1]!.zkey,
    powers: new Uint8Array(readFileSync(await circuitFile('pot5.ptau'))),
    points: encodePoints(bn254, points),
    circuit: circuit.wasm,
  };
  return { files, errand, close: () => judge.dispose() };
}

/** Lets global functions fail in the world of the case. */
function replaceGlobals(world: () => World): { restore(): void } {
  const { fetch } = globalThis;
  const { compile } = WebAssembly;
  const digest = crypto.subtle.digest.bind(crypto.subtle);
  globalThis.fetch = (...given) => world().fetch(...given);
  WebAssembly.compile = async (bytes) => {
    if (world()?.line.cross('circuit.compile') !== undefined) throw new WebAssembly.CompileError('a fault');
    return compile(bytes);
  };
  crypto.subtle.digest = async (...given) => {
    if (world().line.cross('crypto.digest') !== undefined) throw new DOMException('a fault', 'OperationError');
    return digest(...given);
  };
  return {
    restore() {
      globalThis.fetch = fetch;
      WebAssembly.compile = compile;
      Reflect.deleteProperty(crypto.subtle, 'digest');
    },
  };
}

/** The outcome of a case; rejects when it hangs. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  const watch = new AbortController();
  const hung = delay(IN_TIME_MS, undefined, { signal: watch.signal }).then(() => {
    throw new Error(`expected the case to end within ${IN_TIME_MS} ms`);
  });
  hung.catch(() => undefined);
  try {
    return await Promise.race([work, hung]);
  } finally {
    watch.abort();
  }
}

function withCauses(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return `${error.stack}${error.cause === undefined ? '' : `\n  because of ${withCauses(error.cause)}`}`;
}
