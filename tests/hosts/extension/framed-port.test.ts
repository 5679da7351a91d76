import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ExtensionPort } from '../../../sdk/hosts/extension/extension-api.js';
import { FramedPort, MAX_MESSAGE } from '../../../sdk/hosts/extension/framed-port.js';

/** Characters of a frame. */
const FRAME = 2 ** 22;

interface Frame {
  readonly part: string;
  readonly last: boolean;
}

let take: (frame: unknown) => void;
let disconnect: () => void;
const posted: Frame[] = [];
const port = {
  name: 'pippin-prover',
  postMessage: vi.fn<(message: unknown) => void>(),
  disconnect: vi.fn<() => void>(),
  onMessage: {
    addListener: (listener: typeof take) => {
      take = listener;
    },
  },
  onDisconnect: {
    addListener: (listener: typeof disconnect) => {
      disconnect = listener;
    },
  },
} satisfies ExtensionPort;
const onMessage = vi.fn<(message: unknown) => void>();
const onEnd = vi.fn<() => void>();
const onFrame = vi.fn<() => void>();
let framed: FramedPort;

beforeEach(() => {
  vi.resetAllMocks();
  posted.length = 0;
  port.postMessage.mockImplementation((frame) => void posted.push(frame as Frame));
  framed = new FramedPort(port, onMessage, onEnd, onFrame);
});

it('is as long as Chromium allows', () => {
  // Chromium refuses messages of 64 MiB.
  expect(MAX_MESSAGE).toBe(64 * 2 ** 20);
});

/** A text whose JSON has so many characters. */
const ofLength = (length: number): string => 'x'.repeat(length - 2);

describe('a message that is sent', () => {
  it.each([
    [7, [7]],
    [FRAME - 1, [FRAME - 1]],
    [FRAME, [FRAME]],
    [FRAME + 1, [FRAME, 1]],
    [2 * FRAME + 5, [FRAME, FRAME, 5]],
  ])('of %i characters has frames of %j', (length, expected) => {
    framed.send(ofLength(length));
    expect(posted.map(({ part }) => part.length)).toEqual(expected);
    expect(posted.map(({ last }) => last)).toEqual(expected.map((_, i) => i === expected.length - 1));
    expect(posted.map(({ part }) => part).join('')).toBe(JSON.stringify(ofLength(length)));
  });

  it('may have as many characters as are allowed, and no more', () => {
    framed.send(ofLength(MAX_MESSAGE));
    expect(posted).toHaveLength(MAX_MESSAGE / FRAME);
    expect(() => framed.send(ofLength(MAX_MESSAGE + 1))).toThrow(expect.objectContaining({ code: 'INVALID_LENGTH' }));
    expect(posted).toHaveLength(MAX_MESSAGE / FRAME);
  });

  it('must be a value of JSON', () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    for (const message of [1n, cycle]) {
      expect(() => framed.send(message)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
    }
    expect(posted).toEqual([]);
    expect(onEnd).not.toHaveBeenCalled();
  });

  it('goes nowhere when the port is closed, which is told once', () => {
    port.postMessage.mockImplementation(() => {
      throw new Error('closed');
    });
    framed.send(ofLength(2 * FRAME));
    framed.send('again');
    disconnect();
    expect(port.postMessage).toHaveBeenCalledTimes(1);
    expect(onEnd).toHaveBeenCalledTimes(1);
  });
});

/** A part of JSON, with as many spaces as a part needs that is not the last. */
const full = (text: string): string => text.padEnd(FRAME);

describe('a message that arrives', () => {
  it('is put together from its frames, each of which is told', () => {
    take({ part: full('{"a":'), last: false });
    take({ part: full('[1,'), last: false });
    expect(onMessage).not.toHaveBeenCalled();
    take({ part: '2]}', last: true });
    take({ part: '{"b":7}', last: true });
    expect(onMessage.mock.calls).toEqual([[{ a: [1, 2] }], [{ b: 7 }]]);
    expect(onFrame).toHaveBeenCalledTimes(4);
    expect(onEnd).not.toHaveBeenCalled();
  });

  it('needs nobody who is told of frames', () => {
    new FramedPort(port, onMessage, onEnd);
    take({ part: '{"b":7}', last: true });
    expect(onMessage.mock.calls).toEqual([[{ b: 7 }]]);
  });

  it.each(['7', '[7]', 'null', '"text"'])('has no members if it is no record: %s', (part) => {
    take({ part, last: true });
    expect(onMessage.mock.calls).toEqual([[{}]]);
  });

  it.each([
    ['nothing', undefined],
    ['a text', '7'],
    ['no part', { last: true }],
    ['a part that is no text', { part: 7, last: true }],
    ['no last', { part: '7' }],
    ['a last that is no boolean', { part: '7', last: 1 }],
    ['a long part with a last that is no boolean', { part: full('7'), last: 0 }],
    ['a part without characters that is not the last', { part: '', last: false }],
    ['a short part that is not the last', { part: ' '.repeat(FRAME - 1), last: false }],
    ['no JSON', { part: '{', last: true }],
  ])('ends the port if it is %s', (_, frame) => {
    take(frame);
    expect(onEnd).toHaveBeenCalledTimes(1);
    expect(port.disconnect).toHaveBeenCalledTimes(1);
    take({ part: '7', last: true });
    disconnect();
    expect(onMessage).not.toHaveBeenCalled();
    expect(onEnd).toHaveBeenCalledTimes(1);
  });

  it.each([0, 1])('may have as many characters as are allowed, after %i others', (others) => {
    for (let i = 0; i < others; i++) take({ part: '7', last: true });
    expect(onMessage).toHaveBeenCalledTimes(others);
    for (let i = 0; i < 2; i++) take({ part: ' '.repeat(MAX_MESSAGE / 2), last: false });
    expect(onEnd).not.toHaveBeenCalled();
    take({ part: 'x', last: true });
    expect(onMessage).toHaveBeenCalledTimes(others);
    expect(onEnd).toHaveBeenCalledTimes(1);
    expect(onFrame).toHaveBeenCalledTimes(others + 2);
  });
});

describe('a port', () => {
  it('that is ended tells nobody and takes nothing', () => {
    take({ part: full('7'), last: false });
    framed.end();
    framed.end();
    disconnect();
    take({ part: '7', last: true });
    framed.send(7);
    expect(port.disconnect).toHaveBeenCalledTimes(1);
    expect(onEnd).not.toHaveBeenCalled();
    expect(onMessage).not.toHaveBeenCalled();
    expect(posted).toEqual([]);
  });

  it('may fail to close', () => {
    port.disconnect.mockImplementation(() => {
      throw new Error('reloaded');
    });
    framed.end();
    expect(port.disconnect).toHaveBeenCalledTimes(1);
  });
});
