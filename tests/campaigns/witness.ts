import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CircuitInput, CircuitInputs } from '../../sdk/api/index.js';
import { bn254 } from '../../sdk/curves/index.js';
import { compileCircuitAs } from '../../sdk/files/witness/compile-circuit.js';
import { KeptCircuit } from '../../sdk/files/witness/kept-circuit.js';
import { calculateWitness } from '../../sdk/files/witness/witness-calculator.js';
import { type CircuitName, testCircuit } from '../support/circuits.js';
import type { Random } from '../support/random.js';
import type { Campaign, OpenCampaign } from './campaign.js';

/** Inputs of one circuit that a case tries. */
const INPUTS = 20;
const MEMORY_BYTES = 2 ** 30;
const NAMES = ['smallest', 'chain', 'matrix', 'flags', 'hash'] as const satisfies CircuitName[];

/** A folder of circuits over BN254: for each NAME.wasm the inputs in NAME.json. */
const FOLDER = process.env.PIPPIN_CIRCUITS;

const r = bn254.fr.modulus;

/** Where short and long forms, signs and reductions change. */
const EDGES: readonly bigint[] = [
  ...[0n, 1n, 2n, r - 1n, r, r + 1n, -1n, -r, r / 2n, r / 2n + 1n, (1n << 256n) % r, 1n << 256n],
  ...[8n, 31n, 32n, 63n, 64n, 128n, 253n].flatMap((bits) => [(1n << bits) - 1n, 1n << bits, -(1n << bits)]),
];

/** A circuit as it is and with exchanged arithmetic, and inputs that it accepts. */
interface Subject {
  readonly name: string;
  readonly modules: readonly [WebAssembly.Module, WebAssembly.Module];
  readonly inputs: CircuitInputs;
  /** Each module's kept instance, so that none shows in the next witness what it had of another one. */
  readonly kept: readonly [KeptCircuit, KeptCircuit];
}

export const witness: Campaign = {
  about:
    "circuits with exchanged arithmetic give circom's witnesses byte by byte, and refuse what circom's code refuses",
  tiers: ['wasm'],
  short: 5,
  full: 1000,
  async open(): Promise<OpenCampaign> {
    const subjects: Subject[] = [];
    for (const [name, wasm, inputs] of await circuitsToTry()) {
      const form = { memoryBytes: MEMORY_BYTES, isReused: true };
      const ours = await compileCircuitAs(wasm, { ...form, exchangeArithmetic: true });
      if (ours.arithmetic.by === 'circuit') throw new Error(`expected ${name} with circom's arithmetic, got another`);
      const { module } = await compileCircuitAs(wasm, { ...form, exchangeArithmetic: false });
      const kept = [new KeptCircuit(), new KeptCircuit()] as const;
      subjects.push({ name, modules: [module, ours.module], inputs, kept });
    }
    return {
      async run(random, index) {
        const subject = subjects[index % subjects.length]!;
        const kinds: string[] = [];
        for (let i = 0; i < INPUTS; i++) kinds.push(await compareOnce(subject, random));
        return kinds;
      },
      close: async () => undefined,
    };
  },
};

async function circuitsToTry(): Promise<(readonly [string, Uint8Array, CircuitInputs])[]> {
  if (FOLDER === undefined) {
    return Promise.all(
      NAMES.map(async (name) => {
        const { wasm, inputs } = await testCircuit(name);
        return [name, wasm, inputs] as const;
      }),
    );
  }
  const names = readdirSync(FOLDER).flatMap((file) => (file.endsWith('.wasm') ? [file.slice(0, -5)] : []));
  return names
    .filter((name) => existsSync(join(FOLDER, `${name}.json`)))
    .map((name) => [
      name,
      new Uint8Array(readFileSync(join(FOLDER, `${name}.wasm`))),
      JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8')) as CircuitInputs,
    ]);
}

/** Tries inputs with both modules. Gives the kind of what both did. */
async function compareOnce({ name, modules, inputs, kept }: Subject, random: Random): Promise<string> {
  // Often some values alone are changed: most circuits refuse others at once.
  const share = [0, 1, 4, 64][random.integer(4)]!;
  const changed = Object.fromEntries(
    Object.entries(inputs).map(([input, value]) => [input, changedInput(value, random, share)]),
  );
  const isKept = random.integer(2) === 0;
  const [expected, got] = await Promise.all(
    modules.map((module, i) =>
      calculateWitness(module, changed, 'bn254', isKept ? { kept: { circuits: kept[i]!, as: 1 } } : {}).then(
        (values) => ({ values: Buffer.from(values).toString('hex') }),
        (error: Error & { code?: string }) => ({ code: error.code, message: error.message }),
      ),
    ),
  );
  if (JSON.stringify(got) !== JSON.stringify(expected)) {
    const text = JSON.stringify(changed, (_, value) => (typeof value === 'bigint' ? String(value) : value));
    throw new Error(`expected one result of ${name}, got two, for ${text}`);
  }
  return 'values' in expected! ? `${name}: witness` : `${name}: ${expected!.code}`;
}

/** Inputs with another value in one of `share` places; in all for 0. */
function changedInput(value: CircuitInput, random: Random, share: number): CircuitInput {
  if (Array.isArray(value)) return value.map((each: CircuitInput) => changedInput(each, random, share));
  if (typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, changedInput(each, random, share)]));
  }
  if (share > 0 && random.integer(share) > 0) return value;
  const choice = random.integer(4);
  if (choice === 0) return random.below(r);
  if (choice === 1) return random.below(1n << BigInt(1 + random.integer(254)));
  return EDGES[random.integer(EDGES.length)]!;
}
