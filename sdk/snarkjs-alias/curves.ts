import { PippinError } from '../errors.js';
import { curveOfName, GROTH16_CURVES } from '../snarkjs/known-curves.js';

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

type Groth16Curve = (typeof GROTH16_CURVES)[number];

/**
 * The curves of snarkjs as far as applications use them to end its workers. A member that would compute throws `UNSUPPORTED_CALL`.
 *
 * @param onTerminate called by `terminate()`.
 */
export class StandInCurves {
  private readonly curves = new Map<Groth16Curve, StandInCurve>();

  constructor(private readonly onTerminate: () => void) {}

  readonly getCurveFromName = async (name: string): Promise<StandInCurve> =>
    this.of(typeof name === 'string' ? curveOfName(name) : undefined, name);

  readonly getCurveFromR = async (r: bigint): Promise<StandInCurve> =>
    this.of(
      GROTH16_CURVES.find(({ fr }) => fr.modulus === BigInt(r)),
      r,
    );

  readonly getCurveFromQ = async (q: bigint): Promise<StandInCurve> =>
    this.of(
      GROTH16_CURVES.find(({ fq }) => fq.modulus === BigInt(q)),
      q,
    );

  /** Puts stand-ins where snarkjs keeps its curves, `globalThis.curve_bn128` and `curve_bls12381`, unless something is there. */
  putInGlobals(): void {
    const globals = globalThis as Record<string, unknown>;
    for (const curve of GROTH16_CURVES) {
      const name = globalName(curve);
      if (globals[name] === undefined || globals[name] === null) globals[name] = this.of(curve, name);
    }
  }

  /** Takes them out of there again. */
  removeFromGlobals(): void {
    const globals = globalThis as Record<string, unknown>;
    for (const [curve, standIn] of this.curves) {
      const name = globalName(curve);
      if (globals[name] === standIn) delete globals[name];
    }
  }

  private of(curve: Groth16Curve | undefined, asked: unknown): StandInCurve {
    if (curve === undefined) throw new PippinError('CURVE_MISMATCH', `Curve not supported: ${String(asked)}`);
    const known = this.curves.get(curve) ?? this.make(curve);
    this.curves.set(curve, known);
    return known;
  }

  private make({ snarkjs: { name }, fq, fr }: Groth16Curve): StandInCurve {
    const curve: StandInCurve = {
      name,
      q: fq.modulus,
      r: fr.modulus,
      terminate: async () => this.onTerminate(),
    };
    for (const member of ARITHMETIC) {
      Object.defineProperty(curve, member, {
        get() {
          throw new PippinError(
            'UNSUPPORTED_CALL',
            `expected no arithmetic of the curve ${name}, got a use of ${member}`,
            {
              hint: 'take the curve from ffjavascript, and configure({ curveGlobals: false }) of pippin-prover/snarkjs first',
            },
          );
        },
      });
    }
    return curve;
  }
}

function globalName({ snarkjs }: Groth16Curve): string {
  return `curve_${snarkjs.name}`;
}
