import type { Groth16Key, Prover } from '../../sdk/api/index.js';
import { testCircuit } from '../support/circuits.js';
import { createProver } from '../support/prover.js';
import type { Random } from '../support/random.js';
import { op, type TinyCircuit, tinyCircuit } from '../support/tiny-circuit.js';
import type { Campaign, OpenCampaign } from './campaign.js';
import { oddModule } from './odd-modules.js';

/** Milliseconds that a circuit may compute. */
const WITNESS_TIMEOUT = 300;
const WITNESS_MEMORY = 2 ** 26;

/** The functions of a circuit that hostile code is put into: name, and whether the function gives a number. */
const FUNCTIONS = [
  ['getVersion', true],
  ['getFieldNumLen32', true],
  ['getRawPrime', false],
  ['init', false],
  ['getInputSize', true],
  ['readSharedRWMemory', true],
  ['getWitnessSize', true],
  ['getWitness', false],
  ['getMessageChar', true],
] as const;

const LENGTHS = [0, -1, 1, 2, 3, 65, 65_536, 0x7fffffff, -0x80000000];

/** The imports that take nothing: circom's `printErrorMessage`, `writeBufferMessage` and `showSharedRWMemory`. */
const CALLS = [1, 2, 3].map(op.call);

/** Instructions that leave nothing on the stack. */
function hostileCode(random: Random): number[] {
  const length = op.constant(LENGTHS[random.integer(LENGTHS.length)]!);
  const call = CALLS[random.integer(CALLS.length)]!;
  const codes = [
    op.forever,
    op.unreachable,
    call,
    op.loop(call),
    op.loop([...op.constant(1000), ...op.grow, ...op.drop]),
    [...length, ...op.grow, ...op.drop],
    [...op.constant(1), ...op.constant(0), ...op.divide, ...op.drop],
    [...length, ...op.load, ...op.drop],
    [...op.constant(random.integer(8)), ...op.call(0)],
    // Calls without end. getWitness is the tenth function, after four imports.
    [...op.constant(0), ...op.call(13)],
  ];
  return [...codes[random.integer(codes.length)]!];
}

function hostileCircuit(random: Random): TinyCircuit {
  const bodies: Record<string, number[]> = {};
  for (let i = random.integer(3); i >= 0; i--) {
    const [name, givesNumber] = FUNCTIONS[random.integer(FUNCTIONS.length)]!;
    const code = random.integer(2) === 0 || !givesNumber ? hostileCode(random) : [];
    const result = givesNumber ? op.constant(LENGTHS[random.integer(LENGTHS.length)]!) : [];
    bodies[name] = [...code, ...result];
  }
  const start = random.integer(6) === 0 ? hostileCode(random) : undefined;
  const memory: TinyCircuit['memory'] = [[1], [0], [2000], [1, 65_536]][random.integer(12)] as TinyCircuit['memory'];
  return { bodies, ...(start && { start }), ...(memory && { memory }) };
}

export const circuits: Campaign = {
  about: "a hostile circuit's WebAssembly ends in a typed error within its limits, and the next proof is right",
  tiers: ['wasm'],
  short: 6,
  full: 2000,
  async open(tier): Promise<OpenCampaign> {
    const circuit = await testCircuit('smallest');
    const prover = await createProver({ backend: tier, threads: 1, cache: false });
    const key = await prover.groth16.loadKey(circuit.zkey);
    return {
      async run(random) {
        const wasm = random.integer(3) === 0 ? oddModule(random) : tinyCircuit(hostileCircuit(random));
        const code = await codeOf(prover, key, wasm);
        // A proof is verified before it is returned.
        await prover.groth16.fullProve(key, circuit.inputs, circuit.wasm);
        return [code];
      },
      close: () => prover.dispose(),
    };
  },
};

/** The code of the error that a circuit ends in. */
async function codeOf(prover: Prover, key: Groth16Key, wasm: Uint8Array): Promise<string> {
  const limits = { witnessTimeout: WITNESS_TIMEOUT, witnessMemory: WITNESS_MEMORY };
  const failure = await prover.groth16.fullProve(key, {}, wasm, limits).then(
    () => undefined,
    (error: unknown) => error,
  );
  if ((failure as Error | undefined)?.name !== 'PippinError') {
    throw new Error('expected a PippinError', { cause: failure });
  }
  const { code } = failure as Error & { code: string };
  if (code === 'INTERNAL') throw new Error('expected an error of its own, got INTERNAL', { cause: failure });
  return code;
}
