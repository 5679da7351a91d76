/**
 * The files of a visitor's own circuit: which is which, what is wrong with one, and what is still missing. Files are
 * told apart by their first bytes, since phones rename what they download; only a JSON file is taken by its contents.
 */

/** What a file is for: the proving key, the circuit's witness WASM, its inputs, or a witness in place of both. */
export type FileKind = 'zkey' | 'wasm' | 'inputs' | 'witness';

/** The circuit's input signals by name, as `fullProve` takes them. */
export type Inputs = Record<string, unknown>;

/** A visitor's files until now: at most one of each kind. */
export interface OwnFiles {
  readonly zkey?: File;
  readonly wasm?: File;
  readonly witness?: File;
  readonly inputs?: { readonly file: File; readonly values: Inputs };
}

/** A circuit that can be proved. */
export interface OwnCircuit {
  readonly name: string;
  readonly zkey: Blob;
  readonly work: { readonly wasm: Blob; readonly inputs: Inputs } | { readonly witness: Blob };
}

/** Why a file is not taken, in a sentence for the visitor. */
export class FileFault extends Error {}

/** The first bytes of snarkjs' binary files and of WebAssembly. */
const MAGIC: Readonly<Record<string, FileKind>> = { zkey: 'zkey', wtns: 'witness', '\0asm': 'wasm' };

/** Inputs are small: what is larger is another file. */
const MOST_INPUT_BYTES = 64 * 2 ** 20;

/** The longest name of a circuit that is shown and shared. */
const MOST_NAME = 60;

/**
 * The files with another one. It takes the place of one of its kind. Rejects with a `FileFault` for a file of no such
 * kind.
 */
export async function withFile(files: OwnFiles, file: File): Promise<OwnFiles> {
  const kind = MAGIC[String.fromCharCode(...new Uint8Array(await file.slice(0, 4).arrayBuffer()))];
  if (kind === 'zkey') return { ...files, zkey: file };
  if (kind === 'wasm') return { ...files, wasm: file };
  if (kind === 'witness') return { ...files, witness: file };
  return { ...files, inputs: { file, values: await readInputs(file) } };
}

async function readInputs(file: File): Promise<Inputs> {
  const isNamedSo = /\.json$/i.test(file.name);
  if (file.size === 0) throw new FileFault(`${file.name} is empty. Its download may have been cut off.`);
  if (!isNamedSo || file.size > MOST_INPUT_BYTES) {
    throw new FileFault(
      `${file.name} is not a file that this page knows: it takes a .zkey, a .wasm with an input.json, or a .wtns.`,
    );
  }
  const values = parsed(file.name, await file.text());
  if (typeof values !== 'object' || values === null || Array.isArray(values)) {
    throw new FileFault(`${file.name} is not an object with the circuit’s inputs by name, such as {"a": "3"}.`);
  }
  if ('protocol' in values && 'vk_alpha_1' in values) {
    throw new FileFault(
      `${file.name} is a verification key. This page takes the inputs, and reads that key from the .zkey.`,
    );
  }
  const fault = numberFault(values);
  if (fault !== undefined) throw new FileFault(`${file.name} ${fault}`);
  return values as Inputs;
}

function parsed(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message would show a part of the inputs.
    throw new FileFault(`${name} is not JSON. Take the file that \`snarkjs groth16 fullprove\` takes.`);
  }
}

/**
 * What is wrong with a number of the inputs, if anything: JSON.parse has rounded those beyond 2^53, and signals are
 * integers.
 */
function numberFault(value: unknown): string | undefined {
  if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) {
      const fault = numberFault(member);
      if (fault !== undefined) return fault;
    }
  }
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return undefined;
  return Number.isInteger(value)
    ? 'has a number beyond 2^53 without quotes, which JavaScript rounds. Write it as text: "12345678901234567890".'
    : 'has a number that is not an integer. Signals are integers.';
}

/** What has to be added before it can be proved, for the visitor; undefined if nothing has. */
export function missingFiles({ zkey, wasm, inputs, witness }: OwnFiles): string | undefined {
  const missing = [];
  if (zkey === undefined) missing.push('the proving key (.zkey)');
  if (witness === undefined && wasm === undefined) missing.push('the circuit’s WASM (.wasm)');
  if (witness === undefined && inputs === undefined) missing.push('its inputs (input.json)');
  if (missing.length === 0) return undefined;
  return `Still missing: ${missing.join(', ')}.`;
}

/** The circuit of complete files, or undefined. With a witness nothing is computed from inputs. */
export function circuitOf({ zkey, wasm, inputs, witness }: OwnFiles): OwnCircuit | undefined {
  if (zkey === undefined) return undefined;
  const name = zkey.name.replace(/\.zkey$/i, '').slice(0, MOST_NAME);
  if (wasm !== undefined && inputs !== undefined) return { name, zkey, work: { wasm, inputs: inputs.values } };
  return witness === undefined ? undefined : { name, zkey, work: { witness } };
}

/** Bytes as people say them: `832 B`, `3.4 MB`. */
export function fileSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const [unit, name] = bytes < 999_500 ? [1e3, 'kB'] : bytes < 999_500_000 ? [1e6, 'MB'] : [1e9, 'GB'];
  return `${Number((bytes / Number(unit)).toPrecision(3))} ${name}`;
}
