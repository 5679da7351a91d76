import { suffixSums } from '../../../bench/strategies/suffix-sums/index.js';
import { testStrategy } from './strategy-spec.js';

testStrategy(suffixSums);
