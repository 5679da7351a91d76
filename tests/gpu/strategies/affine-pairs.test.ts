import { affinePairs } from '../../../bench/strategies/affine-pairs/index.js';
import { testStrategy } from './strategy-spec.js';

// BLS12-377 has Edwards form in the pipeline.
testStrategy(affinePairs, ['bn254', 'bls12-381']);
