import { expect, it } from 'vitest';
import { checkedId, unknownId } from '../../../sdk/hosts/extension/messages.js';

it('an id of a proof is a text of 1 to 200 characters', () => {
  for (const id of ['a', 'x'.repeat(200)]) expect(checkedId(id)).toBe(id);
  for (const id of ['', 'x'.repeat(201), undefined, null, 7, ['a'], { length: 1 }]) {
    expect(() => checkedId(id)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
  }
});

it('an id that is unknown is told as such', () => {
  expect(unknownId()).toMatchObject({ code: 'INVALID_HANDLE', hint: expect.any(String) });
});
