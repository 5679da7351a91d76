import type { WgslCurve } from '../../scripts/generate/wgsl/wgsl-curve.js';
import { CURVES } from '../../sdk/curves/index.js';

/** y^2 = x^3 + 4 over a field of 381 bits: columns take two products of limbs, and lie in buffers 2^6 times by bytes. */
export const WEIERSTRASS_381: WgslCurve = {
  id: 'bls12-381',
  wgslLimbsPerTurn: 3,
  fq: {
    name: 'bls12_381_fq',
    modulus: 0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaabn,
    bits: 381,
  },
};

/** -x^2 + y^2 = 1 + 3021 x^2 y^2 over BLS12-377's scalar field, of 253 bits: by bytes R leaves no room for lazy sums. */
export const EDWARDS_253: WgslCurve = {
  id: 'edwards-bls12',
  wgslLimbsPerTurn: 2,
  fq: { ...CURVES['bls12-377'].fr, name: 'edwards_bls12_fq' },
  edwards: { d: 3021n },
};

const OTHERS = [WEIERSTRASS_381, EDWARDS_253].filter(({ id }) => !(id in CURVES));

/** The curves of the registry, and fields of other shapes than theirs. */
export const WGSL_CURVES: readonly WgslCurve[] = [...Object.values(CURVES), ...OTHERS];
