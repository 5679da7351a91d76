import { oddDigits } from '../../../../bench/strategies/odd-digits/index.js';
import { testStrategy } from './strategy-spec.js';

testStrategy(oddDigits);
