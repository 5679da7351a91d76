import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { HostChannel } from '../../../sdk/hosts/webview/host-channel.js';
import type { PageMessage } from '../../../sdk/hosts/webview/protocol.js';
import { serveProver } from '../../../sdk/hosts/webview/serve-prover.js';

/** Where a page serves, and where it must not, on a page of Node's own events. */

const OPTIONS = { circuits: { note: { zkey: 'a.zkey', wasm: 'a.wasm' } }, keepResults: false };

const page = new EventTarget();
let sent: PageMessage[];
let hear: ((data: unknown) => void) | undefined;
const post = (text: string): void => void sent.push(JSON.parse(text) as PageMessage);

/** A channel that the page's own script gives. */
const channel: HostChannel = {
  kind: 'webkit',
  post,
  listen: (receive) => {
    hear = receive;
    return () => {
      hear = undefined;
    };
  },
};

/** Lets the page be one that no other frames, unless `parent` is given. */
function stubPage(parent: object = globalThis): void {
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('parent', parent);
}

beforeEach(() => {
  sent = [];
  hear = undefined;
  vi.stubGlobal('navigator', { hardwareConcurrency: 4 });
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }));
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
});
afterEach(() => vi.unstubAllGlobals());

describe('a page that the webview itself shows', () => {
  it('greets the app, answers it, and says when it leaves', async () => {
    stubPage();
    const service = await serveProver({ ...OPTIONS, channel });
    expect(sent.map(({ type }) => type)).toEqual(['ready']);
    hear!('{"pippin":1,"type":"hello"}');
    service.close();
    expect(sent.map(({ type }) => type)).toEqual(['ready', 'ready', 'leaving']);
    expect(hear).toBeUndefined();
  });

  it('does not serve without a channel', async () => {
    stubPage();
    await expect(serveProver(OPTIONS)).rejects.toMatchObject({
      code: 'UNSUPPORTED_ENVIRONMENT',
      message: expect.stringContaining('a channel of the app'),
    });
  });
});

describe('a page in a frame of another page', () => {
  const refusal = { code: 'UNSUPPORTED_ENVIRONMENT', message: expect.stringContaining('got a frame in another page') };

  it('does not serve by the channel that the app adds to every frame', async () => {
    stubPage({});
    vi.stubGlobal('pippinHost', { postMessage: post });
    await expect(serveProver(OPTIONS)).rejects.toMatchObject(refusal);
    expect(sent).toEqual([]);
    expect(globalThis).not.toHaveProperty('pippinReceive');
  });

  it('does not serve by a channel that its own script gives', async () => {
    stubPage({});
    await expect(serveProver({ ...OPTIONS, channel })).rejects.toMatchObject(refusal);
    expect([sent, hear]).toEqual([[], undefined]);
  });
});
