import { expect, it } from 'vitest';
import { expectFinished } from '../../../sdk/proofs/groth16/unfinished-key.js';
import { failureOf } from '../../support/section-bytes.js';

it('a key is finished unless gamma and delta are the same point', async () => {
  const gamma = Uint8Array.of(1, 2, 3);
  for (let at = 0; at < 3; at++) expectFinished(gamma, gamma.with(at, 9));
  const failure = await failureOf(() => expectFinished(gamma, gamma.slice()));
  expect(failure).toMatchObject({ code: 'KEY_UNFINISHED', hint: expect.stringContaining('contribute') });
});
