import { staticBuffer } from '../../../../bench/strategies/static-buffer/index.js';
import { testStrategy } from './strategy-spec.js';

testStrategy(staticBuffer, [{ curve: 'bn254' }, { curve: 'bn254', products: 'bytes' }, { curve: 'bls12-377' }]);
