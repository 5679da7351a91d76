import type { CircuitInputs } from '../api.js';
import { CURVES, type CurveId, SCALAR_BYTES } from '../curves/index.js';
import { asPippinError, PippinError, type PippinErrorCode } from '../errors.js';
import { fromLimbs } from '../field/limbs.js';
import { flattenInputs, signalHash } from './circuit-inputs.js';
import { fieldName } from './modulus.js';

/**
 * What circom 2's witness WASM exports (circom's own documentation, "Computing the witness with WebAssembly"). Field values pass
 * as 32-bit words through a window that both sides see. Signals go by the hash of their names, which are not in the module:
 * a name can be asked about, not listed. The circuit runs when its last input is set, or in `init` when it has none.
 */
interface CircomExports {
  getVersion(): number;
  /** Words of a field value. */
  getFieldNumLen32(): number;
  /** Puts the field's modulus into the window. */
  getRawPrime(): void;
  init(sanityCheck: number): void;
  /** Values of all inputs together. */
  getInputSize(): number;
  /** Values of one input; 0 where there is none of this name. */
  getInputSignalSize(high: number, low: number): number;
  /** Sets a value of an input to what is in the window. */
  setInputSignal(high: number, low: number, position: number): void;
  readSharedRWMemory(word: number): number;
  writeSharedRWMemory(word: number, value: number): void;
  getWitnessSize(): number;
  /** Puts a value of the witness into the window. */
  getWitness(index: number): void;
  /** The next character of a message, 0 at its end. */
  getMessageChar(): number;
}

/** Every circom 2 module since 2.0.4 or so; the messages came in 2.0.7, with the imports that ask for them. */
const NEEDED: readonly (keyof CircomExports)[] = [
  'getVersion',
  'getFieldNumLen32',
  'getRawPrime',
  'init',
  'getInputSize',
  'getInputSignalSize',
  'setInputSignal',
  'readSharedRWMemory',
  'writeSharedRWMemory',
  'getWitnessSize',
  'getWitness',
];

/** What the code means with which the module calls its exception handler. */
const EXCEPTIONS: Readonly<Record<number, readonly [code: PippinErrorCode, meaning: string]>> = {
  1: ['INVALID_INPUT', 'it has no such signal'],
  2: ['INVALID_INPUT', 'more signals were set than it has'],
  3: ['INVALID_INPUT', 'a signal was set twice'],
  4: ['WITNESS_REJECTED', 'an assertion failed'],
  5: ['OUT_OF_MEMORY', 'it needs more memory'],
  6: ['INVALID_INPUT', 'an input has fewer values than were set'],
};

/**
 * Computes a circuit's witness with the WASM that circom 2 made for it: 32 canonical bytes a value. The inputs are checked by name,
 * count and range (`INVALID_INPUT`); `WITNESS_REJECTED` tells which of the circuit's assertions they fail, with the
 * template and line that the module reports; `UNSUPPORTED_FORMAT` when the module is not circom 2's, `CURVE_MISMATCH` when it
 * is for another field. The module runs the circuit in one go, so this belongs into a worker.
 */
export async function calculateWitness(
  module: WebAssembly.Module,
  inputs: CircuitInputs,
  curve: CurveId,
): Promise<Uint8Array> {
  const circom = await instantiate(module);
  const words = circom.getFieldNumLen32();
  circom.getRawPrime();
  const modulus = fromLimbs(
    Array.from({ length: words }, (_, i) => circom.readSharedRWMemory(i) >>> 0),
    32,
  );
  const { fr } = CURVES[curve];
  if (modulus !== fr.modulus) {
    throw new PippinError(
      'CURVE_MISMATCH',
      `expected a circuit over ${fieldName(fr.modulus)}, got one over ${fieldName(modulus)}`,
    );
  }
  try {
    circom.init(1);
    setInputs(circom, words, inputs, modulus);
  } catch (error) {
    throw asPippinError(error, 'WITNESS_REJECTED', 'expected inputs that the circuit accepts');
  }
  return readWitness(circom, words);
}

async function instantiate(module: WebAssembly.Module): Promise<CircomExports> {
  let circom: CircomExports | undefined;
  /** Where an assertion failed, from the innermost template out. */
  let failures: string[] = [];
  const readMessage = (): string => {
    const codes: number[] = [];
    for (let code = circom!.getMessageChar(); code !== 0; code = circom!.getMessageChar()) codes.push(code);
    return String.fromCharCode(...codes);
  };
  const runtime = {
    exceptionHandler(exception: number) {
      const [code, meaning] = EXCEPTIONS[exception] ?? ['WITNESS_REJECTED', `exception ${exception}`];
      const where = failures.length === 0 ? '' : ` (${failures.join('; ')})`;
      failures = [];
      throw new PippinError(code, `expected inputs that the circuit accepts, got: ${meaning}${where}`);
    },
    printErrorMessage() {
      failures.push(readMessage().trim());
    },
    // What the circuit itself logs, in parts of text and of values. The text must be taken for the next to come.
    writeBufferMessage() {
      readMessage();
    },
    showSharedRWMemory() {},
  };
  try {
    circom = (await WebAssembly.instantiate(module, { runtime })).exports as unknown as CircomExports;
  } catch (error) {
    if (error instanceof RangeError) throw asPippinError(error, 'OUT_OF_MEMORY', "expected to run a circuit's WASM");
    throw new PippinError('UNSUPPORTED_FORMAT', "expected circom 2's witness WASM, got a module of another kind", {
      cause: error,
    });
  }
  const missing = NEEDED.filter((name) => typeof circom![name] !== 'function');
  if (missing.length > 0 || circom.getVersion() !== 2) {
    const got = missing.length > 0 ? `a module without ${missing.join(', ')}` : `circom ${circom.getVersion()}'s`;
    throw new PippinError('UNSUPPORTED_FORMAT', `expected circom 2's witness WASM, got ${got}`, {
      hint: 'compile the circuit with a current circom',
    });
  }
  return circom;
}

function setInputs(circom: CircomExports, words: number, inputs: CircuitInputs, modulus: bigint): void {
  const signals = flattenInputs(inputs, modulus).map((signal) => ({ ...signal, hash: signalHash(signal.name) }));
  let given = 0;
  for (const { name, values, hash } of signals) {
    const size = circom.getInputSignalSize(hash.high, hash.low);
    if (size <= 0 && values.length > 0) {
      throw new PippinError(
        'INVALID_INPUT',
        `expected inputs that the circuit has, got ${name}, which it does not have`,
      );
    }
    if (size > 0 && size !== values.length) {
      throw new PippinError('INVALID_INPUT', `expected ${size} values for ${name}, got ${values.length}`);
    }
    given += values.length;
  }
  const expected = circom.getInputSize();
  if (given !== expected) {
    const names = signals.map(({ name, values }) => `${name}: ${values.length}`).join(', ');
    throw new PippinError(
      'INVALID_INPUT',
      `expected ${expected} input values in all, got ${given} (${names || 'none'})`,
    );
  }
  for (const { values, hash } of signals) {
    for (const [position, value] of values.entries()) {
      for (let w = 0; w < words; w++) circom.writeSharedRWMemory(w, Number((value >> BigInt(32 * w)) & 0xffffffffn));
      circom.setInputSignal(hash.high, hash.low, position);
    }
  }
}

function readWitness(circom: CircomExports, words: number): Uint8Array {
  const count = circom.getWitnessSize();
  const bytes = new Uint8Array(count * SCALAR_BYTES);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < count; i++) {
    circom.getWitness(i);
    for (let w = 0; w < words; w++) view.setUint32(i * SCALAR_BYTES + 4 * w, circom.readSharedRWMemory(w), true);
  }
  return bytes;
}
