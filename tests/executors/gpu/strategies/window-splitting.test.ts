import { windowSplitting } from '../../../../bench/strategies/window-splitting/index.js';
import { testStrategy } from './strategy-spec.js';

testStrategy(windowSplitting);
