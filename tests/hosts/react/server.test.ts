import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, it, vi } from 'vitest';
import { useKey, useProof, useProver } from '../../../sdk/react.js';

const createProver = vi.hoisted(() => vi.fn());
vi.mock('pippin-prover', async () => ({ ...(await import('../../../sdk/base/errors.js')), createProver }));

it('a server renders what waits, starts nothing and needs no global of a browser', () => {
  expect('window' in globalThis || 'document' in globalThis).toBe(false);
  function Page() {
    const { status, prover } = useProver({ threads: 2 });
    const key = useKey(prover, '/note.zkey');
    const proof = useProof(prover, key.key);
    return createElement('p', null, [status, key.status, proof.status, proof.progress].join(' '));
  }
  expect(renderToString(createElement(Page))).toBe('<p>loading waiting idle 0</p>');
  expect(createProver).not.toHaveBeenCalled();
});
