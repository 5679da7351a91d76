import { bytesToBigint, copyBytes, writeBigint } from '../../base/bytes.js';
import { PippinError } from '../../base/errors.js';
import { SCALAR_BYTES } from '../../curves/index.js';
import { inverse, mod } from '../../curves/modular.js';
import { MAX_MODULUS_BYTES } from '../snarkjs/modulus.js';
import {
  type CircuitCall,
  type CircuitCode,
  type CircuitFaults,
  circuitFault,
  expectCircuitSize,
  expectWitnessSize,
  instantiateCircuit,
  setNamed,
  signalHash,
  unknownSignal,
} from './circuit-code.js';
import type { SignalValues } from './circuit-inputs.js';

/**
 * What circom 1's witness WASM exports (circom_runtime 0.1.28, js/witness_calculator.js). Values pass through the
 * memory, by pointers to numbers in the form that `CircomMemory` describes. The first word of the memory is the address
 * at which its free part begins. The circuit runs when its last input is set, or in `init` if it has no inputs.
 */
interface Circom1Exports {
  readonly memory?: WebAssembly.Memory;
  init(sanityCheck: number): void;
  /** Bytes of a number. */
  getFrLen(): number;
  /** The address of the field's modulus, which has no head. */
  getPRawPrime(): number;
  /** Values of the witness. */
  getNVars(): number;
  /** Writes the number of a signal's first value to the pointer; calls `error` if there is no signal of this name. */
  getSignalOffset32(pointer: number, component: number, high: number, low: number): void;
  /** Sets a signal of the main component to the number at the pointer. */
  setSignal(component: number, unused: number, signal: number, pointer: number): void;
  /** The address of the witness: canonical values, one after another. */
  getWitnessBuffer(): number;
}

const NEEDED: readonly (keyof Circom1Exports)[] = [
  'init',
  'getFrLen',
  'getPRawPrime',
  'getNVars',
  'getSignalOffset32',
  'setSignal',
  'getWitnessBuffer',
];

/** The faults by the code with which the module calls `error`. */
const FAULTS: CircuitFaults = {
  1: ['OUT_OF_MEMORY', 'its stack is too small'],
  2: ['OUT_OF_MEMORY', 'its stack is too small'],
  3: ['INVALID_INPUT', 'it has no such signal'],
  5: ['INVALID_INPUT', 'it needs a signal that was not set'],
  6: ['INVALID_INPUT', 'a signal was set twice'],
  7: ['WITNESS_REJECTED', 'a constraint does not hold'],
  9: ['WITNESS_REJECTED', 'an assertion failed'],
};

/**
 * For each code whose error names a place in the source: which of the five arguments of `error` after the message
 * points to the place.
 */
const PLACE_ARGUMENT: Readonly<Record<number, number>> = { 7: 3, 9: 2 };

/** A place in the circuit's source. Text of any other form is not shown, because it may hold values. */
const PLACE = /^[\w$ /.:\\@+-]+:\d+:\d+$/;

/**
 * The most pages of the memory that such a module imports. circom's modules never let it grow, so it has up to 2 GiB
 * from the start, as in snarkjs; unused pages cost nothing. No module can let it grow, because that would pass the
 * limit of the caller.
 */
const MEMORY_PAGES = 32767;
const PAGE_BYTES = 65_536;
/** The smallest number of pages that the modules accept. */
const MIN_MEMORY_PAGES = 2000;

/**
 * Instantiates a module of circom 1; `UNSUPPORTED_FORMAT` for one of another kind.
 *
 * @param memoryBytes the most bytes of a memory that the module imports.
 */
export async function startCircom1(
  module: WebAssembly.Module,
  { log, variables }: CircuitCall,
  memoryBytes: number,
): Promise<CircuitCode> {
  let memory: CircomMemory | undefined;
  const ignored = (): void => undefined;
  const runtime = {
    error(fault: number, _message: number, ...details: number[]) {
      const place = PLACE_ARGUMENT[fault];
      const text = place === undefined ? '' : memory!.text(details[place] ?? 0);
      throw circuitFault(FAULTS, fault, PLACE.test(text) ? text : '');
    },
    log(pointer: number) {
      log(String(memory!.number(pointer)));
    },
    logGetSignal: ignored,
    logSetSignal: ignored,
    logStartComponent: ignored,
    logFinishComponent: ignored,
  };
  const importsMemory = WebAssembly.Module.imports(module).some(({ kind }) => kind === 'memory');
  const imported = importsMemory ? allocate(memoryBytes) : undefined;
  const imports = imported === undefined ? { runtime } : { runtime, env: { memory: imported } };
  const circom = (await instantiateCircuit(module, imports)) as unknown as Circom1Exports;
  const missing: string[] = NEEDED.filter((name) => typeof circom[name] !== 'function');
  const used = imported ?? circom.memory;
  if (used === undefined) missing.push('memory');
  if (used === undefined || missing.length > 0) {
    throw new PippinError(
      'UNSUPPORTED_FORMAT',
      `expected circom 1's witness WASM, got a module without ${missing.join(', ')}`,
      { hint: 'compile the circuit with circom 2' },
    );
  }
  const valueBytes = circom.getFrLen() - HEAD_BYTES;
  expectCircuitSize(valueBytes, 1, MAX_MODULUS_BYTES, 'field values in bytes');
  const modulus = bytesToBigint(new Uint8Array(used.buffer), circom.getPRawPrime(), valueBytes);
  memory = new CircomMemory(used, valueBytes, modulus);
  return {
    modulus,
    run(signals) {
      // With 0 the module would not check its constraints, and only the proof would show that an input is wrong.
      circom.init(1);
      setInputs(circom, HEAD_BYTES + valueBytes, memory!, signals);
    },
    witness() {
      const at = circom.getWitnessBuffer();
      const count = circom.getNVars();
      expectWitnessSize(count, variables);
      return copyBytes(new Uint8Array(used.buffer, at, count * SCALAR_BYTES));
    },
    // Only what it has used: the rest, up to 2 GiB, takes no memory as long as nobody writes to it.
    wipe: () => new Uint8Array(used.buffer).fill(0, 0, memory!.end),
  };
}

/** The largest memory up to `MEMORY_PAGES` and `maxBytes` that the platform can allocate. */
function allocate(maxBytes: number): WebAssembly.Memory {
  const most = Math.min(MEMORY_PAGES, Math.floor(maxBytes / PAGE_BYTES));
  if (most < MIN_MEMORY_PAGES) {
    throw new PippinError(
      'OUT_OF_MEMORY',
      `expected at least ${MIN_MEMORY_PAGES * PAGE_BYTES} bytes of memory for the WASM of circom 1, got a limit of ${maxBytes}`,
      { hint: 'raise witnessMemory' },
    );
  }
  for (let pages = most; ; pages = Math.max(MIN_MEMORY_PAGES, pages >> 1)) {
    try {
      return new WebAssembly.Memory({ initial: pages, maximum: pages });
    } catch (error) {
      if (pages > MIN_MEMORY_PAGES) continue;
      throw new PippinError('OUT_OF_MEMORY', `expected ${pages} pages of memory for a circuit's WASM, got none`, {
        cause: error,
      });
    }
  }
}

/**
 * The module cannot tell how many values an input has. If a value is missing, the circuit does not run, and the proof
 * does not verify. If there are too many, the rest go to the signals after the input, which fails when those signals
 * are set a second time.
 */
function setInputs(
  circom: Circom1Exports,
  numberBytes: number,
  memory: CircomMemory,
  signals: readonly SignalValues[],
): void {
  const offset = memory.reserve(8);
  const number = memory.reserve(numberBytes);
  for (const { name, values } of signals) {
    const { high, low } = signalHash(name);
    try {
      circom.getSignalOffset32(offset, 0, high, low);
    } catch {
      throw unknownSignal(name);
    }
    const first = memory.word(offset);
    for (const [i, value] of values.entries()) {
      memory.setNumber(number, value);
      setNamed(name, () => circom.setSignal(0, 0, first + i, number));
    }
  }
}

/** The head before a number's value: a short value (i32) and the number's kind (u32). */
const HEAD_BYTES = 8;
/** The kind of a number that does not fit 32 bits: its value follows the head. */
const LONG = 0x80000000;
/** The value is in Montgomery form. */
const MONTGOMERY = 0x40000000;

/**
 * The memory of a circom 1 module, with its numbers modulo r. A short number, from -2^31 to 2^31 - 1, is an i32 in the
 * first word of the head. A long number follows the head, little-endian, either as it is or times 2^(8 valueBytes) mod
 * r.
 */
class CircomMemory {
  private readonly inverseR: bigint;

  constructor(
    private readonly memory: WebAssembly.Memory,
    private readonly valueBytes: number,
    private readonly modulus: bigint,
  ) {
    this.inverseR = inverse(1n << BigInt(8 * valueBytes), modulus);
  }

  /** Takes bytes from the beginning of the free part. */
  reserve(bytes: number): number {
    const at = this.word(0);
    this.view().setUint32(0, at + bytes, true);
    return at;
  }

  /** Where the free part begins, after all that the module has used. */
  get end(): number {
    return this.word(0);
  }

  word(at: number): number {
    return this.view().getUint32(at, true);
  }

  number(at: number): bigint {
    const kind = this.word(at + 4);
    if ((kind & LONG) === 0) return mod(BigInt(this.view().getInt32(at, true)), this.modulus);
    const value = bytesToBigint(new Uint8Array(this.memory.buffer), at + HEAD_BYTES, this.valueBytes);
    return (kind & MONTGOMERY) === 0 ? value : mod(value * this.inverseR, this.modulus);
  }

  setNumber(at: number, value: bigint): void {
    const view = this.view();
    const signed = value > this.modulus / 2n ? value - this.modulus : value;
    if (signed === BigInt.asIntN(32, signed)) {
      view.setInt32(at, Number(signed), true);
      view.setUint32(at + 4, 0, true);
      return;
    }
    view.setUint32(at, 0, true);
    view.setUint32(at + 4, LONG, true);
    writeBigint(new Uint8Array(this.memory.buffer), at + HEAD_BYTES, this.valueBytes, value);
  }

  /** The text at the pointer, up to a zero. */
  text(at: number): string {
    const bytes = new Uint8Array(this.memory.buffer);
    const end = bytes.indexOf(0, at);
    return String.fromCharCode(...bytes.subarray(at, Math.min(end < 0 ? bytes.length : end, at + MAX_TEXT)));
  }

  private view(): DataView {
    return new DataView(this.memory.buffer);
  }
}

/** The most characters of a text that are read: more than any place in a source has. */
const MAX_TEXT = 500;
