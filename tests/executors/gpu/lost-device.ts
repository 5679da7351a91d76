import { beforeAll, beforeEach } from 'vitest';
import { loss } from './test-device.js';

/**
 * This file runs before every test file of the project `gpu`. After a loss of the shared device, which no test brings
 * about, the other tests of a file fail at once, where each would wait for an answer. The next file opens another device.
 */
beforeAll(() => {
  delete loss.info;
});
beforeEach(() => {
  if (loss.info === undefined) return;
  throw new Error(
    `expected the GPU device that tests share, got a lost one (${loss.info.reason}): ${loss.info.message}`,
  );
});
