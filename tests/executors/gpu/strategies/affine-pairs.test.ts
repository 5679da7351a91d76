import { affinePairs } from '../../../../bench/strategies/affine-pairs/index.js';
import { testStrategy } from './strategy-spec.js';

testStrategy(affinePairs, [{ curve: 'bn254' }, { curve: 'bls12-381' }]);
