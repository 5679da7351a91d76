import { describe } from 'vitest';
import { GpuPolynomials } from '../../../../sdk/executors/gpu/vectors/gpu-polynomials.js';
import { testPolynomials } from '../../../support/polynomials-suite.js';
import { sharedDevice } from '../test-device.js';

/** None, one, two, and lengths around one block of a recurrence, one workgroup, and two levels of blocks. */
const LENGTHS = [0, 1, 2, 16, 17, 64, 65, 256, 257, 1029];

describe.each(['bn254', 'bls12-381'] as const)('polynomials over the scalars of %s on the GPU', (id) => {
  const start = async () => GpuPolynomials.create(await sharedDevice(), id);
  testPolynomials(id, { start, lengths: id === 'bn254' ? LENGTHS : [17, 257], slice: 16 });
});
