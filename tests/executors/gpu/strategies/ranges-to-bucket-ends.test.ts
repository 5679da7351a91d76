import { rangesToBucketEnds } from '../../../../bench/strategies/ranges-to-bucket-ends/index.js';
import { testStrategy } from './strategy-spec.js';

testStrategy(rangesToBucketEnds, [{ curve: 'bn254' }, { curve: 'bn254', products: 'bytes' }]);
