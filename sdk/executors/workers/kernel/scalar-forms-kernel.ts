import { bigintToBytes } from '../../../base/bytes.js';
import { CURVES } from '../../../curves/index.js';
import { inverse } from '../../../curves/modular.js';
import { type BatchScalars, countOf, countOfBatch, type WholeInstance, writeBatch } from './kernel-instance.js';

/** The words in which a scalar is brought to another form. */
const WORD = 1n << 32n;

/** A few thousand scalars to be masked. */
export interface MaskScalarsArgs extends BatchScalars {
  /** The key of 16 bytes from which masks follow, and the number of each multiplication's first scalar. */
  readonly key: Uint8Array;
  readonly first: number;
  /** For each MSM the factor of its masks, a scalar below r. */
  readonly factors: Uint8Array;
}

/** A kernel's methods for scalars in other forms. */
export function scalarFormsKernel(instance: WholeInstance) {
  const { curve, core, memory } = instance;
  const { scalarBytes, fr } = CURVES[curve];
  const order = fr.modulus;
  /** -1 / r modulo a word. */
  const negativeInverse = Number(WORD - inverse(order, WORD));

  return {
    /**
     * The canonical form of a few thousand scalars in Montgomery form with R = 2^(8 scalarBytes): s of s R mod r. All
     * are below r.
     */
    async canonicalScalars({ scalars }: { readonly scalars: Uint8Array }): Promise<Uint8Array> {
      const count = countOf(scalars, scalarBytes, 'scalars');
      return memory.scope((allocate) => {
        const orderAt = allocate(scalarBytes);
        const at = allocate(scalars.length);
        memory.write(orderAt, bigintToBytes(order, scalarBytes));
        memory.write(at, scalars);
        core.scalars_toCanonical(at, count, orderAt, negativeInverse);
        return memory.read(at, scalars.length);
      });
    },

    /**
     * Each scalar plus its mask, times the factor of its multiplication, modulo r (docs/strategies/constant-work.md).
     */
    async maskScalars({ key, first, factors, ...given }: MaskScalarsArgs): Promise<Uint8Array> {
      const batch = countOf(factors, scalarBytes, 'factors');
      const count = countOfBatch(given, batch, scalarBytes);
      const bytes = batch * count * scalarBytes;
      return memory.scope(async (allocate) => {
        const [at, keyAt, factorsAt] = [allocate(bytes), allocate(key.length), allocate(factors.length)];
        const [orderAt, product] = [allocate(scalarBytes), allocate(scalarBytes)];
        writeBatch(memory, at, given, batch, count * scalarBytes);
        memory.write(keyAt, key);
        memory.write(orderAt, bigintToBytes(order, scalarBytes));
        memory.write(factorsAt, factors);
        for (let m = 0; m < batch; m++) {
          const own = at + m * count * scalarBytes;
          core.scalars_mask(own, count, first, keyAt, factorsAt + m * scalarBytes, orderAt, negativeInverse, product);
        }
        return memory.read(at, bytes);
      });
    },
  };
}
