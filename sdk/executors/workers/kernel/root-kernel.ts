import { bigintToBytes, newBytes } from '../../../base/bytes.js';
import { PippinError } from '../../../base/errors.js';
import { CURVES, type CurveId, type GroupId, pointBytes } from '../../../curves/index.js';
import { wholePart } from './exports.js';
import { EXPORT_NAMES, type RootExports } from './generated/module-exports.js';
import { countOf } from './kernel-instance.js';
import { KernelMemory } from './memory.js';
import { type KernelTask, Steps } from './steps.js';

/** Points decompressed between two copies into WASM memory: 2 ms. */
const CHUNK = 256;

export interface DecompressArgs {
  readonly group: GroupId;
  /** The curve's compiled module of square roots. */
  readonly module: WebAssembly.Module;
  /** Of each finite point x as in a .zkey, with the sign of y in the highest bit. */
  readonly compressed: Uint8Array;
  /** What the points are, and the number of the first, in messages. */
  readonly what: string;
  readonly first: number;
}

/** An instance of a curve's module, with what its functions compute with in its memory. */
interface RootInstance {
  readonly exports: RootExports;
  readonly memory: KernelMemory;
  readonly constants: number;
}

const instances = new Map<CurveId, RootInstance>();

/**
 * The points in the form of a .zkey: x and y times R mod p. `INVALID_POINT` names the first whose x is not below p, or
 * belongs to no point of the curve.
 */
export async function decompressPoints(
  curve: CurveId,
  { group, module, compressed, what, first }: DecompressArgs,
  task?: KernelTask,
): Promise<Uint8Array> {
  const bytes = pointBytes(curve, group);
  const count = countOf(compressed, bytes / 2, 'compressed points');
  const { exports, memory, constants } = await instanceOf(curve, module);
  const decompress = group === 'g1' ? exports.g1_decompress : exports.g2_decompress;
  const points = newBytes(count * bytes);
  await memory.scope(async (allocate) => {
    const source = allocate(CHUNK * (bytes / 2));
    const target = allocate(CHUNK * bytes);
    await new Steps(task, count).run(count, CHUNK, (from, to) => {
      memory.write(source, compressed.subarray((from * bytes) / 2, (to * bytes) / 2));
      const found = decompress(source, to - from, constants, target);
      if (found < 0) throw invalidPoint(curve, what, first + from - 1 - found);
      points.set(memory.view(target, (to - from) * bytes), from * bytes);
    });
  });
  return points;
}

function invalidPoint(curve: CurveId, what: string, index: number): PippinError {
  return new PippinError(
    'INVALID_POINT',
    `expected finite point ${index} of ${what} as x of a point on ${curve} and its sign, got another x`,
  );
}

async function instanceOf(curve: CurveId, module: WebAssembly.Module): Promise<RootInstance> {
  let instance = instances.get(curve);
  if (instance === undefined) {
    const exports = wholePart<RootExports & { readonly memory: WebAssembly.Memory }>(
      (await WebAssembly.instantiate(module, {})).exports,
      EXPORT_NAMES.roots,
    );
    const memory = new KernelMemory(exports.memory, exports.heapBase());
    const written = constantsOf(curve);
    instance = { exports, memory, constants: memory.allocate(written.length) };
    memory.write(instance.constants, written);
    instances.set(curve, instance);
  }
  return instance;
}

/** What square roots are computed with, as wasm/curve/decompress.ts takes it. */
export function constantsOf(curve: CurveId): Uint8Array {
  const { fq, coordinateBytes } = CURVES[curve];
  const p = fq.modulus;
  const digits = Array.from(((p - 3n) / 4n).toString(16), (digit) => Number.parseInt(digit, 16));
  const R = (1n << BigInt(8 * coordinateBytes)) % p;
  return new Uint8Array([
    ...bigintToBytes(R, coordinateBytes),
    ...bigintToBytes((p + 1n) / 2n, coordinateBytes),
    ...bigintToBytes(BigInt(digits.length), 4),
    ...digits,
  ]);
}
