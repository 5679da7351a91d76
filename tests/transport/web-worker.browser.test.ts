import { expect, it } from 'vitest';
import type { PippinError } from '../../sdk/base/errors.js';
import { startWebWorker } from '../../sdk/transport/web-worker.js';

/** The failure of a worker with that script, in a real browser. */
function failureOf(script: string): Promise<PippinError> {
  const { failure } = startWebWorker({
    script,
    start: () => new Worker(script, { type: 'module' }),
    orders: { byPort: false },
  });
  return new Promise((resolve) => failure.onFailure(resolve));
}

it.each([
  ['is missing', () => new URL('/no/such/script.js', location.href).href],
  [
    'is an HTML page',
    () => URL.createObjectURL(new Blob(['<!doctype html><title>Wallet</title>'], { type: 'text/html' })),
  ],
])('names the script of a worker that cannot start because it %s', async (_, scriptOf) => {
  const script = scriptOf();
  expect(await failureOf(script)).toMatchObject({
    code: 'WORKER_FAILED',
    message: expect.stringContaining(`the worker at ${script} to start`),
    hint: expect.stringContaining('served as JavaScript'),
  });
});
