import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findHostChannel, type HostChannel } from '../../../sdk/hosts/webview/host-channel.js';

/** The channels of the platforms, as their apps add them to a page, on a page of Node's own events. */

const window = new EventTarget();
const document = new EventTarget();
const text = '{"pippin":1,"type":"hello"}';
let sent: string[] = [];
let received: unknown[] = [];

beforeEach(() => {
  sent = [];
  received = [];
  vi.stubGlobal('document', document);
  vi.stubGlobal('addEventListener', window.addEventListener.bind(window));
  vi.stubGlobal('removeEventListener', window.removeEventListener.bind(window));
});
afterEach(() => vi.unstubAllGlobals());

function found(): HostChannel {
  const channel = findHostChannel();
  if (channel === undefined) throw new Error('expected a channel, got none');
  return channel;
}

const post = (message: string): void => void sent.push(message);
const listen = (channel: HostChannel): (() => void) => channel.listen((data) => received.push(data));
const receiver = (): unknown => (globalThis as Record<string, unknown>).pippinReceive;

/** A message event with these members; those of a native app have neither origin nor source. */
function message(data: unknown, { origin = '', source = null as unknown } = {}): Event {
  return Object.assign(new Event('message'), { data, origin, source });
}

it('a page in a browser has none', () => {
  expect(findHostChannel()).toBeUndefined();
  vi.stubGlobal('pippinHost', { postMessage: 1 });
  vi.stubGlobal('webkit', { messageHandlers: {} });
  vi.stubGlobal('ReactNativeWebView', null);
  expect(findHostChannel()).toBeUndefined();
});

it("Android's message listener is spoken to and heard on its own object alone", () => {
  const host = Object.assign(new EventTarget(), { postMessage: post });
  vi.stubGlobal('pippinHost', host);
  const channel = found();
  expect(channel.kind).toBe('android-listener');
  const stop = listen(channel);
  channel.post('out');
  host.dispatchEvent(message(text));
  window.dispatchEvent(message('from elsewhere'));
  expect(receiver()).toBeUndefined();
  stop();
  host.dispatchEvent(message('late'));
  expect([sent, received]).toEqual([['out'], [text]]);
});

describe.each([
  { kind: 'android-interface', add: () => vi.stubGlobal('pippinHost', { postMessage: post }) },
  { kind: 'webkit', add: () => vi.stubGlobal('webkit', { messageHandlers: { pippinHost: { postMessage: post } } }) },
  { kind: 'react-native', add: () => vi.stubGlobal('ReactNativeWebView', { postMessage: post }) },
])('$kind', ({ kind, add }) => {
  let channel: HostChannel;
  let stop: () => void;
  beforeEach(() => {
    add();
    channel = found();
    stop = listen(channel);
  });
  afterEach(() => stop());

  it('sends, and receives by script and by events on window and document', () => {
    expect(channel.kind).toBe(kind);
    channel.post('out');
    (receiver() as (data: unknown) => void)('by script');
    window.dispatchEvent(message(text));
    document.dispatchEvent(message(text));
    expect([sent, received]).toEqual([['out'], ['by script', text, text]]);
  });

  it('ignores events of other windows and frames, and those that are for others', () => {
    window.dispatchEvent(message(text, { origin: 'https://evil.example', source: {} }));
    window.dispatchEvent(message(text, { origin: 'null', source: {} }));
    window.dispatchEvent(message(text, { origin: 'https://evil.example' }));
    window.dispatchEvent(message(text, { source: {} }));
    window.dispatchEvent(message('webpackHotUpdate'));
    window.dispatchEvent(message({ pippin: 1, type: 'hello' }));
    expect(received).toEqual([]);
  });

  it('leaves nothing behind when it ends', () => {
    stop();
    window.dispatchEvent(message(text));
    expect(receiver()).toBeUndefined();
    expect(received).toEqual([]);
  });
});

it('what a message handler replies is a message, and its refusal goes to the console', async () => {
  const complaint = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const replies = [Promise.resolve(text), Promise.resolve(null), Promise.reject(new Error('no handler'))];
  vi.stubGlobal('webkit', { messageHandlers: { pippinHost: { postMessage: () => replies.shift() } } });
  const channel = found();
  const stop = listen(channel);
  for (let i = 0; i < 3; i++) channel.post('out');
  await expect.poll(() => complaint).toHaveBeenCalledOnce();
  expect(received).toEqual([text]);
  expect(complaint.mock.calls[0]![0]).toContain('no handler');
  stop();
  complaint.mockRestore();
});

it('an app that has gone is no failure of the page', () => {
  const complaint = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  vi.stubGlobal('pippinHost', {
    postMessage: () => {
      throw new Error('gone');
    },
  });
  expect(() => found().post('out')).not.toThrow();
  expect(complaint).toHaveBeenCalledOnce();
  complaint.mockRestore();
});
