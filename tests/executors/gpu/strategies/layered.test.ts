import { layered } from '../../../../bench/strategies/layered/index.js';
import { testStrategy } from './strategy-spec.js';

testStrategy(layered);
