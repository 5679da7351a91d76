import type { Proof, ProveOptions, ProvingKeyLoadOptions, VerificationKeyJson } from '../api/index.js';
import type { Context } from './context.js';
import { readJson } from './files.js';
import {
  file,
  fileOrStdin,
  flag,
  integer,
  type Option,
  type OptionTable,
  required,
  usageError,
  type Values,
} from './option.js';

export const allowUnfinished = flag(
  'take a key without a contribution in phase 2 of its set-up, for which anyone can forge proofs',
);

/** The SHA-256 of a file. */
const sha256: Option<string> = {
  value: 'HEX',
  help: 'refuse the proving key unless its file has this SHA-256',
  read(given, name) {
    if (/^[0-9a-f]{64}$/i.test(given)) return given;
    throw usageError(`expected ${name} with 64 hexadecimal digits, got ${given}`, 'sha256sum circuit.zkey prints them');
  },
};

/** A proof and its public signals, as commands read them. */
export const PROOF_OPTIONS = {
  proof: required(fileOrStdin('.json', "the proof (JSON in snarkjs' form)")),
  public: required(fileOrStdin('.json', 'the public signals (JSON)')),
} satisfies OptionTable;

/** Reads a proof and its public signals. They are JSON of any kind: whoever takes them checks what they hold. */
export async function readProof(
  { proof, public: publicPath }: Values<typeof PROOF_OPTIONS>,
  context: Context,
): Promise<{ readonly proof: Proof; readonly publicSignals: string[] }> {
  const [proofJson, publicSignals] = await Promise.all([
    readJson(proof, context, 'the proof'),
    readJson(publicPath, context, 'the public signals'),
  ]);
  return { proof: proofJson as Proof, publicSignals: publicSignals as string[] };
}

/** The file of a proving key. */
export const ZKEY = required(file('.zkey', "proving key in snarkjs' form: a path or URL"));

/** Options that say which proving keys are taken. */
export const KEY_OPTIONS = {
  vkey: file('.json', 'refuse the proving key unless it belongs to this verification key (JSON)'),
  sha256,
  'allow-unfinished': allowUnfinished,
} satisfies OptionTable;

/** Where the inputs of a circuit and its WASM are, and what the WASM may take. */
export const WITNESS_OPTIONS = {
  input: fileOrStdin('.json', "the circuit's inputs (JSON)"),
  wasm: file('.wasm', 'the witness WASM that circom made of the circuit: a path or URL'),
  'strict-inputs': flag(
    "take only integers from 0 to r - 1, where r is the order of the circuit's field; without it inputs are reduced modulo r, as in snarkjs",
  ),
  'no-exchange-arithmetic': flag(
    "compute the witness with circom's own field arithmetic, not with Pippin's in its place",
  ),
  'witness-timeout': integer('MS', 'end the witness WASM after so many milliseconds (default: 120000)', 1, 2 ** 31 - 1),
  'witness-memory': integer(
    'BYTES',
    'the most memory that the witness WASM may take (default: 1073741824, 1 GiB)',
    1,
    2 ** 32,
  ),
} satisfies OptionTable;

/** What a proof is made with besides the key, as `loadKey` takes it. */
export async function keyLoadOptions(
  values: Values<typeof KEY_OPTIONS>,
  context: Context,
): Promise<ProvingKeyLoadOptions> {
  const { vkey, sha256: hash } = values;
  const given = vkey === undefined ? undefined : await readJson(vkey, context, 'the verification key');
  return {
    // The prover checks that it is one.
    ...(given === undefined ? {} : { verificationKey: given as VerificationKeyJson }),
    ...(hash === undefined ? {} : { sha256: hash }),
    allowUnfinished: values['allow-unfinished'],
  };
}

/** What a circuit's WASM gets and may take, as `fullProve` takes it. The prover checks the ranges. */
export function witnessLimits(
  values: Pick<
    Values<typeof WITNESS_OPTIONS>,
    'witness-timeout' | 'witness-memory' | 'strict-inputs' | 'no-exchange-arithmetic'
  >,
): Pick<ProveOptions, 'witnessTimeout' | 'witnessMemory' | 'strictInputs' | 'exchangeArithmetic'> {
  const { 'witness-timeout': timeout, 'witness-memory': memory } = values;
  return {
    ...(timeout === undefined ? {} : { witnessTimeout: timeout }),
    ...(memory === undefined ? {} : { witnessMemory: memory }),
    strictInputs: values['strict-inputs'],
    ...(values['no-exchange-arithmetic'] ? { exchangeArithmetic: false } : {}),
  };
}
