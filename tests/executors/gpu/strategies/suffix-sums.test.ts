import { suffixSums } from '../../../../bench/strategies/suffix-sums/index.js';
import { testStrategy } from './strategy-spec.js';

testStrategy(suffixSums, [{ curve: 'bn254' }, { curve: 'bls12-377' }]);
