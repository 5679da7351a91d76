import { describe, expect, it } from 'vitest';
import { PippinError } from '../../sdk/base/errors.js';

describe('the message of an error', () => {
  it.each([
    ['expected a file at https://me:pa@ss@host:80/a/b.zkey?token=SECRET#SECRET, got', 'https://host:80/a/b.zkey got'],
    ['got: Request cannot be made: https://user@host/x', 'https://host/x'],
    ['expected WASM at http://host?SECRET', 'http://host'],
    [
      'at https://SECRET@one/?SECRET and wss://two/@scope/x?SECRET (blob:https://three/id#SECRET)',
      'wss://two/@scope/x and',
    ],
  ])('shows of a URL neither userinfo nor query nor fragment: %s', (message, shown) => {
    const { message: text, stack } = new PippinError('IO_FAILED', message);
    expect(`${text} ${stack}`).not.toMatch(/SECRET|pa@ss|me:|user@/);
    for (const part of shown.split(' ')) expect(text).toContain(part);
  });

  it.each(['expected a redis:// URL, got another', 'what? a@b #c', 'file:///tmp/a b.zkey'])(
    'is otherwise as given: %s',
    (message) => {
      expect(new PippinError('IO_FAILED', message).message).toBe(message);
    },
  );
});
