import { runningSums } from '../../../bench/strategies/running-sums/index.js';
import { testStrategy } from './strategy-spec.js';

testStrategy(runningSums);
