import { afterAll } from 'vitest';
import { workerDigits } from '../../../../bench/strategies/worker-digits/index.js';
import { compilePackedDigits } from '../../../../scripts/lib/packed-digits.mjs';
import { testStrategy } from './strategy-spec.js';

const strategy = workerDigits(async () => WebAssembly.compile(await compilePackedDigits()));

testStrategy(strategy);

afterAll(() => strategy.close?.());
