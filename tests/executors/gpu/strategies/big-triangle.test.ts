import { bigTriangle } from '../../../../bench/strategies/big-triangle/index.js';
import { testStrategy } from './strategy-spec.js';

testStrategy(bigTriangle);
