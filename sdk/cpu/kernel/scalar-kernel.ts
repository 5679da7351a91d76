import { CURVES } from '../../curves/index.js';
import { bigintToBytes } from '../../field/bytes.js';
import { inverse } from '../../field/modular.js';
import { countOf } from './count-of.js';
import type { KernelInstance } from './kernel-instance.js';

/** The words in which a scalar is brought to another form. */
const WORD = 1n << 32n;

/** A kernel's method for scalars in another form. */
export function scalarKernel(instance: KernelInstance) {
  const { curve, core, memory } = instance;
  const { scalarBytes, fr } = CURVES[curve];
  const order = fr.modulus;

  return {
    /** The canonical form of a few thousand scalars in Montgomery form with R = 2^(8 scalarBytes): s of s R mod r. All are below r. */
    async canonicalScalars({ scalars }: { readonly scalars: Uint8Array }): Promise<Uint8Array> {
      const count = countOf(scalars, scalarBytes, 'scalars');
      return memory.scope((allocate) => {
        const orderAt = allocate(scalarBytes);
        const at = allocate(scalars.length);
        memory.write(orderAt, bigintToBytes(order, scalarBytes));
        memory.write(at, scalars);
        core.scalars_toCanonical(at, count, orderAt, Number(WORD - inverse(order, WORD)));
        return memory.read(at, scalars.length);
      });
    },
  };
}
