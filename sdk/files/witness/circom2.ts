import { copyBytes, newBytes } from '../../base/bytes.js';
import { PippinError } from '../../base/errors.js';
import { SCALAR_BYTES } from '../../curves/index.js';
import { fromLimbs } from '../../curves/limbs.js';
import { MAX_MODULUS_BYTES } from '../snarkjs/modulus.js';
import { type Circom2Inputs, expectInputs } from './circom2-inputs.js';
import {
  type CircuitCall,
  type CircuitCode,
  type CircuitFaults,
  type CircuitLog,
  circuitFault,
  expectCircuitSize,
  expectMessageLength,
  expectWitnessSize,
  instantiateCircuit,
  setNamed,
  signalHash,
} from './circuit-code.js';
import type { SignalValues } from './circuit-inputs.js';
import { MAX_KEPT_BYTES } from './kept-circuit.js';

/**
 * What circom 2's witness WASM exports (circom's own documentation, "Computing the witness with WebAssembly"). Field
 * values pass as 32-bit words through the shared memory of `readSharedRWMemory`, called the window here. A signal is
 * named by the hash of its name, since the module does not have the names: it can say whether a name exists, but not
 * list the names. The circuit runs when its last input is set, or in `init` if it has no inputs.
 */
interface Circom2Exports extends Circom2Inputs {
  getVersion(): number;
  /** Words of a field value. */
  getFieldNumLen32(): number;
  /** Puts the field's modulus into the window. */
  getRawPrime(): void;
  init(sanityCheck: number): void;
  /** Sets a value of an input to what is in the window. */
  setInputSignal(high: number, low: number, position: number): void;
  readSharedRWMemory(word: number): number;
  writeSharedRWMemory(word: number, value: number): void;
  getWitnessSize(): number;
  /** Puts a value of the witness into the window. */
  getWitness(index: number): void;
  /**
   * Puts the values of the witness, 32 bytes each, on circom's stack if that begins at `least` or above and has room.
   * Gives their address, otherwise 0. In circuits with our arithmetic (wasm/circuit/witness.ts).
   */
  copyWitness?(count: number, window: number, least: number): number;
  /** The next character of a message, 0 at its end. */
  getMessageChar(): number;
  /** The address of the window. */
  getSharedRWMemoryStart?(): number;
}

/**
 * What every circom 2 module exports. The functions for messages are missing in older modules, which do not have the
 * imports that use them.
 */
const NEEDED: readonly (keyof Circom2Exports)[] = [
  'getVersion',
  'getFieldNumLen32',
  'getRawPrime',
  'init',
  'setInputSignal',
  'readSharedRWMemory',
  'writeSharedRWMemory',
  'getWitnessSize',
  'getWitness',
];

/** The faults by the code with which the module calls its exception handler. */
const FAULTS: CircuitFaults = {
  1: ['INVALID_INPUT', 'it has no such signal'],
  2: ['INVALID_INPUT', 'more signals were set than it has'],
  3: ['INVALID_INPUT', 'a signal was set twice'],
  4: ['WITNESS_REJECTED', 'an assertion failed'],
  5: ['OUT_OF_MEMORY', 'it needs more memory'],
  6: ['INVALID_INPUT', 'an input has fewer values than were set'],
};

/** The text with which circom says where a circuit failed. Other text is not shown, because it may contain values. */
const PLACE = /^Error in (template|function) [\w$]+ line: \d+$/;

/** The most places that an error names: more templates than any circuit nests. */
const MAX_PLACES = 100;
/** The most words of a field value: of the largest modulus that is read from any file. */
const MAX_WORDS = MAX_MODULUS_BYTES / 4;

/**
 * Instantiates a module of circom 2; `UNSUPPORTED_FORMAT` for one of another kind.
 *
 * @param isKept whether it is to serve several calculations: for a module that has no state but its memory.
 */
export async function startCircom2(
  module: WebAssembly.Module,
  first: CircuitCall,
  isKept = false,
): Promise<CircuitCode> {
  let call = first;
  const { circom, forgetMessages } = await instantiate(module, (line) => call.log(line));
  const memory = circom.memory instanceof WebAssembly.Memory ? circom.memory : undefined;
  const initial = isKept && memory !== undefined ? initialBytes(memory) : undefined;
  const words = wordsOf(circom);
  const readWindow = (): bigint => windowValue(circom, words);
  circom.getRawPrime();
  return {
    modulus: readWindow(),
    run(signals) {
      circom.init(1);
      expectInputs(circom, signals, call.inputNames);
      setInputs(circom, words, signals);
    },
    witness() {
      const count = circom.getWitnessSize();
      expectWitnessSize(count, call.variables);
      const bytes = newBytes(count * SCALAR_BYTES);
      const values = new Uint32Array(bytes.buffer);
      const window = memory && windowIn(circom, memory, words);
      const copied = window && initial && circom.copyWitness?.(count, window.byteOffset, initial.bytes.length);
      if (copied) {
        bytes.set(new Uint8Array(memory!.buffer, copied, bytes.length));
        return bytes;
      }
      for (let i = 0, to = 0; i < count; i++, to += SCALAR_BYTES / 4) {
        circom.getWitness(i);
        for (let w = 0; w < words; w++) values[to + w] = window ? window[w]! : circom.readSharedRWMemory(w);
      }
      return bytes;
    },
    wipe() {
      // It is as large as the circuit needs. A module may have one that it does not show, which only the end of its
      // worker frees.
      if (memory !== undefined) new Uint8Array(memory.buffer).fill(0);
    },
    restore() {
      if (!memory || !initial || memory.buffer.byteLength !== initial.memoryBytes) return false;
      const bytes = new Uint8Array(memory.buffer);
      bytes.set(initial.bytes);
      bytes.fill(0, initial.bytes.length);
      return true;
    },
    restart(next) {
      forgetMessages();
      call = next;
    },
  };
}

/** What a memory holds up to its last byte that is not 0. undefined for one that is too large to be kept. */
function initialBytes({ buffer }: WebAssembly.Memory): { bytes: Uint8Array; memoryBytes: number } | undefined {
  const memoryBytes = buffer.byteLength;
  if (memoryBytes > MAX_KEPT_BYTES) return undefined;
  const words = new Uint32Array(buffer);
  let length = words.length;
  while (length > 0 && words[length - 1] === 0) length--;
  return { bytes: copyBytes(new Uint8Array(buffer, 0, 4 * length)), memoryBytes };
}

async function instantiate(
  module: WebAssembly.Module,
  log: CircuitLog,
): Promise<{ circom: Circom2Exports; forgetMessages: () => void }> {
  let circom: Circom2Exports | undefined;
  /** Where an assertion failed, from the innermost template out. */
  let places: string[] = [];
  const readMessage = (): string => {
    let text = '';
    for (let code = circom!.getMessageChar(); code !== 0; code = circom!.getMessageChar()) {
      text += String.fromCharCode(code);
      expectMessageLength(text.length);
    }
    return text;
  };
  // Since circom 2.0.7 a log() has several parts, texts and values, and ends with a line end. Before that it has one
  // value.
  const logsInParts = WebAssembly.Module.imports(module).some(({ name }) => name === 'writeBufferMessage');
  let parts: string[] = [];
  let length = 0;
  const addPart = (part: string): void => {
    // An empty part counts as well.
    length += 1 + part.length;
    expectMessageLength(length);
    parts.push(part);
  };
  const runtime = {
    exceptionHandler(fault: number) {
      const where = places.join('; ');
      places = [];
      throw circuitFault(FAULTS, fault, where);
    },
    printErrorMessage() {
      const text = readMessage().trim();
      if (places.length < MAX_PLACES && PLACE.test(text)) places.push(text);
    },
    writeBufferMessage() {
      const text = readMessage();
      if (text !== '\n') {
        addPart(text);
        return;
      }
      log(parts.join(' '));
      parts = [];
      length = 0;
    },
    showSharedRWMemory() {
      const value = String(windowValue(circom!, wordsOf(circom!)));
      if (logsInParts) addPart(value);
      else log(value);
    },
  };
  circom = (await instantiateCircuit(module, { runtime })) as unknown as Circom2Exports;
  const missing = NEEDED.filter((name) => typeof circom![name] !== 'function');
  if (missing.length > 0 || circom.getVersion() !== 2) {
    const got = missing.length > 0 ? `a module without ${missing.join(', ')}` : `circom ${circom.getVersion()}'s`;
    throw new PippinError('UNSUPPORTED_FORMAT', `expected circom 2's witness WASM, got ${got}`, {
      hint: 'compile the circuit with a current circom',
    });
  }
  const forgetMessages = (): void => {
    places = [];
    parts = [];
    length = 0;
  };
  return { circom, forgetMessages };
}

/**
 * The window in the module's memory, so that a value of the witness takes one call instead of one for each word.
 * undefined where the memory is not what `writeSharedRWMemory` writes to.
 */
function windowIn(circom: Circom2Exports, memory: WebAssembly.Memory, words: number): Uint32Array | undefined {
  const start = circom.getSharedRWMemoryStart?.() ?? -1;
  if (start < 0 || start % 4 !== 0 || start + 4 * words > memory.buffer.byteLength) return undefined;
  const window = new Uint32Array(memory.buffer, start, words);
  for (let w = 0; w < words; w++) {
    circom.writeSharedRWMemory(w, w + 1);
    if (window[w] !== w + 1) return undefined;
  }
  return window;
}

function wordsOf(circom: Circom2Exports): number {
  const words = circom.getFieldNumLen32();
  expectCircuitSize(words, 1, MAX_WORDS, 'field values in words');
  return words;
}

function windowValue(circom: Circom2Exports, words: number): bigint {
  return fromLimbs(
    Array.from({ length: words }, (_, i) => circom.readSharedRWMemory(i) >>> 0),
    32,
  );
}

function setInputs(circom: Circom2Exports, words: number, signals: readonly SignalValues[]): void {
  for (const { name, values } of signals) {
    const { high, low } = signalHash(name);
    for (const [position, value] of values.entries()) {
      for (let w = 0; w < words; w++) circom.writeSharedRWMemory(w, Number((value >> BigInt(32 * w)) & 0xffffffffn));
      setNamed(name, () => circom.setInputSignal(high, low, position));
    }
  }
}
