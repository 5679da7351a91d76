import type { AnyProveResult, Prover, ProvingKey } from '../../api/index.js';
import { wipe } from '../../base/free-memory.js';
import { readKey } from '../../encodings/file-functions.js';
import { zkeyOf } from '../../encodings/read-source.js';
import { type ByteSource, memorySource } from '../../files/byte-source.js';
import { openNodeFile } from '../../files/node-file.js';
import { KEY_CURVE_NAMES } from '../../files/snarkjs/known-curves.js';
import { readWtns } from '../../files/snarkjs/wtns.js';
import { proveWith } from '../../hosts/session/proof-system-of.js';
import { defineCommand } from '../command.js';
import { DOWNLOAD_OPTIONS, givenMaxBytes } from '../common-options.js';
import type { Context } from '../context.js';
import { expectOutputs } from '../expect-outputs.js';
import { isPath, readInputs } from '../files.js';
import { fileOrStdin, flag, type OptionTable, required, type Values, writtenFile } from '../option.js';
import { writeOutput } from '../output-file.js';
import { rounded, roundedTimes, stepOf, withProver } from '../prover.js';
import { CONSTANT_WORK, LOADING_OPTIONS, proverOptions } from '../prover-options.js';
import { KEY_OPTIONS, keyLoadOptions, WITNESS_OPTIONS, witnessLimits, ZKEY } from '../proving-options.js';
import { proofInput, readWitnessSource, type WitnessSource } from '../witness-source.js';

const PRINTED = 'without --proof and --public both are printed, and with --json always';

/** The options of every command that makes a proof. */
const PROVING_OPTIONS = {
  zkey: ZKEY,
  ...KEY_OPTIONS,
  proof: writtenFile('.json', "write the proof to this file (JSON in snarkjs' form)", PRINTED),
  public: writtenFile('.json', 'write the public signals to this file (JSON)', PRINTED),
  'no-verify': flag('do not verify the proof before it is written'),
  'constant-work': CONSTANT_WORK,
  ...DOWNLOAD_OPTIONS,
  ...LOADING_OPTIONS,
} satisfies OptionTable;

const { zkey, ...PROVING } = PROVING_OPTIONS;

export const proveCommand = defineCommand({
  name: 'prove',
  topic: 'proofs',
  summary: "make a proof from a witness, or from a circuit's inputs",
  usage: '--zkey FILE (--witness FILE | --input FILE --wasm FILE) [options]',
  options: { zkey, witness: fileOrStdin('.wtns', 'the witness (.wtns)'), ...WITNESS_OPTIONS, ...PROVING },
  notes: [
    `Keys are over ${KEY_CURVE_NAMES}.`,
    'Without --proof, --public and --json, prints {"proof", "publicSignals"}. What the circuit logs goes to stderr and may show its inputs.',
  ],
  examples: [
    'pippin prove --zkey circuit.zkey --witness witness.wtns --proof proof.json --public public.json',
    'generate-inputs | pippin prove --zkey circuit.zkey --wasm circuit.wasm --input - --json',
  ],
  exits: { 0: 'done', 1: 'the witness does not satisfy the circuit, or the work failed' },
  async work(values, context) {
    return proveAndTell(values, await readWitnessSource('prove', values, context), context);
  },
});

const { wasm, input, ...LIMITS } = WITNESS_OPTIONS;

export const fullproveCommand = defineCommand({
  name: 'fullprove',
  topic: 'proofs',
  summary: "make a proof from a circuit's inputs",
  usage: '--zkey FILE --wasm FILE --input FILE [options]',
  options: { zkey, wasm: required(wasm), input: required(input), ...LIMITS, ...PROVING },
  notes: [
    'The same as pippin prove with --input and --wasm. Without --proof, --public and --json, prints {"proof", "publicSignals"}. What the circuit logs goes to stderr and may show its inputs.',
  ],
  examples: [
    'pippin fullprove --zkey circuit.zkey --wasm circuit.wasm --input input.json --proof proof.json --public public.json',
  ],
  exits: { 0: 'done', 1: 'the inputs do not satisfy the circuit, or the work failed' },
  async work(values, context) {
    const inputs = await readInputs(values.input, values['strict-inputs'], context);
    return proveAndTell(values, { kind: 'inputs', inputs, wasm: values.wasm }, context);
  },
});

type ProvingValues = Values<typeof PROVING_OPTIONS> &
  Values<typeof WITNESS_OPTIONS> & { readonly witness?: string | undefined };

/** Makes a proof as the options say, and writes or prints it. */
async function proveAndTell(values: ProvingValues, source: WitnessSource, context: Context): Promise<number> {
  const { zkey, vkey, witness, input, wasm, proof: proofPath, public: publicPath } = values;
  await expectOutputs({ proof: proofPath, public: publicPath }, { zkey, vkey, witness, input, wasm });
  const downloads = givenMaxBytes(values);
  const { precompute = 1 } = values;
  const keyOptions = { ...(await keyLoadOptions(values, context)), precompute, ...downloads };
  const options = { ...proverOptions(values), constantWork: values['constant-work'] };
  const work = async (prover: Prover): Promise<{ key: ProvingKey; result: AnyProveResult }> => {
    const key = await prover.loadKey(zkey, { ...stepOf(context, 'Loading the key'), ...keyOptions });
    const limits = source.kind === 'inputs' ? witnessLimits(values) : {};
    const proving = { ...stepOf(context, 'Proving'), verify: !values['no-verify'], ...downloads, ...limits };
    const result = await proveWith(prover, key, proofInput(source), proving);
    return { key, result };
  };
  const { key, result } = await withProver(options, context, work, checkFiles(zkey, source));
  const { proof, publicSignals, report } = result;
  if (proofPath !== undefined) await writeOutput(proofPath, `${JSON.stringify(proof, undefined, 1)}\n`, context);
  if (publicPath !== undefined)
    await writeOutput(publicPath, `${JSON.stringify(publicSignals, undefined, 1)}\n`, context);
  const written = [proofPath, publicPath].filter((path) => path !== undefined).join(', ');
  const { backend } = report;
  const ms = { ...roundedTimes(report), 'load key': rounded(key.report.ms.total) };
  const told =
    written === ''
      ? JSON.stringify({ proof, publicSignals }, undefined, 1)
      : `Proved on ${backend} in ${Math.round(report.ms.total)} ms: ${written}`;
  await context.result({ proof, publicSignals, backend, ms }, told);
  return 0;
}

/**
 * Checks files while the workers start, so that wrong ones are reported at once. URLs are not checked, so that each is
 * fetched only once.
 */
async function checkFiles(zkey: string, source: WitnessSource): Promise<void> {
  if (!isPath(zkey)) return;
  const key = await readFileAt(zkey, async (file) => readKey(await zkeyOf(file)));
  if (source.kind !== 'witness') return;
  const { curve, facts } = key;
  const { witness } = source;
  const read = async (file: ByteSource): Promise<void> =>
    wipe(await readWtns(file, { curve, variables: facts.variables }));
  if (witness instanceof Uint8Array) await read(memorySource(witness));
  if (typeof witness === 'string' && isPath(witness)) await readFileAt(witness, read);
}

async function readFileAt<T>(path: string, read: (file: ByteSource) => Promise<T>): Promise<T> {
  const opened = await openNodeFile(path);
  try {
    return await read(opened);
  } finally {
    await opened.close();
  }
}
