import { PippinError } from '../../base/errors.js';
import { curveOfName, KEY_CURVES } from '../../files/snarkjs/known-curves.js';

/** What takes the place of a curve object of ffjavascript: its name, its moduli, and `terminate()`. */
export interface StandInCurve {
  readonly name: string;
  /** The modulus of the coordinates. */
  readonly q: bigint;
  /** The modulus of the scalars. */
  readonly r: bigint;
  terminate(): Promise<void>;
}

/** Members of ffjavascript's curves that compute. */
const ARITHMETIC = ['Fr', 'F1', 'F2', 'F6', 'F12', 'G1', 'G2', 'Gt', 'PFr', 'tm', 'pairing', 'pairingEq', 'buffer2hex'];

const globals = globalThis as Record<string, unknown>;
/** Where ffjavascript keeps its curves. */
const GLOBAL_NAMES = KEY_CURVES.map(({ snarkjs }) => `curve_${snarkjs.name}`);
/** A value that counts as no curve, and can have a method. */
const NO_CURVE = 0n;

type KeyCurve = (typeof KEY_CURVES)[number];

/**
 * The curves of snarkjs as far as applications use them to end its workers. A member that would compute throws
 * `UNSUPPORTED_CALL`.
 *
 * @param onTerminate called by `terminate()`.
 */
export class StandInCurves {
  private readonly curves = new Map<KeyCurve, StandInCurve>();

  constructor(private readonly onTerminate: () => void) {}

  readonly getCurveFromName = async (name: string): Promise<StandInCurve> =>
    this.of(typeof name === 'string' ? curveOfName(name) : undefined, name);

  readonly getCurveFromR = async (r: bigint): Promise<StandInCurve> =>
    this.of(
      KEY_CURVES.find(({ fr }) => fr.modulus === BigInt(r)),
      r,
    );

  readonly getCurveFromQ = async (q: bigint): Promise<StandInCurve> =>
    this.of(
      KEY_CURVES.find(({ fq }) => fq.modulus === BigInt(q)),
      q,
    );

  /**
   * Lets applications call `terminate()` of `globalThis.curve_bn128` and `curve_bls12381`, where snarkjs keeps its
   * curves, unless a curve is there. The value is 0n, with a method on the prototype of bigints: ffjavascript, which
   * asks whether there is a curve, finds none and makes its own. Where the globals or the prototype are frozen, nothing
   * is put there.
   */
  putInGlobals(): void {
    const method = { value: this.terminate, configurable: true, writable: true };
    if (!('terminate' in BigInt.prototype) && !Reflect.defineProperty(BigInt.prototype, 'terminate', method)) return;
    for (const name of GLOBAL_NAMES)
      if (globals[name] === undefined || globals[name] === null) Reflect.set(globals, name, NO_CURVE);
  }

  /** Takes this back. */
  removeFromGlobals(): void {
    for (const name of GLOBAL_NAMES) if (globals[name] === NO_CURVE) Reflect.deleteProperty(globals, name);
    const { terminate } = BigInt.prototype as { readonly terminate?: unknown };
    if (terminate === this.terminate) Reflect.deleteProperty(BigInt.prototype, 'terminate');
  }

  private readonly terminate = async (): Promise<void> => this.onTerminate();

  private of(curve: KeyCurve | undefined, asked: unknown): StandInCurve {
    if (curve === undefined) throw new PippinError('CURVE_MISMATCH', `Curve not supported: ${String(asked)}`);
    const known = this.curves.get(curve) ?? this.make(curve);
    this.curves.set(curve, known);
    return known;
  }

  private make({ snarkjs: { name }, fq, fr }: KeyCurve): StandInCurve {
    const curve: StandInCurve = {
      name,
      q: fq.modulus,
      r: fr.modulus,
      terminate: this.terminate,
    };
    for (const member of ARITHMETIC) {
      Object.defineProperty(curve, member, {
        get() {
          throw new PippinError(
            'UNSUPPORTED_CALL',
            `expected no arithmetic of the curve ${name}, got a use of ${member}`,
            {
              hint: 'take the curve from ffjavascript',
            },
          );
        },
      });
    }
    return curve;
  }
}
