import type { AliasContext } from './context.js';

/** The namespace `curves`. */
export function curvesCalls(context: AliasContext) {
  const { curves } = context;
  return {
    /**
     * The curve by its name, as `curves.getCurveFromName` of snarkjs.
     *
     * @param name the curve's name in snarkjs, such as `bn128`.
     * @returns the curve's name, moduli and `terminate()`, which ends the prover behind the alias.
     * @throws {PippinError} CURVE_MISMATCH for a curve that is not one of snarkjs.
     * @example
     * ```js run
     * import { curves } from 'pippin-prover/snarkjs';
     *
     * const curve = await curves.getCurveFromName('bn128');
     * console.log(curve.name, curve.r);
     * await curve.terminate();
     * ```
     */
    getCurveFromName: context.withGlobals(curves.getCurveFromName),
    /**
     * The curve by the modulus of the scalars, as `curves.getCurveFromR` of snarkjs.
     *
     * @param r the modulus of the scalars.
     * @returns the curve's name, moduli and `terminate()`, which ends the prover behind the alias.
     * @throws {PippinError} CURVE_MISMATCH for a curve that is not one of snarkjs.
     * @example
     * ```js run
     * import { curves } from 'pippin-prover/snarkjs';
     *
     * const curve = await curves.getCurveFromR(
     *   21888242871839275222246405745257275088548364400416034343698204186575808495617n,
     * );
     * console.log(curve.name, curve.r);
     * await curve.terminate();
     * ```
     */
    getCurveFromR: context.withGlobals(curves.getCurveFromR),
    /**
     * The curve by the modulus of the coordinates, as `curves.getCurveFromQ` of snarkjs.
     *
     * @param q the modulus of the coordinates.
     * @returns the curve's name, moduli and `terminate()`, which ends the prover behind the alias.
     * @throws {PippinError} CURVE_MISMATCH for a curve that is not one of snarkjs.
     * @example
     * ```js run
     * import { curves } from 'pippin-prover/snarkjs';
     *
     * const curve = await curves.getCurveFromQ(
     *   21888242871839275222246405745257275088696311157297823662689037894645226208583n,
     * );
     * console.log(curve.name, curve.r);
     * await curve.terminate();
     * ```
     */
    getCurveFromQ: context.withGlobals(curves.getCurveFromQ),
  };
}
