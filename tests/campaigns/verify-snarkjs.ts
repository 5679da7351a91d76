import type { Verification } from './verify-places.js';

/** What is used of snarkjs' curve. */
interface PeerCurve {
  readonly tm: { terminate(): Promise<void> };
}

interface PeerSystem {
  verify(key: unknown, signals: unknown, proof: unknown): Promise<boolean>;
}

interface Peer {
  readonly groth16: PeerSystem;
  readonly plonk: PeerSystem;
  readonly fflonk: PeerSystem;
  readonly curves: { getCurveFromName(name: string, options: { singleThread: boolean }): Promise<PeerCurve> };
}

/** The most elements of an array that snarkjs is given: it copies every one of them, also those that are not there. */
const MOST_ELEMENTS = 10_000;

/** The largest logarithm of a domain's size that snarkjs is given; none of its curves has one. */
const MOST_POWER = 1000;

/** The verifier of snarkjs, on this thread. */
export class SnarkjsVerifier {
  private constructor(private readonly peer: Peer) {}

  static async open(): Promise<SnarkjsVerifier> {
    const peer = (await import('snarkjs')) as unknown as Peer;
    for (const name of ['bn128', 'bls12381']) {
      // snarkjs takes the curve that is kept here. Otherwise it would start threads.
      const curve = await peer.curves.getCurveFromName(name, { singleThread: true });
      Object.assign(globalThis, { [`curve_${name}`]: curve });
    }
    return new SnarkjsVerifier(peer);
  }

  /** Whether the proof holds; `error` if snarkjs throws. */
  async ask(system: Verification['system'], [key, signals, proof]: readonly unknown[]): Promise<boolean | 'error'> {
    try {
      return await this.peer[system].verify(key, signals, proof);
    } catch {
      return 'error';
    }
  }

  close(): void {
    Object.assign(globalThis, { curve_bn128: null, curve_bls12381: null });
  }
}

/** Whether arguments have more elements than snarkjs could be given in reasonable time. */
export function isTooLarge(value: unknown, depth = 0): boolean {
  if (depth > 100) return false;
  try {
    if (typeof value === 'string') return value.length > MOST_ELEMENTS;
    if (typeof value !== 'object' || value === null) return false;
    if (ArrayBuffer.isView(value) || (Array.isArray(value) && value.length > MOST_ELEMENTS)) {
      return (value as unknown as { length: number }).length > MOST_ELEMENTS;
    }
    return Object.values(value).some((member) => isTooLarge(member, depth + 1));
  } catch {
    return false;
  }
}

/** Whether snarkjs would square without end for the domain of a PLONK or FFLONK key. */
export function isHugeDomain(key: unknown): boolean {
  try {
    return Number((key as { readonly power?: unknown }).power) > MOST_POWER;
  } catch {
    return false;
  }
}
