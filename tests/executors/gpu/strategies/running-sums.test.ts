import { runningSums } from '../../../../bench/strategies/running-sums/index.js';
import { testStrategy } from './strategy-spec.js';

testStrategy(runningSums, [{ curve: 'bn254' }, { curve: 'bls12-377' }]);
