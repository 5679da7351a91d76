import asc from 'assemblyscript/asc';
import { bigintToBytes } from '../../sdk/base/bytes.js';
import { bn254 } from '../../sdk/curves/index.js';
import { signalHash } from '../../sdk/files/witness/circuit-code.js';

/**
 * A module with the interface of circom 1's witness WASM, because a compiler for it can no longer be had. Its circuit
 * has the inputs `a` and `b[2]` and the output `out`. It logs 5, which it holds in Montgomery form, and then a. It
 * fails unless b[0] = b[1], and sets out to a. The witness is 1, out, a, b[0], b[1].
 *
 * @param memory whether the module imports its memory, as circom 1's do, or exports its own.
 */
export function circom1Module(memory: 'imported' | 'exported' = 'imported'): Promise<WebAssembly.Module> {
  const known = compiled.get(memory) ?? compile(memory);
  compiled.set(memory, known);
  return known;
}

const compiled = new Map<string, Promise<WebAssembly.Module>>();

async function compile(memory: 'imported' | 'exported'): Promise<WebAssembly.Module> {
  let binary: Uint8Array | undefined;
  const flags = ['--runtime', 'stub', '--memoryBase', '64', '--initialMemory', '2', '--noAssert', '-O'];
  if (memory === 'imported') flags.push('--importMemory');
  const { error, stderr } = await asc.main(['circuit.ts', '--outFile', 'circuit.wasm', ...flags], {
    readFile: (file: string) => (file === 'circuit.ts' ? SOURCE : null),
    writeFile: (_file: string, contents: string | Uint8Array) => {
      if (typeof contents !== 'string') binary = contents;
    },
    listFiles: () => [],
  });
  if (error !== null || binary === undefined) throw new Error(`the circuit does not compile: ${stderr.toString()}`);
  return WebAssembly.compile(binary as Uint8Array<ArrayBuffer>);
}

const r = bn254.fr.modulus;
const bytes = (values: Iterable<number>): string => `memory.data<u8>([${[...values].join(', ')}])`;
const text = (value: string): string => bytes([...new TextEncoder().encode(value), 0]);
/** The AssemblyScript condition that the words `high` and `low` are the hash of a signal's name. */
const isHash = (name: string): string => {
  const { high, low } = signalHash(name);
  return `(<u32>high == ${high} && <u32>low == ${low})`;
};

const SOURCE = `
@external("runtime", "error")
declare function error(code: i32, message: usize, a: i32, b: i32, c: i32, d: i32): void;
@external("runtime", "log")
declare function log(pointer: usize): void;

const PRIME = ${bytes(bigintToBytes(r, 32))};
const FIVE = ${bytes([0, 0, 0, 0, 0, 0, 0, 0xc0, ...bigintToBytes((5n << 256n) % r, 32)])};
const NOT_FOUND = ${text('Hash not found')};
const TWICE = ${text('Signal assigned twice')};
const MISMATCH = ${text("Constraint doesn't match")};
const PLACE = ${text('/home/author/circuit.circom:7:4')};
/** Numbers of 40 bytes: 1, out, a, b[0], b[1]. */
const SIGNALS: usize = 1024;
const WITNESS: usize = 2048;
let missing: i32 = 3;
store<u32>(0, 65536);

export function init(sanityCheck: i32): void {
  memory.fill(SIGNALS, 0, 200);
  store<i32>(SIGNALS, 1);
  missing = 3;
}
export function getFrLen(): i32 { return 40; }
export function getPRawPrime(): usize { return PRIME; }
export function getNVars(): i32 { return 5; }
export function getSignalOffset32(pointer: usize, component: i32, high: i32, low: i32): void {
  if (${isHash('a')}) store<i32>(pointer, 2);
  else if (${isHash('b')}) store<i32>(pointer, 3);
  else error(3, NOT_FOUND, component, high, low, 0);
}
export function setSignal(component: i32, unused: i32, signal: i32, pointer: usize): void {
  if (missing == 0) error(6, TWICE, component, signal, 0, 0);
  memory.copy(SIGNALS + signal * 40, pointer, 40);
  if (--missing > 0) return;
  log(FIVE);
  log(SIGNALS + 80);
  let differ = false;
  for (let i = 0; i < 40; i++) if (load<u8>(SIGNALS + 120 + i) != load<u8>(SIGNALS + 160 + i)) differ = true;
  if (differ) {
    error(7, MISMATCH, 0, <i32>(SIGNALS + 120), <i32>(SIGNALS + 160), <i32>PLACE);
  }
  memory.copy(SIGNALS + 40, SIGNALS + 80, 40);
}
export function getWitnessBuffer(): usize {
  for (let i = 0; i < 5; i++) {
    const from = SIGNALS + i * 40;
    const to = WITNESS + i * 32;
    if (load<u32>(from + 4) != 0) {
      memory.copy(to, from + 8, 32);
      continue;
    }
    // The prime is added to a negative number, word by word.
    const value = <i64>load<i32>(from);
    let carry: i64 = value;
    for (let w = 0; w < 8; w++) {
      if (value < 0) carry += <i64>load<u32>(PRIME + w * 4);
      store<u32>(to + w * 4, <u32>carry);
      carry >>= 32;
    }
  }
  return WITNESS;
}
`;
