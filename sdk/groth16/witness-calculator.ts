import type { CircuitInputs } from '../api.js';
import { bn254, SCALAR_BYTES } from '../curves/index.js';
import { asPippinError, PippinError } from '../errors.js';
import { fromLimbs } from '../field/limbs.js';
import { flattenInputs, signalHash } from './circuit-inputs.js';

/** What circom 2's witness WASM exports (circom, "WebAssembly" code generation). Field values pass through a shared window of words. */
interface CircomExports {
  getVersion(): number;
  getFieldNumLen32(): number;
  getRawPrime(): void;
  init(sanityCheck: number): void;
  getInputSize(): number;
  getInputSignalSize(high: number, low: number): number;
  setInputSignal(high: number, low: number, position: number): void;
  readSharedRWMemory(word: number): number;
  writeSharedRWMemory(word: number, value: number): void;
  getWitnessSize(): number;
  getWitness(index: number): void;
  getMessageChar(): number;
}

const FAILED_ASSERTION = 4;

/** The reasons that circom's code gives to its exception handler. */
const EXCEPTIONS: Readonly<Record<number, string>> = {
  1: 'a signal was not found',
  2: 'more signals were set than there are',
  3: 'a signal was set twice',
  4: 'an assertion failed',
  5: 'there is not enough memory',
  6: 'an input array was accessed beyond its size',
};

/**
 * Computes a circuit's witness with the WASM that circom 2 made for it: 32 canonical bytes a value. The inputs are checked by name,
 * count and range (`INVALID_INPUT`); `WITNESS_REJECTED` tells which of the circuit's assertions they fail;
 * `UNSUPPORTED_FORMAT` or `CURVE_MISMATCH` when the module is not circom 2's, or for another field.
 */
export async function calculateWitness(module: WebAssembly.Module, inputs: CircuitInputs): Promise<Uint8Array> {
  const messages: string[] = [];
  const circom = await instantiate(module, messages);
  const words = circom.getFieldNumLen32();
  circom.getRawPrime();
  const prime = fromLimbs(
    Array.from({ length: words }, (_, i) => circom.readSharedRWMemory(i) >>> 0),
    32,
  );
  if (prime !== bn254.fr.modulus) {
    throw new PippinError('CURVE_MISMATCH', "expected a circuit over BN254's scalar field, got one over another field");
  }
  try {
    circom.init(1);
    setInputs(circom, words, inputs, prime);
  } catch (error) {
    if (error instanceof PippinError && messages.length > 0) {
      throw new PippinError(error.code, `${error.message}: ${messages.join(' ').trim()}`, { cause: error });
    }
    throw asPippinError(error, 'WITNESS_REJECTED', 'expected inputs that the circuit accepts');
  }
  return readWitness(circom, words);
}

async function instantiate(module: WebAssembly.Module, messages: string[]): Promise<CircomExports> {
  let exports: CircomExports | undefined;
  const readMessage = (): string => {
    let text = '';
    for (let code = exports!.getMessageChar(); code !== 0; code = exports!.getMessageChar())
      text += String.fromCharCode(code);
    return text;
  };
  const ignore = (): void => undefined;
  const runtime = {
    exceptionHandler(code: number) {
      const errorCode = code === FAILED_ASSERTION ? 'WITNESS_REJECTED' : 'INVALID_INPUT';
      throw new PippinError(errorCode, `the circuit rejected its inputs: ${EXCEPTIONS[code] ?? `error ${code}`}`);
    },
    printErrorMessage() {
      messages.push(readMessage());
    },
    // The circuit's own log statements, part by part.
    writeBufferMessage: readMessage,
    showSharedRWMemory: ignore,
    error: ignore,
    log: ignore,
    logGetSignal: ignore,
    logSetSignal: ignore,
    logStartComponent: ignore,
    logFinishComponent: ignore,
  };
  try {
    exports = (await WebAssembly.instantiate(module, { runtime })).exports as unknown as CircomExports;
  } catch (error) {
    throw new PippinError('UNSUPPORTED_FORMAT', "expected circom 2's witness WASM, got a module of another kind", {
      cause: error,
    });
  }
  if (
    typeof exports.getVersion !== 'function' ||
    exports.getVersion() !== 2 ||
    typeof exports.getInputSize !== 'function'
  ) {
    throw new PippinError('UNSUPPORTED_FORMAT', "expected circom 2's witness WASM, got another version or kind");
  }
  return exports;
}

function setInputs(circom: CircomExports, words: number, inputs: CircuitInputs, prime: bigint): void {
  const signals = flattenInputs(inputs, prime);
  let given = 0;
  for (const { name, values } of signals) {
    const { high, low } = signalHash(name);
    const size = circom.getInputSignalSize(high, low);
    if (size < 0)
      throw new PippinError(
        'INVALID_INPUT',
        `expected the names of the circuit's inputs, got ${name}, which it does not have`,
      );
    if (size !== values.length) {
      throw new PippinError('INVALID_INPUT', `expected ${size} values for ${name}, got ${values.length}`);
    }
    given += size;
  }
  const expected = circom.getInputSize();
  if (given !== expected) {
    const names = signals.map(({ name }) => name).join(', ');
    throw new PippinError('INVALID_INPUT', `expected ${expected} input values in all, got ${given} (${names})`);
  }
  // The circuit runs when its last input is set.
  for (const { name, values } of signals) {
    const { high, low } = signalHash(name);
    for (const [position, value] of values.entries()) {
      for (let w = 0; w < words; w++) circom.writeSharedRWMemory(w, Number((value >> BigInt(32 * w)) & 0xffffffffn));
      circom.setInputSignal(high, low, position);
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
