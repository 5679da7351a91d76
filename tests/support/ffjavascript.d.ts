/**
 * What tests and benchmarks use of ffjavascript, snarkjs' library for fields and curves. Elements are in Montgomery
 * form.
 */
declare module 'ffjavascript' {
  interface ScalarField {
    readonly s: number;
    readonly w: readonly Uint8Array[];
    readonly one: Uint8Array;
    fft(values: Uint8Array): Promise<Uint8Array>;
    ifft(values: Uint8Array): Promise<Uint8Array>;
    batchApplyKey(values: Uint8Array, first: Uint8Array, factor: Uint8Array): Promise<Uint8Array>;
    batchToMontgomery(values: Uint8Array): Promise<Uint8Array>;
    batchFromMontgomery(values: Uint8Array): Promise<Uint8Array>;
    add(a: Uint8Array, b: Uint8Array): Uint8Array;
    mul(a: Uint8Array, b: Uint8Array): Uint8Array;
  }
  interface CurveGroup {
    multiExpAffine(bases: Uint8Array, scalars: Uint8Array): Promise<Uint8Array>;
    toAffine(point: Uint8Array): Uint8Array;
    toObject(point: Uint8Array): unknown;
  }
  interface PairingGroup extends CurveGroup {
    readonly g: Uint8Array;
    timesScalar(point: Uint8Array, scalar: bigint): Uint8Array;
  }
  interface PairingCurve {
    readonly Fr: ScalarField;
    readonly G1: PairingGroup;
    readonly G2: PairingGroup;
    /** Coefficients as nested lists of bigints. */
    readonly Gt: { toObject(value: Uint8Array): unknown };
    pairing(a: Uint8Array, b: Uint8Array): Uint8Array;
    terminate(): Promise<void>;
  }
  export function buildBn128(singleThread: boolean): Promise<PairingCurve>;
  export function buildBls12381(singleThread: boolean): Promise<PairingCurve>;
}
