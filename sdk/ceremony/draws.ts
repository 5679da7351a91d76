import { bigintToBytes, joinBytes, newBytes } from '../base/bytes.js';
import { type Curve, type GroupId, SCALAR_BYTES } from '../curves/index.js';
import { inverse, mod, power } from '../curves/modular.js';
import { encodePoint } from '../curves/point-bytes.js';
import type { PairingArithmetic } from '../proofs/pairings.js';
import type { ChaCha } from './chacha.js';

/** An element of F_p, or the two coefficients of one of F_p^2 = F_p[u] / (u^2 + 1). */
type Element = readonly bigint[];

/**
 * A secret below r as snarkjs draws it: words of 64 bits, the lowest first, each by its high half first; drawn again
 * until the number is below r. It counts as a number in Montgomery form, x 2^256 mod r.
 */
export function drawScalar(stream: ChaCha, { fr }: Curve): Uint8Array {
  const order = bigintToBytes(fr.modulus, SCALAR_BYTES);
  const bytes = newBytes(SCALAR_BYTES);
  const view = new DataView(bytes.buffer);
  do {
    for (let at = 0; at < SCALAR_BYTES; at += 8) {
      view.setUint32(at + 4, stream.next(), true);
      view.setUint32(at, stream.next(), true);
    }
    bytes[SCALAR_BYTES - 1]! &= 0xff >> (8 * SCALAR_BYTES - fr.bits);
  } while (!isBelow(bytes, order));
  return bytes;
}

function isBelow(bytes: Uint8Array, bound: Uint8Array): boolean {
  for (let i = bytes.length - 1; i >= 0; i--) if (bytes[i] !== bound[i]) return bytes[i]! < bound[i]!;
  return false;
}

/**
 * A point of the subgroup as snarkjs draws it: an x, and whether y is the larger of the two roots, until there is such
 * a point; then times the cofactor. In the boundary form.
 */
export async function drawPoint(
  stream: ChaCha,
  curve: Curve,
  group: GroupId,
  arithmetic: PairingArithmetic,
): Promise<Uint8Array> {
  const p = curve.fq.modulus;
  const b: Element = group === 'g1' ? [curve.g1.b] : curve.g2!.b;
  for (;;) {
    const x = b.map(() => drawCoordinate(stream, curve));
    const isLarger = (stream.next() & 1) === 1;
    const cube = multiply(multiply(x, x, p), x, p);
    const y = rootOf(
      cube.map((c, i) => mod(c + b[i]!, p)),
      p,
    );
    if (y === undefined) continue;
    const signed = isLargerRoot(y, p) === isLarger ? y : y.map((c) => mod(-c, p));
    const point = encodePoint(curve.id, group, group === 'g1' ? [x[0]!, signed[0]!] : [pair(x), pair(signed)]);
    return timesCofactor(point, curve, group, arithmetic);
  }
}

function pair([c0, c1]: Element): readonly [bigint, bigint] {
  return [c0!, c1!];
}

/** A coordinate: drawn as a scalar is, and taken as a number in Montgomery form. */
function drawCoordinate(stream: ChaCha, { fq, coordinateBytes }: Curve): bigint {
  const mask = (1n << BigInt(fq.bits)) - 1n;
  for (;;) {
    let drawn = 0n;
    for (let at = 0; at < coordinateBytes; at += 8) {
      const high = BigInt(stream.next());
      drawn |= ((high << 32n) | BigInt(stream.next())) << BigInt(8 * at);
    }
    drawn &= mask;
    if (drawn < fq.modulus) return mod(drawn * inverse(1n << BigInt(8 * coordinateBytes), fq.modulus), fq.modulus);
  }
}

/** Whether y is above p / 2; over F_p^2 its second coefficient, or the first where that is 0. */
function isLargerRoot(y: Element, p: bigint): boolean {
  const deciding = [...y].reverse().find((c) => c !== 0n) ?? 0n;
  return 2n * deciding > p;
}

function multiply(a: Element, b: Element, p: bigint): Element {
  if (a.length === 1) return [mod(a[0]! * b[0]!, p)];
  return [mod(a[0]! * b[0]! - a[1]! * b[1]!, p), mod(a[0]! * b[1]! + a[1]! * b[0]!, p)];
}

/** A square root for p = 3 (mod 4), or undefined; over F_p^2 by the complex method (see wasm/curve/decompress.ts). */
function rootOf(a: Element, p: bigint): Element | undefined {
  const root = (value: bigint): bigint => power(value, (p + 1n) / 4n, p);
  const candidate = a.length === 1 ? [root(a[0]!)] : complexRoot(pair(a), p, root);
  return multiply(candidate, candidate, p).every((c, i) => c === a[i]) ? candidate : undefined;
}

function complexRoot([a0, a1]: readonly [bigint, bigint], p: bigint, root: (value: bigint) => bigint): Element {
  const half = inverse(2n, p);
  const s = root(mod(a0 * a0 + a1 * a1, p));
  for (const norm of [s, -s]) {
    const d = mod((a0 + norm) * half, p);
    const c = root(d);
    if (c !== 0n && mod(c * c, p) === d) return [c, mod(a1 * half * inverse(c, p), p)];
  }
  // a is in F_p and no square there: a root of -a times u.
  return [0n, root(mod(-a0, p))];
}

/** Bits of a cofactor that one multiplication takes: a scalar may not be larger. */
const COFACTOR_BITS = 248n;

async function timesCofactor(
  point: Uint8Array,
  curve: Curve,
  group: GroupId,
  { combine }: PairingArithmetic,
): Promise<Uint8Array> {
  const limbs: bigint[] = [];
  for (let rest = group === 'g1' ? curve.g1.cofactor : cofactorOfG2(curve); rest > 0n; rest >>= COFACTOR_BITS) {
    limbs.unshift(BigInt.asUintN(Number(COFACTOR_BITS), rest));
  }
  const bytes = (value: bigint): Uint8Array => bigintToBytes(value, SCALAR_BYTES);
  let result = await combine({ group, points: point, scalars: bytes(limbs[0]!) });
  for (const limb of limbs.slice(1)) {
    const scalars = joinBytes([bytes(1n << COFACTOR_BITS), bytes(limb)]);
    result = await combine({ group, points: joinBytes([result, point]), scalars });
  }
  return result;
}

/**
 * The points of the twist over F_p^2, divided by r. BN: 2 p - r (Barreto, Naehrig, 2005/133, section 3); BLS12: (x^8 -
 * 4 x^7 + 5 x^6 - 4 x^4 + 6 x^3 - 4 x^2 - 4 x + 13) / 9 (Budroni, Pintore, 2017/419, section 4.1).
 */
export function cofactorOfG2({ pairing, fq, fr }: Curve): bigint {
  if (pairing!.family === 'bn') return 2n * fq.modulus - fr.modulus;
  const x = pairing!.parameter;
  return (x ** 8n - 4n * x ** 7n + 5n * x ** 6n - 4n * x ** 4n + 6n * x ** 3n - 4n * x ** 2n - 4n * x + 13n) / 9n;
}
