import {
  negatedScalarsAlone,
  negatedScalarsWithMultiples,
} from '../../../../bench/strategies/negated-scalars/index.js';
import { testStrategy } from './strategy-spec.js';

testStrategy(negatedScalarsAlone);
testStrategy(negatedScalarsWithMultiples, [{ curve: 'bn254' }, { curve: 'bls12-377' }]);
