import { threadABucket } from '../../../../bench/strategies/thread-a-bucket/index.js';
import { testStrategy } from './strategy-spec.js';

testStrategy(threadABucket, [{ curve: 'bn254' }, { curve: 'bn254', products: 'bytes' }]);
