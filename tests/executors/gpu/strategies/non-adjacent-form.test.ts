import { nonAdjacentForm } from '../../../../bench/strategies/non-adjacent-form/index.js';
import { testStrategy } from './strategy-spec.js';

testStrategy(nonAdjacentForm);
