import { bigintToBytes, newBytes } from '../base/bytes.js';
import { CURVES, type CurveId, SCALAR_BYTES } from '../curves/index.js';
import { inverse } from '../curves/modular.js';

/** Numbers are cut into limbs of 16 bits: sums of products of two limbs are exact in a JavaScript number. */
const LIMBS = SCALAR_BYTES / 2;
const BASE = 2 ** 16;

/**
 * Arithmetic with secrets modulo r, in arrays that are overwritten afterwards: a bigint could not be. Its time depends
 * on no secret but for what the processor does with small numbers, which nothing here promises.
 */
export class SecretScalars {
  private readonly modulus = new Uint16Array(LIMBS);
  /** -1 / r modulo 2^16. */
  private readonly factor: number;
  /** r - 2. */
  private readonly exponent: bigint;
  private readonly sums = new Float64Array(LIMBS + 2);
  private readonly kept: Uint16Array[] = [];

  constructor(curve: CurveId) {
    const r = CURVES[curve].fr.modulus;
    setLimbs(this.modulus, bigintToBytes(r, SCALAR_BYTES));
    this.factor = Number(inverse(BigInt(BASE) - (r % BigInt(BASE)), BigInt(BASE)));
    this.exponent = r - 2n;
  }

  /** A secret from its Montgomery form, x 2^256 mod r, and the secret's inverse: canonical bytes. */
  fromMontgomery(given: Uint8Array): { readonly value: Uint8Array; readonly inverse: Uint8Array } {
    const [a, power, one] = [this.number(), this.number(), this.number()];
    setLimbs(a, given);
    one[0] = 1;
    power.set(a);
    // Fermat: a^(r - 2), from the exponent's second highest bit on.
    for (const bit of this.exponent.toString(2).slice(1)) {
      this.multiply(power, power, power);
      if (bit === '1') this.multiply(power, power, a);
    }
    this.multiply(a, a, one);
    this.multiply(power, power, one);
    return { value: bytesOf(a), inverse: bytesOf(power) };
  }

  /** Overwrites what was computed with. */
  wipe(): void {
    this.sums.fill(0);
    for (const number of this.kept) number.fill(0);
  }

  /** A number of zeros in a fresh buffer (see `newBytes`). */
  private number(): Uint16Array {
    const made = new Uint16Array(newBytes(SCALAR_BYTES).buffer);
    this.kept.push(made);
    return made;
  }

  /** target = a b / 2^256 mod r, limb by limb (Montgomery, "Modular multiplication without trial division", 1985). */
  private multiply(target: Uint16Array, a: Uint16Array, b: Uint16Array): void {
    const { sums, modulus, factor } = this;
    sums.fill(0);
    for (let i = 0; i < LIMBS; i++) {
      const ai = a[i]!;
      const lowest = (sums[0]! + ai * b[0]!) % BASE;
      const m = (lowest * factor) % BASE;
      let carry = Math.floor((sums[0]! + ai * b[0]! + m * modulus[0]!) / BASE);
      for (let j = 1; j < LIMBS; j++) {
        const sum = sums[j]! + ai * b[j]! + m * modulus[j]! + carry;
        sums[j - 1] = sum % BASE;
        carry = Math.floor(sum / BASE);
      }
      const sum = sums[LIMBS]! + carry;
      sums[LIMBS - 1] = sum % BASE;
      sums[LIMBS] = Math.floor(sum / BASE);
    }
    if (this.isBelowModulus()) for (let j = 0; j < LIMBS; j++) target[j] = sums[j]!;
    else this.storeReduced(target);
  }

  private isBelowModulus(): boolean {
    const { sums, modulus } = this;
    if (sums[LIMBS]! > 0) return false;
    for (let j = LIMBS - 1; j >= 0; j--) if (sums[j] !== modulus[j]) return sums[j]! < modulus[j]!;
    return false;
  }

  /** target = sums - r. */
  private storeReduced(target: Uint16Array): void {
    let borrow = 0;
    for (let j = 0; j < LIMBS; j++) {
      const difference = this.sums[j]! - this.modulus[j]! - borrow;
      borrow = difference < 0 ? 1 : 0;
      target[j] = difference + borrow * BASE;
    }
  }
}

function setLimbs(target: Uint16Array, bytes: Uint8Array): void {
  for (let i = 0; i < LIMBS; i++) target[i] = bytes[2 * i]! + 256 * bytes[2 * i + 1]!;
}

function bytesOf(limbs: Uint16Array): Uint8Array {
  const bytes = newBytes(SCALAR_BYTES);
  for (let i = 0; i < LIMBS; i++) {
    bytes[2 * i] = limbs[i]! & 0xff;
    bytes[2 * i + 1] = limbs[i]! >> 8;
  }
  return bytes;
}
