import { staticBuffer } from '../../../bench/strategies/static-buffer/index.js';
import { testStrategy } from './strategy-spec.js';

testStrategy(staticBuffer);
