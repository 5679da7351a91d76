import { readFileSync } from 'node:fs';
import { bigintToBytes, joinBytes } from '../../sdk/base/bytes.js';
import { bn254, type Curve, type GroupId, pointBytes } from '../../sdk/curves/index.js';
import type { Kernel } from '../../sdk/executors/workers/kernel/kernel.js';
import { calculateWitness } from '../../sdk/files/witness/witness-calculator.js';
import { circuitFile, type TestCircuit, testCircuit } from '../support/circuits.js';
import { NOBLE_GROUPS } from '../support/noble-groups.js';
import type { Random } from '../support/random.js';
import { ALL_CURVES } from '../support/registry.js';
import { sectionFile, u32, zkeyChunks } from '../support/section-bytes.js';
import { tinyCircuit } from '../support/tiny-circuit.js';
import { loadKernel } from '../support/wasm.js';
import type { Campaign, OpenCampaign, Tier } from './campaign.js';
import { flipped, pick } from './mutated-bytes.js';
import { mutatedJson } from './mutated-json.js';
import { mutatedPoints, mutatedScalars } from './mutated-points.js';
import { mutatedR1cs } from './mutated-r1cs.js';
import { mutatedSectionFile } from './mutated-sections.js';
import { mutatedWasm } from './mutated-wasm.js';
import {
  boundCircuit,
  JSON_READERS,
  preparePoints,
  readKey,
  readKeyChunks,
  readScalars,
  readWitnessFile,
} from './parsed-files.js';
import { readConstraintSystem, readFileInfo, readSnarkjsInfo } from './read-info.js';
import { CallWatch } from './watched-call.js';
import { WholeCalls } from './whole-calls.js';

/**
 * Mutations of a case: so many files are given to what reads them, so many to whole calls of the API, and so many are
 * of a call's arguments.
 */
const READ = 165;
const WHOLE = 10;
const ARGUMENTS = 25;
/**
 * Mutated .r1cs, and files that `readInfo` describes, which come after those, so that a seed draws these as it did
 * without.
 */
const CONSTRAINT_SYSTEMS = 30;
const INFOS = 5;

const MIB = 2 ** 20;

/** Documents in JSON, by the names of their readers. */
type Documents = Readonly<Record<keyof typeof JSON_READERS, unknown>>;

/** What mutations are made of. */
interface Originals {
  /** The first is that of the loaded key. */
  readonly keys: readonly Uint8Array[];
  readonly witness: Uint8Array;
  readonly variables: number;
  readonly circuits: readonly Uint8Array[];
  readonly constraintSystems: readonly Uint8Array[];
  readonly documents: Documents;
  /** Points of each group: G, 2 G and -3 G, and infinity. */
  readonly points: readonly { readonly curve: Curve; readonly group: GroupId; readonly bytes: Uint8Array }[];
}

/** A mutation that is given to what reads it. */
interface Mutation {
  readonly bytes: number;
  readonly read: () => unknown;
}

type Draw = (random: Random, originals: Originals, kernels: ReadonlyMap<string, Kernel>) => Mutation;

const LARGEST_JSON = 2 ** 14;

const zkey: Draw = (random, { keys }, kernels) => {
  const file = mutatedSectionFile(pick(random, keys), random);
  return { bytes: file.length, read: () => readKey(kernels.get(bn254.id)!, file) };
};

const chunks: Draw = (random, { keys }, kernels) => {
  const files = zkeyChunks(keys[0]!).map((chunk) => (random.integer(8) === 0 ? flipped(chunk, random) : chunk));
  if (random.integer(3) === 0) files.splice(random.integer(files.length), random.integer(2), pick(random, files));
  return { bytes: keys[0]!.length, read: () => readKeyChunks(kernels.get(bn254.id)!, files) };
};

const wtns: Draw = (random, { witness, variables }) => {
  const file = mutatedSectionFile(witness, random);
  return { bytes: file.length, read: () => readWitnessFile(file, variables) };
};

const wasm: Draw = (random, { circuits }) => {
  // Most of them of the small one, since the engine validates each.
  const file = mutatedWasm(circuits[random.integer(16) === 0 ? 1 : 0]!, random);
  return { bytes: file.length, read: () => boundCircuit(file) };
};

const json: Draw = (random, { documents }) => {
  const name = pick(random, Object.keys(JSON_READERS) as (keyof typeof JSON_READERS)[]);
  const changed = mutatedJson(documents[name], random);
  return { bytes: LARGEST_JSON, read: () => JSON_READERS[name](changed) };
};

const points: Draw = (random, originals, kernels) => {
  const { curve, group, bytes } = pick(random, originals.points);
  const changed = mutatedPoints(curve, group, bytes, random);
  return { bytes: changed.length, read: () => preparePoints(kernels.get(curve.id)!, curve, group, changed) };
};

const scalars: Draw = (random) => {
  const curve = pick(random, ALL_CURVES);
  const count = random.integer(5);
  const bytes = mutatedScalars(curve, count, random);
  return { bytes: bytes.length, read: () => readScalars(curve, bytes, count) };
};

const r1cs: Draw = (random, { constraintSystems }) => {
  const file = mutatedR1cs(pick(random, constraintSystems), random);
  const read = random.integer(4) === 0 ? readSnarkjsInfo : readConstraintSystem;
  return { bytes: file.length, read: () => read(file) };
};

const info: Draw = (random, { keys, witness, constraintSystems }) => {
  const file = [
    () => mutatedSectionFile(pick(random, keys), random),
    () => mutatedSectionFile(witness, random),
    () => mutatedR1cs(pick(random, constraintSystems), random),
  ][random.integer(3)]!();
  return { bytes: file.length, read: () => readFileInfo(file) };
};

const DRAWN: Readonly<Record<string, Draw>> = { zkey, chunks, wtns, wasm, json, points, scalars };
/** How often each is drawn. */
const SHARES = [
  ...Array<string>(5).fill('zkey'),
  'chunks',
  ...Array<string>(3).fill('wtns'),
  ...Array<string>(3).fill('wasm'),
  ...Array<string>(4).fill('json'),
  ...Array<string>(3).fill('points'),
  'scalars',
];

export const parsers: Campaign = {
  about: 'a mutated file or argument is refused by a typed error, or what is returned is right',
  tiers: ['wasm', 'webgpu'],
  short: { wasm: 10, webgpu: 0 },
  full: 5000,
  open: (tier) => ParserCampaign.open(tier),
};

class ParserCampaign implements OpenCampaign {
  private readonly writeError = console.error;
  private readonly reading = new CallWatch(16 * MIB);
  /** A proof in place makes garbage, and the memories of its kernels grow. */
  private readonly calling = new CallWatch(128 * MIB);

  private constructor(
    private readonly tier: Tier,
    private readonly originals: Originals,
    private readonly kernels: ReadonlyMap<string, Kernel>,
    private readonly calls: WholeCalls,
  ) {
    // What a mutated listener throws is written there, a hundred times in a long run.
    console.error = () => undefined;
  }

  static async open(tier: Tier): Promise<ParserCampaign> {
    const circuit = await testCircuit('smallest');
    const [witness, variables] = await witnessFile(circuit);
    const calls = await WholeCalls.open(tier, circuit, witness);
    const kernels = new Map<string, Kernel>();
    for (const { id } of ALL_CURVES) kernels.set(id, await loadKernel(id));
    const otherKeys = [await testCircuit('chain'), await testCircuit('bls12381/chain')].map((other) => other.zkey);
    const originals: Originals = {
      keys: [circuit.zkey, circuit.zkey, ...otherKeys],
      witness,
      variables,
      circuits: [tinyCircuit({}), circuit.wasm],
      constraintSystems: await Promise.all(
        ['smallest.r1cs', 'chain.r1cs', 'matrix.r1cs', 'bls12381/chain.r1cs'].map(fileBytes),
      ),
      documents: { ...calls.documents, inputs: { root: '7', more: [1, ['2', '3'], { field: true }] } },
      points: NOBLE_GROUPS.map(({ curve, group, order, multiples }) => ({
        curve: ALL_CURVES.find(({ id }) => id === curve)!,
        group,
        bytes: multiples([1n, 2n, order - 3n, 0n]),
      })),
    };
    return new ParserCampaign(tier, originals, kernels, calls);
  }

  async run(random: Random): Promise<readonly string[]> {
    const kinds: string[] = [];
    for (let i = 0; i < READ; i++) {
      const name = pick(random, SHARES);
      kinds.push(await this.read(name, DRAWN[name]!, random, i));
    }
    for (let i = 0; i < WHOLE; i++) kinds.push(await this.wholeCall(random, i));
    for (let i = 0; i < ARGUMENTS; i++) {
      const { name, call } = this.calls.argumentCalls.draw(random);
      kinds.push(`arguments: ${await this.calling.run(`arguments of ${name}, mutation ${i}`, LARGEST_JSON, call)}`);
    }
    for (let i = 0; i < CONSTRAINT_SYSTEMS; i++) kinds.push(await this.read('r1cs', r1cs, random, i));
    for (let i = 0; i < INFOS; i++) kinds.push(await this.read('info', info, random, i));
    return kinds;
  }

  figures(): Readonly<Record<string, number | string>> {
    const rss = Math.round(process.resourceUsage().maxRSS / 1024);
    return { ...this.reading.figures('readers'), ...this.calling.figures('whole calls'), 'largest RSS, MiB': rss };
  }

  close(): Promise<void> {
    console.error = this.writeError;
    return this.calls.close();
  }

  private async read(name: string, draw: Draw, random: Random, number: number): Promise<string> {
    const { bytes, read } = draw(random, this.originals, this.kernels);
    return `${name}: ${await this.reading.run(`${name}, mutation ${number}`, bytes, read)}`;
  }

  private async wholeCall(random: Random, number: number): Promise<string> {
    const { calls, originals } = this;
    const [name, bytes, call] = this.drawCall(random, calls, originals);
    return `${name}: ${await this.calling.run(`${name}, whole call ${number}`, bytes, call)}`;
  }

  private drawCall(random: Random, calls: WholeCalls, originals: Originals): readonly [string, number, () => unknown] {
    switch (random.integer(12)) {
      case 0:
      case 1:
      case 2:
      case 3: {
        const file = mutatedSectionFile(originals.keys[0]!, random);
        return ['loadKey and prove', file.length, () => calls.loadAndProve(file, random)];
      }
      case 4:
      case 5: {
        const file = mutatedSectionFile(originals.witness, random);
        return ['prove', file.length, () => calls.prove(file, random)];
      }
      case 6: {
        const inputs = mutatedJson({ root: '7' }, random);
        return ['fullProve, inputs', LARGEST_JSON, () => calls.inputs(inputs)];
      }
      case 7: {
        const file = mutatedWasm(originals.circuits[1]!, random);
        return ['fullProve, circuit', file.length, () => calls.circuitCode(file, random)];
      }
      case 8:
      case 9: {
        const name = pick(random, ['verificationKey', 'publicSignals', 'proof'] as const);
        const changed = mutatedJson(calls.documents[name], random);
        return ['verify', LARGEST_JSON, () => calls.verify(name, changed)];
      }
      default: {
        // Kernels of a GPU are compiled for BN254 already.
        const inG1 = originals.points.filter(({ group }) => group === 'g1');
        const { curve, bytes } = this.tier === 'webgpu' ? inG1[0]! : pick(random, inG1);
        const changed = mutatedPoints(curve, 'g1', bytes, random);
        const count = Math.floor(changed.length / pointBytes(curve.id, 'g1'));
        const values = mutatedScalars(curve, count, random);
        return ['loadBases and msm', changed.length, () => calls.sum(curve, changed, values, random)];
      }
    }
  }
}

const fileBytes = async (name: string): Promise<Uint8Array> => new Uint8Array(readFileSync(await circuitFile(name)));

/** The witness of a circuit's own inputs as a .wtns file, and the number of its values. */
async function witnessFile(circuit: TestCircuit): Promise<[file: Uint8Array, variables: number]> {
  const module = await WebAssembly.compile(circuit.wasm as Uint8Array<ArrayBuffer>);
  const values = await calculateWitness(module, circuit.inputs, bn254.id);
  const count = values.length / bn254.scalarBytes;
  const header = joinBytes([u32(bn254.scalarBytes), bigintToBytes(bn254.fr.modulus, bn254.scalarBytes), u32(count)]);
  return [
    sectionFile('wtns', 2, [
      [1, header],
      [2, values],
    ]),
    count,
  ];
}
