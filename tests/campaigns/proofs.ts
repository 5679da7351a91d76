import { setTimeout as delay } from 'node:timers/promises';
import type { CircuitInputs, Prover } from '../../sdk/api/index.js';
import { type CircuitName, type TestCircuit, testCircuit } from '../support/circuits.js';
import { inPlaceProver } from '../support/in-place-prover.js';
import { createProver } from '../support/prover.js';
import type { Random } from '../support/random.js';
import { UNIVERSAL_SYSTEMS, type UniversalProver } from '../support/universal-systems.js';
import type { Campaign, OpenCampaign, Tier } from './campaign.js';
import { collectingWorkers } from './collecting-workers.js';
import { MemoryTrend } from './memory-trend.js';

/** The circuits, each with inputs that it refuses, and the code of the error. */
const CIRCUITS: readonly (readonly [CircuitName, CircuitInputs, code: string])[] = [
  ['smallest', { root: 8 }, 'WITNESS_REJECTED'],
  ['logging', { root: 6 }, 'WITNESS_REJECTED'],
  ['flags', { values: [0, 1, 2, 3, 4, 2 ** 16], bound: 4 }, 'WITNESS_REJECTED'],
  ['matrix', { left: [[1]] }, 'INVALID_INPUT'],
  ['chain', {}, 'INVALID_INPUT'],
];

/** A call is aborted within so many milliseconds of its beginning: before a small proof is made, or just after. */
const ABORTED_WITHIN_MS = 12;

/** A proof system of a prover. */
type ProofSystem = UniversalProver;

/** A circuit with the key that a prover has loaded. */
interface Subject {
  readonly system: ProofSystem;
  readonly circuit: TestCircuit<object>;
  readonly key: object;
  readonly wrong: readonly [CircuitInputs, code: string];
}

/**
 * On WASM half of the proofs are made by a prover on worker threads, and half by one whose workers all run on this
 * thread, where heap and buffers of all of them can be counted. On the GPU all are made by the latter.
 */
async function openProvers(tier: Tier): Promise<Prover[]> {
  const options = { backend: tier, threads: 2, cache: false };
  const inPlace = await inPlaceProver(options);
  return tier === 'wasm' ? [inPlace, await createProver({ ...options, assets: collectingWorkers() })] : [inPlace];
}

export const proofs: Campaign = {
  about:
    'proofs one after another in one process are right, and less than 1 kB of memory stays of each after the first 100',
  tiers: ['wasm', 'webgpu'],
  short: { wasm: 12, webgpu: 0 },
  full: 10_000,
  async open(tier): Promise<OpenCampaign> {
    const provers = await openProvers(tier);
    const subjects: Subject[] = [];
    const add = async (
      circuit: TestCircuit<object>,
      of: (prover: Prover) => ProofSystem,
      wrong: Subject['wrong'],
    ): Promise<void> => {
      for (const system of provers.map(of)) {
        subjects.push({ system, circuit, key: await system.loadKey(circuit.zkey), wrong });
      }
    };
    for (const [name, inputs, code] of CIRCUITS) {
      const wrong = [inputs, code] as const;
      await add(await testCircuit(name), ({ groth16 }) => groth16 as unknown as ProofSystem, wrong);
      for (const { of, circuitOf } of UNIVERSAL_SYSTEMS) {
        if (name === 'smallest' || name === 'chain') await add(await circuitOf(name), of, wrong);
      }
    }
    const trend = new MemoryTrend(true);
    return {
      async run(random) {
        const subject = subjects[random.integer(subjects.length)]!;
        const kind = await runOne(random, subject);
        trend.caseDone();
        return [kind];
      },
      figures: () => trend.figures(),
      async close() {
        for (const prover of provers) await prover.dispose();
      },
    };
  },
};

/** Six of ten cases are plain proofs. */
function runOne(random: Random, subject: Subject): Promise<string> {
  switch (random.integer(10)) {
    case 0:
      return abortedProof(random, subject);
    case 1:
      return refusedInputs(subject);
    case 2:
      return withFreshKey(subject);
    case 3:
      return comparedProof(subject);
    default:
      return plainProof(subject, subject.key);
  }
}

/** A proof is verified before it is returned. */
async function plainProof({ system, circuit }: Subject, key: object): Promise<string> {
  const { report } = await system.fullProve(key, circuit.inputs, circuit.wasm, { onProgress: () => undefined });
  return report.notices.some(({ code }) => code === 'CIRCUIT_LOG') ? 'proof with log lines' : 'proof';
}

async function abortedProof(random: Random, { system, circuit, key }: Subject): Promise<string> {
  const controller = new AbortController();
  const { signal } = controller;
  const ending = codeOf(system.fullProve(key, circuit.inputs, circuit.wasm, { signal }));
  await Promise.race([ending, delay(random.integer(ABORTED_WITHIN_MS))]);
  controller.abort();
  return expectCode(await ending, 'ABORTED', 'proof');
}

async function refusedInputs({ system, circuit, key, wrong: [inputs, code] }: Subject): Promise<string> {
  return expectCode(await codeOf(system.fullProve(key, inputs, circuit.wasm)), code);
}

/** Loads the key once more, proves, and releases it. */
async function withFreshKey(subject: Subject): Promise<string> {
  const key = await subject.system.loadKey(subject.circuit.zkey);
  await plainProof(subject, key);
  await key.dispose();
  return 'proof with a key of its own';
}

/** Verifies against the verification key that snarkjs made, and against public signals of which one is wrong. */
async function comparedProof({ system, circuit, key }: Subject): Promise<string> {
  const { verificationKey, inputs, wasm } = circuit;
  const { proof, publicSignals } = await system.fullProve(key, inputs, wasm, { verify: false });
  const changed = publicSignals.map((signal, i) => (i === 0 ? String(BigInt(signal) + 1n) : signal));
  const verdicts = [
    await system.verify(verificationKey, publicSignals, proof),
    await system.verify(verificationKey, changed, proof),
  ];
  const isPublic = publicSignals.length > 0;
  if (verdicts[0] !== true || verdicts[1] !== !isPublic) {
    throw new Error(`expected a proof that holds for its own signals alone, got ${verdicts.join(' and ')}`);
  }
  return 'proof verified once more';
}

/** The code of the error that a call ends in; `proof` if it does not. */
function codeOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'proof',
    (error: Error & { code?: string }) => error.code ?? String(error),
  );
}

function expectCode(code: string, ...expected: readonly string[]): string {
  if (!expected.includes(code)) throw new Error(`expected ${expected.join(' or ')}, got ${code}`);
  return code === 'proof' ? 'proof before the abort' : code;
}
