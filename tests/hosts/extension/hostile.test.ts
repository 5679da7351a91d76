import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ExtensionPort } from '../../../sdk/hosts/extension/extension-api.js';
import { MAX_MESSAGE } from '../../../sdk/hosts/extension/framed-port.js';
import { acceptLocally, portPair } from '../../../sdk/hosts/extension/local-ports.js';
import type { ServePlatform } from '../../../sdk/hosts/extension/serve.js';
import { serveProverOn } from '../../../sdk/hosts/extension/serve.js';
import { FakeProver } from '../../support/fake-prover.js';
import { polluted } from '../../support/polluted.js';

/** Messages that no page of ours sends, and ports that are not of our pages. */

const URL_OF_ROOT = 'chrome-extension://pippin/';
let connect: (port: ExtensionPort) => void;
let server: ReturnType<typeof serveProverOn>;
let prover: FakeProver;
let created: number;

beforeEach(() => {
  created = 0;
  prover = new FakeProver();
  const runtime = {
    id: 'pippin',
    getURL: (path: string) => new URL(path, URL_OF_ROOT).href,
    connect: () => expect.unreachable(),
    onConnect: {
      addListener: (listener: typeof connect) => {
        connect = listener;
      },
      removeListener: () => undefined,
    },
  };
  const platform: ServePlatform = {
    api: { runtime },
    createProver: async () => {
      created++;
      return prover.asProver;
    },
    url: `${URL_OF_ROOT}offscreen.html`,
    closePage: () => expect.unreachable(),
  };
  server = serveProverOn(platform, {});
});

afterEach(async () => {
  acceptLocally(undefined);
  await server.close();
});

const OWN = { id: 'pippin', url: `${URL_OF_ROOT}popup.html` };

/** A port of the given sender: what the document answers, and whether the document has closed it. */
function open(sender: ExtensionPort['sender'], name = 'pippin-prover') {
  const [near, far] = portPair();
  const answers: unknown[] = [];
  const seen = { near, answers, isClosed: false };
  near.onMessage.addListener((frame) => answers.push(JSON.parse((frame as { part: string }).part)));
  near.onDisconnect.addListener(() => {
    seen.isClosed = true;
  });
  connect(Object.assign(far, { sender, name }));
  return seen;
}

const frame = (message: unknown) => ({ part: JSON.stringify(message), last: true });
const settle = () => new Promise((resolve) => setTimeout(resolve));

describe('a port', () => {
  it.each([
    ['another extension', { id: 'other', url: 'chrome-extension://other/page.html' }],
    ['a content script in a web page', { id: 'pippin', url: 'https://example.org/' }],
    ['a page whose URL begins like ours', { id: 'pippin', url: 'chrome-extension://pippin.example/' }],
    ['nobody', undefined],
    ['a sender without a URL', { id: 'pippin' }],
  ])('of %s is closed', async (_, sender) => {
    const { near, isClosed, answers } = open(sender);
    expect(isClosed).toBe(false);
    expect(() => near.postMessage(frame({ kind: 'hello', offscreen: null }))).toThrow();
    await settle();
    expect(answers).toEqual([]);
  });

  it('of another name is left to others', async () => {
    const { near, answers } = open(OWN, 'wallet');
    near.postMessage(frame({ kind: 'hello', offscreen: null }));
    await settle();
    expect(answers).toEqual([]);
  });
});

describe('a message that no caller sends', () => {
  it.each([
    ['no frame', 5],
    ['null', null],
    ['a frame without its end', { part: '{}' }],
    ['a frame of bytes', { part: new Uint8Array(1), last: true }],
    ['no JSON', { part: '{', last: true }],
    ['no object', frame(5)],
    ['an unknown kind', frame({ kind: 'eval' })],
    ['a call without arguments', frame({ kind: 'call', call: 1, method: 'proofs' })],
    ['a call without a number', frame({ kind: 'call', call: '1', method: 'proofs', args: {} })],
  ])('ends the connection: %s', async (_, message) => {
    const seen = open(OWN);
    seen.near.postMessage(message);
    await settle();
    expect(seen).toMatchObject({ isClosed: true, answers: [] });
  });

  it('ends the connection when it grows without end', async () => {
    const seen = open(OWN);
    const part = 'x'.repeat(MAX_MESSAGE / 4);
    for (let i = 0; i < 4; i++) seen.near.postMessage({ part, last: false });
    await settle();
    expect(seen.isClosed).toBe(false);
    seen.near.postMessage({ part: 'x', last: false });
    await settle();
    expect(seen.isClosed).toBe(true);
  });

  it('ends the connection when its parts have no characters, which could come without end', async () => {
    const seen = open(OWN);
    seen.near.postMessage({ part: '', last: false });
    await settle();
    expect(seen.isClosed).toBe(true);
  });

  it.each([
    ['part', '{}', { last: true }],
    ['last', true, { part: '{"kind":"hello","offscreen":null}' }],
    ['kind', 'hello', frame({})],
    ['args', {}, frame({ kind: 'call', call: 1, method: 'proofs' })],
  ])('ends the connection also where Object.prototype has its %s', async (name, value, message) => {
    const seen = open(OWN);
    await polluted({ [name]: value }, async () => {
      seen.near.postMessage(message);
      await settle();
    });
    expect(seen).toMatchObject({ isClosed: true, answers: [] });
  });

  it.each([
    ['urls', ['k'], 'loadKey', { key: { options: {} } }],
    ['options', {}, 'verify', {}],
    ['witnessUrl', 'w', 'prove', { key: { urls: ['k'], options: {} }, work: {}, options: {} }],
    ['id', 'x', 'result', {}],
  ])('is no call with what Object.prototype has as %s', async (name, value, method, args) => {
    const seen = open(OWN);
    await polluted({ [name]: value }, async () => {
      seen.near.postMessage(frame({ kind: 'call', call: 1, method, args }));
      await settle();
      await settle();
    });
    await expect.poll(() => seen.answers).toHaveLength(2);
    expect(seen.answers[1]).toMatchObject({ kind: 'error', call: 1, error: { code: 'INVALID_ARGUMENT' } });
    expect(prover.proofs).toEqual([]);
  });

  it('ends the connection when its number is that of a call under way', async () => {
    const seen = open(OWN);
    const key = { urls: ['k'], isChunked: false, options: {} };
    const args = { key, work: { witnessUrl: 'w' }, options: {} };
    for (let i = 0; i < 2; i++) seen.near.postMessage(frame({ kind: 'call', call: 7, method: 'prove', args }));
    await settle();
    expect(seen.isClosed).toBe(true);
    await expect.poll(() => prover.proofs.every(({ options }) => options.signal!.aborted)).toBe(true);
  });

  it.each([
    ['an inherited name', 'constructor', {}],
    ['an unknown name', 'msm', {}],
    ['a key without URLs', 'loadKey', { key: { urls: [] } }],
    ['a key of numbers', 'loadKey', { key: { urls: [5], options: {} } }],
    ['no key', 'prove', { work: {}, options: {} }],
    ['no work', 'prove', { key: { urls: ['k'], options: {} }, options: {} }],
    [
      'a witness that is no base64',
      'prove',
      { key: { urls: ['k'], options: {} }, work: { witnessBase64: '!' }, options: {} },
    ],
    ['no options', 'verify', {}],
    ['an id of another type', 'result', { id: {} }],
    ['an id without end', 'discard', { id: 'x'.repeat(10_000) }],
  ])('is answered by an error and leaves the rest alone: %s', async (_, method, args) => {
    const seen = open(OWN);
    seen.near.postMessage(frame({ kind: 'call', call: 1, method, args }));
    await expect.poll(() => seen.answers).toHaveLength(2);
    expect(seen.answers[1]).toMatchObject({ kind: 'error', call: 1, error: { code: 'INVALID_ARGUMENT' } });
    seen.near.postMessage(frame({ kind: 'call', call: 2, method: 'proofs', args: {} }));
    await expect.poll(() => seen.answers).toContainEqual({ kind: 'value', call: 2, value: [] });
  });

  it('starts no prover', async () => {
    const seen = open(OWN);
    seen.near.postMessage(frame({ kind: 'abort', call: 7 }));
    seen.near.postMessage(frame({ kind: 'call', call: 1, method: 'discard', args: { id: 'none' } }));
    await expect.poll(() => seen.answers).toContainEqual({ kind: 'value', call: 1, value: null });
    expect(created).toBe(0);
  });
});
