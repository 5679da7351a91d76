import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PlonkProveResult } from '../../../sdk/api/index.js';
import type { Notice, ProgressEvent } from '../../../sdk/api/progress.js';
import { PippinError } from '../../../sdk/base/errors.js';
import type { ConnectOptions, ExtensionProver, ProverServer, ServeOptions } from '../../../sdk/hosts/extension/api.js';
import { connectProverOn } from '../../../sdk/hosts/extension/connect.js';
import { acceptLocally } from '../../../sdk/hosts/extension/local-ports.js';
import { ALIVE_MS } from '../../../sdk/hosts/extension/messages.js';
import type { KeyFile } from '../../../sdk/hosts/extension/request-api.js';
import { serveProverOn } from '../../../sdk/hosts/extension/serve.js';
import type { ExtensionPlonk } from '../../../sdk/hosts/extension/universal-api.js';
import { FakeExtension, type FakePage, ORIGIN } from '../../support/fake-extension.js';
import { type AskedProof, FakeProver } from '../../support/fake-prover.js';

/** Pages of an extension and its document, over ports that carry JSON, with a prover that computes nothing. */

let provers: FakeProver[];
let servers: ProverServer[];
let extension: FakeExtension;
let serveOptions: ServeOptions;
/** Notices that the prover of the document gives. */
let notify: (notice: Notice) => void;

beforeEach(() => {
  vi.useFakeTimers();
  provers = [];
  servers = [];
  serveOptions = {};
  extension = new FakeExtension((page) => servers.push(serve(page)));
});

afterEach(async () => {
  acceptLocally(undefined);
  for (const server of servers) await server.close();
  vi.useRealTimers();
});

function serve(page: FakePage): ProverServer {
  const server = serveProverOn(
    {
      api: page.api,
      createProver: async (options) => {
        notify = options.onNotice!;
        const prover = new FakeProver();
        provers.push(prover);
        return prover.asProver;
      },
      url: page.url,
      closePage: () => page.close(),
    },
    serveOptions,
  );
  // Each page of the real thing has modules of its own; here all share the one that knows of local callers.
  acceptLocally(undefined);
  return server;
}

/** A caller in a page of its own. */
function caller(url = 'popup.html', options: ConnectOptions = {}): { page: FakePage; prover: ExtensionProver } {
  const page = extension.open(url);
  return { page, prover: connectProverOn(page.api, options) };
}

/** The proof number n that the document was asked for. */
async function asked(n = 0, prover = 0): Promise<AskedProof> {
  await expect.poll(() => provers[prover]?.proofs[n]).toBeDefined();
  return provers[prover]!.proofs[n]!;
}

const failure = (code: string) => expect.objectContaining({ name: 'PippinError', code });
const settle = () => vi.advanceTimersByTimeAsync(1);

describe('a call', () => {
  it('brings bytes, inputs, options and results across ports of JSON', async () => {
    const { prover } = caller();
    const key = await prover.groth16.loadKey('keys/a.zkey', { sha256: 'ab', precompute: 2 });
    expect(key).toMatchObject({ variables: 4, domainSize: 8, report: { cached: true } });
    const { url, options } = provers[0]!.loaded[0]!;
    expect(url).toBe(`${ORIGIN}keys/a.zkey`);
    expect(options).toMatchObject({ sha256: 'ab', precompute: 2 });

    const inputs = { a: 2n ** 253n, b: [1, true, '-3', [4n]], $bytes: '5', bus: { x: 6n } };
    const full = prover.groth16.fullProve(key, inputs, '/c.wasm', { strictInputs: true });
    const first = await asked();
    expect(first.given).toEqual([
      { a: (2n ** 253n).toString(), b: [1, true, '-3', ['4']], $bytes: '5', bus: { x: '6' } },
      `${ORIGIN}c.wasm`,
    ]);
    expect(first.options).toMatchObject({ strictInputs: true });
    first.succeed({ publicSignals: ['7', 'é😀'] });
    expect((await full).publicSignals).toEqual(['7', 'é😀']);

    const witness = Uint8Array.from({ length: 256 }, (_, i) => i);
    const proof = prover.groth16.prove(key, witness.buffer);
    const second = await asked(1);
    expect(second.given).toEqual([witness]);
    second.succeed();
    expect(await proof).toMatchObject({ proof: { protocol: 'groth16' } });
    expect(await prover.groth16.verify(key.verificationKey, ['1'], (await proof).proof)).toBe(true);
    expect(await prover.capabilities()).toMatchObject({ threads: 2 });
  });

  it.each(['plonk', 'fflonk'] as const)('takes keys, proofs and verifications to %s', async (name) => {
    const { prover } = caller();
    const system = prover[name] as ExtensionPlonk;
    const key = await system.loadKey('keys/vote.zkey');
    expect(key).toMatchObject({ protocol: name, variables: 4 });
    const events: ProgressEvent[] = [];
    const onProgress = (event: ProgressEvent): void => void events.push(event);
    const proof = system.fullProve(key, { a: 1n }, '/c.wasm', { id: 'vote', onProgress });
    const { options, succeed } = await asked();
    options.onProgress!({ kind: 'progress', phase: 'msm', done: 1, total: 2 } as ProgressEvent);
    succeed();
    expect(await proof).toMatchObject({ proof: { protocol: name } });
    expect(events).toMatchObject([{ kind: 'progress', phase: 'msm', done: 1, total: 2 }]);
    expect(await prover.proofs()).toMatchObject([{ id: 'vote', state: 'proved' }]);
    expect(await prover.result<PlonkProveResult>('vote')).toMatchObject({ proof: { protocol: name } });
    expect(await system.verify(key.verificationKey, ['1'], (await proof).proof)).toBe(true);
    expect(await system.verify(key.verificationKey, [], (await proof).proof)).toBe(false);

    const failing = system.prove({ zkey: 'keys/vote.zkey' }, Uint8Array.of(7));
    const failed = await asked(1);
    expect(failed).toMatchObject({ how: 'prove', key: { protocol: name }, given: [Uint8Array.of(7)] });
    failed.fail(new PippinError('PROOF_INVALID', 'expected a proof that holds, got another'));
    await expect(failing).rejects.toEqual(failure('PROOF_INVALID'));
    const controller = new AbortController();
    const aborted = system.prove(key, Uint8Array.of(7), { signal: controller.signal });
    await asked(2);
    controller.abort();
    await expect(aborted).rejects.toEqual(failure('ABORTED'));
  });

  it('keeps the keys of the proof systems apart', async () => {
    const { prover } = caller();
    const key = await prover.plonk.loadKey('keys/vote.zkey');
    for (const { prove } of [prover.groth16, prover.fflonk]) {
      await expect(prove(key as never, new Uint8Array(1))).rejects.toEqual(failure('INVALID_HANDLE'));
    }
    // The same file as a key of another proof system is another key.
    expect((await prover.groth16.loadKey('keys/vote.zkey')).protocol).toBe('groth16');
    expect((await prover.fflonk.loadKey('keys/vote.zkey')).protocol).toBe('fflonk');
    await key.dispose();
    await expect(prover.plonk.prove(key, new Uint8Array(1))).rejects.toEqual(failure('DISPOSED'));
  });

  it.each([0, 1, 2, 3, 3 * 2 ** 13 - 1, 3 * 2 ** 13 + 1, 5 * 2 ** 20 + 1])(
    'brings a witness of %i bytes',
    async (n) => {
      const { prover } = caller();
      const key = await prover.groth16.loadKey('a.zkey');
      const witness = new Uint8Array(n).map((_, i) => (i * 7 + (i >> 8)) & 255);
      const result = prover.groth16.prove(key, witness);
      const { given, succeed } = await asked();
      expect(Buffer.compare(given[0] as Uint8Array, witness)).toBe(0);
      succeed();
      await result;
    },
  );

  it('refuses arguments of more than 64 MiB, and goes on with others', async () => {
    const { prover } = caller();
    const key = await prover.groth16.loadKey('a.zkey');
    const bytes = new Uint8Array(47 * 2 ** 20 + 1);
    await expect(prover.groth16.prove(key, bytes)).rejects.toEqual(failure('INVALID_LENGTH'));
    const inputs = { a: 'x'.repeat(2 ** 26) };
    await expect(prover.groth16.fullProve(key, inputs, 'c.wasm')).rejects.toEqual(failure('INVALID_LENGTH'));
    expect(await prover.capabilities()).toBeDefined();
  });

  it('tells progress and notices; what a circuit logs goes to its own caller alone', async () => {
    const notices: Notice[] = [];
    const events: ProgressEvent[] = [];
    const { prover } = caller('popup.html', { onNotice: (notice) => notices.push(notice) });
    const key = await prover.groth16.loadKey('a.zkey');
    const result = prover.groth16.prove(key, new Uint8Array(1), { onProgress: (event) => events.push(event) });
    const { options, succeed } = await asked();
    const progress = { kind: 'progress', phase: 'msm', done: 1, total: 2 } as const;
    options.onProgress!(progress);
    notify({ code: 'WEBGPU_READY', message: 'ready' });
    notify({ code: 'CIRCUIT_LOG', message: 'secret' });
    succeed();
    await result;
    expect(events).toEqual([progress]);
    expect(notices).toEqual([{ code: 'WEBGPU_READY', message: 'ready' }]);
  });

  it('keeps the code, message and hint of an error', async () => {
    const { prover } = caller();
    const key = await prover.groth16.loadKey('a.zkey');
    const result = prover.groth16.prove(key, new Uint8Array(1));
    (await asked()).fail(new PippinError('PROOF_INVALID', 'expected x, got y', { hint: 'do z' }));
    await expect(result).rejects.toMatchObject({ code: 'PROOF_INVALID', message: 'expected x, got y', hint: 'do z' });
    await expect(result).rejects.toBeInstanceOf(PippinError);
  });

  it('is aborted at once, before its answer and before it began', async () => {
    const { prover } = caller();
    const key = await prover.groth16.loadKey('a.zkey');
    const controller = new AbortController();
    const result = prover.groth16.prove(key, new Uint8Array(1), { signal: controller.signal });
    const { options } = await asked();
    controller.abort();
    await expect(result).rejects.toEqual(failure('ABORTED'));
    await expect.poll(() => options.signal!.aborted).toBe(true);
    await expect(prover.groth16.prove(key, new Uint8Array(1), { signal: controller.signal })).rejects.toEqual(
      failure('ABORTED'),
    );
    expect(provers[0]!.proofs).toHaveLength(1);
  });

  it('is aborted while the document is being opened', async () => {
    const { prover } = caller();
    const controller = new AbortController();
    const load = prover.groth16.loadKey('a.zkey', { signal: controller.signal });
    controller.abort();
    await expect(load).rejects.toEqual(failure('ABORTED'));
    await settle();
    expect(provers).toHaveLength(0);
  });

  it('refuses arguments of a wrong type', async () => {
    const { prover } = caller();
    const { groth16 } = prover;
    await expect(groth16.loadKey(new Uint8Array(4) as never)).rejects.toEqual(failure('INVALID_ARGUMENT'));
    await expect(groth16.loadKey('http://[')).rejects.toEqual(failure('INVALID_ARGUMENT'));
    await expect(groth16.loadKey('a', { signal: 5 } as never)).rejects.toEqual(failure('INVALID_ARGUMENT'));
    await expect(groth16.prove({} as never, new Uint8Array(1))).rejects.toEqual(failure('INVALID_ARGUMENT'));
    const key = await groth16.loadKey('a.zkey');
    await expect(groth16.fullProve(key, { a: Symbol('s') } as never, 'c')).rejects.toEqual(failure('INVALID_INPUT'));
    for (const id of ['', 'x'.repeat(201), 5]) {
      await expect(groth16.prove(key, new Uint8Array(1), { id } as never)).rejects.toEqual(failure('INVALID_ARGUMENT'));
    }
    expect(() => connectProverOn(extension.open('p').api, { document: 5 } as never)).toThrow(
      failure('INVALID_ARGUMENT'),
    );
    expect(() => serveProverOn({} as never, { maxKeys: 0 })).toThrow(failure('INVALID_ARGUMENT'));
  });

  it('that is one too many is refused, and those under way go on', async () => {
    const { prover } = caller();
    const key = await prover.groth16.loadKey('a.zkey');
    const proofs = Array.from({ length: 64 }, () => prover.groth16.prove(key, new Uint8Array(1)));
    await asked(63);
    await expect(prover.groth16.prove(key, new Uint8Array(1))).rejects.toEqual(failure('INVALID_ARGUMENT'));
    for (const proof of provers[0]!.proofs) proof.succeed();
    expect(await Promise.all(proofs)).toHaveLength(64);
    expect(await prover.capabilities()).toBeDefined();
  });
});

describe('keys', () => {
  it('are loaded once for all callers, and freed when none holds them', async () => {
    const [a, b] = [caller('a.html').prover, caller('b.html').prover];
    const keys = await Promise.all([a.groth16.loadKey('k.zkey'), b.groth16.loadKey(new URL('/k.zkey', ORIGIN))]);
    expect(provers).toHaveLength(1);
    expect(provers[0]!.loaded).toHaveLength(1);
    await keys[0].dispose();
    await keys[0].dispose();
    expect(provers[0]!.freed).toEqual([]);
    await expect(a.groth16.prove(keys[0], new Uint8Array(1))).rejects.toEqual(failure('DISPOSED'));
    await keys[1].dispose();
    expect(provers[0]!.freed).toEqual([`${ORIGIN}k.zkey`]);
  });

  it('give way to newer ones, the one that was not used for longest first', async () => {
    serveOptions = { maxKeys: 2 };
    const { prover } = caller();
    const first = await prover.groth16.loadKey('1.zkey');
    await prover.groth16.loadKey('2.zkey');
    const proof = prover.groth16.prove(first, new Uint8Array(1));
    (await asked()).succeed();
    await proof;
    await prover.groth16.loadKey(['3.zkeyb', '3.zkeyc']);
    expect(provers[0]!.freed).toEqual([`${ORIGIN}2.zkey`]);
    expect(provers[0]!.loaded[2]!.url).toEqual([`${ORIGIN}3.zkeyb`, `${ORIGIN}3.zkeyc`]);
  });

  it('that one page has loaded twice stay until it has disposed of both', async () => {
    const { prover } = caller();
    const keys = [await prover.groth16.loadKey('k.zkey'), await prover.groth16.loadKey('k.zkey')];
    await keys[0]!.dispose();
    expect(provers[0]!.freed).toEqual([]);
    await keys[1]!.dispose();
    expect(provers[0]!.freed).toEqual([`${ORIGIN}k.zkey`]);
  });

  it('that a page releases while they prove are freed after the proof', async () => {
    const { prover } = caller();
    const key = await prover.groth16.loadKey('k.zkey');
    const proof = prover.groth16.prove(key, new Uint8Array(1));
    const { succeed } = await asked();
    await key.dispose();
    expect(provers[0]!.freed).toEqual([]);
    succeed();
    await proof;
    await settle();
    expect(provers[0]!.freed).toEqual([`${ORIGIN}k.zkey`]);
  });

  it('of a file are loaded within the proof, which goes on when its caller disappears', async () => {
    const { page, prover } = caller();
    let goOn = (): void => undefined;
    await prover.capabilities();
    provers[0]!.loading = new Promise((resolve) => {
      goOn = resolve;
    });
    const chunks = { zkey: ['k.zkeyb', 'k.zkeyc'], options: { allowUnfinished: true } };
    void prover.groth16.fullProve(chunks, { a: 1 }, 'c.wasm', { id: 'a' }).catch(() => undefined);
    await expect.poll(() => provers[0]!.loaded).toHaveLength(1);
    page.close();
    const result = caller('sw.js').prover.result('a');
    goOn();
    (await asked()).succeed();
    expect(await result).toMatchObject({ publicSignals: ['1'] });
    expect(provers[0]!.loaded[0]).toMatchObject({
      url: [`${ORIGIN}k.zkeyb`, `${ORIGIN}k.zkeyc`],
      options: { allowUnfinished: true },
    });
  });

  it('of a file that is described wrongly are refused', async () => {
    const { prover } = caller();
    const proof = (key: object) => prover.groth16.prove(key as KeyFile, new Uint8Array(1));
    await expect(proof({ zkey: 7 })).rejects.toEqual(failure('INVALID_ARGUMENT'));
    await expect(proof({ zkey: 'k.zkey', optoins: {} })).rejects.toEqual(failure('INVALID_ARGUMENT'));
    await expect(proof({})).rejects.toEqual(failure('INVALID_ARGUMENT'));
  });

  it('that arrive after the abort are released', async () => {
    const { prover } = caller();
    const controller = new AbortController();
    const load = prover.groth16.loadKey('k.zkey', { signal: controller.signal });
    const isAnswered = () => extension.sent.some((text) => text.includes('\\"kind\\":\\"value\\"'));
    for (let i = 0; i < 10_000 && !isAnswered(); i++) await Promise.resolve();
    expect(isAnswered()).toBe(true);
    controller.abort();
    await expect(load).rejects.toEqual(failure('ABORTED'));
    await expect.poll(() => provers[0]!.freed).toEqual([`${ORIGIN}k.zkey`]);
  });

  it('that failed to load are tried again', async () => {
    const { prover } = caller();
    await prover.capabilities();
    provers[0]!.failNextLoad = new PippinError('IO_FAILED', 'no file');
    await expect(prover.groth16.loadKey('k.zkey')).rejects.toEqual(failure('IO_FAILED'));
    await expect(prover.groth16.loadKey('k.zkey')).resolves.toBeDefined();
  });
});

describe('a caller that disappears', () => {
  it('takes its proof along, unless that has an id: then another page gets the result', async () => {
    const ended: string[] = [];
    serveOptions = { onEnded: (id) => ended.push(id) };
    const { page, prover } = caller('sw.js');
    const key = await prover.groth16.loadKey('k.zkey');
    const lost = prover.groth16.prove(key, new Uint8Array(1));
    const kept = prover.groth16.prove(key, new Uint8Array(2), { id: 'spend' });
    lost.catch(() => undefined);
    kept.catch(() => undefined);
    const [first, second] = [await asked(0), await asked(1)];
    second.options.onProgress!({ kind: 'progress', phase: 'msm', done: 1, total: 4 });
    page.close();
    await settle();
    expect(first.options.signal!.aborted).toBe(true);
    expect(second.options.signal!.aborted).toBe(false);

    const events: ProgressEvent[] = [];
    const again = caller('sw.js').prover;
    const state = { id: 'spend', began: expect.any(Number), progress: { phase: 'msm', done: 1, total: 4 } };
    expect(await again.proofs()).toEqual([{ ...state, state: 'proving' }]);
    const result = again.result('spend', { onProgress: (event) => events.push(event) });
    await expect.poll(() => events).toHaveLength(1);
    second.succeed({ publicSignals: ['9'] });
    expect((await result).publicSignals).toEqual(['9']);
    expect((await again.result('spend')).publicSignals).toEqual(['9']);
    expect(await again.proofs()).toEqual([{ ...state, state: 'proved' }]);
    expect(ended).toEqual(['spend']);
    await again.discard('spend');
    await expect(again.result('spend')).rejects.toEqual(failure('INVALID_HANDLE'));
  });

  it('and comes back too late finds that the time of the result is over', async () => {
    serveOptions = { keepResultsMs: 1000 };
    const { prover } = caller();
    const key = await prover.groth16.loadKey('k.zkey');
    const proof = prover.groth16.prove(key, new Uint8Array(1), { id: 'a' });
    (await asked()).succeed();
    await proof;
    await vi.advanceTimersByTimeAsync(1001);
    await expect(prover.result('a')).rejects.toEqual(failure('INVALID_HANDLE'));
  });
});

describe('a proof with an id', () => {
  it('is made once, however many ask for it, and all may wait for it', async () => {
    const [a, b] = [caller('a.html').prover, caller('b.html').prover];
    const key = await a.groth16.loadKey('k.zkey');
    const first = a.groth16.prove(key, new Uint8Array(1), { id: 'once' });
    const proof = await asked();
    await expect(b.groth16.prove(await b.groth16.loadKey('k.zkey'), new Uint8Array(1), { id: 'once' })).rejects.toEqual(
      failure('INVALID_ARGUMENT'),
    );
    const controller = new AbortController();
    const left = b.result('once', { signal: controller.signal });
    const second = b.result('once');
    await settle();
    controller.abort();
    await expect(left).rejects.toEqual(failure('ABORTED'));
    proof.fail(new PippinError('PROOF_INVALID', 'no'));
    await expect(first).rejects.toEqual(failure('PROOF_INVALID'));
    await expect(second).rejects.toEqual(failure('PROOF_INVALID'));
    expect(await a.proofs()).toMatchObject([{ id: 'once', state: 'failed' }]);
  });

  it('tells what its circuit logs to the page that asked for it, and to none that joins', async () => {
    const told: Record<'owner' | 'joiner', unknown[]> = { owner: [], joiner: [] };
    const follow = (who: keyof typeof told) => ({
      onProgress: (event: ProgressEvent) =>
        void told[who].push(event.kind === 'notice' ? event.notice.code : event.kind),
    });
    const [owner, joiner] = [caller('a.html').prover, caller('b.html').prover];
    const key = await owner.groth16.loadKey('k.zkey');
    const proof = owner.groth16.prove(key, new Uint8Array(1), { id: 'a', ...follow('owner') });
    const { options, succeed } = await asked();
    const joined = joiner.result('a', follow('joiner'));
    await settle();
    options.onProgress!({ kind: 'notice', notice: { code: 'CIRCUIT_LOG', message: 'amount 5' } });
    options.onProgress!({ kind: 'notice', notice: { code: 'WEBGPU_READY', message: 'ready' } });
    options.onProgress!({ kind: 'progress', phase: 'msm', done: 1, total: 2 });
    succeed();
    await Promise.all([proof, joined]);
    expect(told).toEqual({
      owner: ['CIRCUIT_LOG', 'WEBGPU_READY', 'progress'],
      joiner: ['WEBGPU_READY', 'progress'],
    });
    expect(extension.sent.filter((text) => text.includes('amount 5'))).toHaveLength(1);
  });

  it('is aborted for all by its own call and by discard, and its id is free again', async () => {
    const { prover } = caller();
    const key = await prover.groth16.loadKey('k.zkey');
    const controller = new AbortController();
    const begin = () => prover.groth16.prove(key, new Uint8Array(1), { id: 'a', signal: controller.signal });
    const first = begin();
    await asked();
    const waiting = prover.result('a');
    await settle();
    await prover.discard('a');
    await expect(first).rejects.toEqual(failure('ABORTED'));
    await expect(waiting).rejects.toEqual(failure('ABORTED'));
    const second = begin();
    const { options } = await asked(1);
    controller.abort();
    await expect(second).rejects.toEqual(failure('ABORTED'));
    await expect.poll(() => options.signal!.aborted).toBe(true);
    expect(await prover.proofs()).toEqual([]);
  });

  it('takes the place of the oldest result; those under way keep theirs', async () => {
    serveOptions = { maxResults: 2 };
    const { prover } = caller();
    const key = await prover.groth16.loadKey('k.zkey');
    const begin = (id: string) => prover.groth16.prove(key, new Uint8Array(1), { id });
    const a = begin('a');
    (await asked(0)).succeed();
    await a;
    const b = begin('b');
    await asked(1);
    const c = begin('c');
    await asked(2);
    expect((await prover.proofs()).map(({ id }) => id)).toEqual(['b', 'c']);
    await expect(begin('d')).rejects.toEqual(failure('INVALID_ARGUMENT'));
    for (const proof of provers[0]!.proofs) proof.succeed();
    await Promise.all([b, c]);
  });
});

describe('the document', () => {
  it('is made once by callers at the same time, and not for a look', async () => {
    const [a, b] = [caller('a.html').prover, caller('b.html').prover];
    expect(await a.proofs()).toEqual([]);
    await a.discard('x');
    await expect(a.result('x')).rejects.toEqual(failure('INVALID_HANDLE'));
    expect(extension.made).toBe(0);
    await Promise.all([a.capabilities(), b.capabilities(), a.capabilities()]);
    expect(extension.made).toBe(1);
    expect(provers).toHaveLength(1);
  });

  it('that dies in mid-proof is a typed error, and the next call makes it and its key again', async () => {
    const { prover } = caller();
    const key = await prover.groth16.loadKey('k.zkey');
    const proof = prover.groth16.prove(key, new Uint8Array(1), { id: 'a' });
    await asked();
    extension.offscreen!.close();
    await expect(proof).rejects.toEqual(failure('PROVER_LOST'));
    await expect(prover.result('a')).rejects.toEqual(failure('INVALID_HANDLE'));
    const again = prover.groth16.prove(key, new Uint8Array(1), { id: 'a' });
    (await asked(0, 1)).succeed();
    await again;
    expect(extension.made).toBe(2);
    expect(provers[1]!.loaded).toHaveLength(1);
  });

  it('that goes before it took a call is opened again for it', async () => {
    const { prover } = caller();
    await prover.capabilities();
    const call = prover.capabilities();
    extension.offscreen!.close();
    expect(await call).toMatchObject({ threads: 2 });
    expect(extension.made).toBe(2);
  });

  it('closes when nothing needs it, and not while a result is kept', async () => {
    serveOptions = { idleMs: 1000, keepResultsMs: 5000 };
    const { prover } = caller();
    const key = await prover.groth16.loadKey('k.zkey');
    const proof = prover.groth16.prove(key, new Uint8Array(1), { id: 'a' });
    const { succeed } = await asked();
    await vi.advanceTimersByTimeAsync(3000);
    expect(extension.offscreen).toBeDefined();
    succeed();
    await proof;
    await vi.advanceTimersByTimeAsync(4000);
    expect(extension.offscreen).toBeDefined();
    await vi.advanceTimersByTimeAsync(3000);
    expect(extension.offscreen).toBeUndefined();
    expect(provers[0]!.isDisposed).toBe(true);
    expect(await prover.capabilities()).toBeDefined();
    expect(extension.made).toBe(2);
  });

  it('that has other work stays, and the prover alone is ended', async () => {
    serveOptions = { idleMs: 1000, closesDocument: false };
    const { prover } = caller();
    await prover.capabilities();
    await vi.advanceTimersByTimeAsync(1001);
    expect(extension.offscreen).toBeDefined();
    expect(provers[0]!.isDisposed).toBe(true);
    expect(await prover.capabilities()).toBeDefined();
    expect([extension.made, provers.length]).toEqual([1, 2]);
  });

  it('that cannot be opened for want of a permission is an error at once', async () => {
    const page = extension.open('popup.html');
    const prover = connectProverOn({ ...page.api, offscreen: undefined }, {});
    await expect(prover.capabilities()).rejects.toMatchObject({
      code: 'UNSUPPORTED_ENVIRONMENT',
      hint: expect.stringContaining('permission "offscreen"'),
    });
  });

  it('that closes when idle tells its callers, also where another page holds their ports', async () => {
    serveOptions = { idleMs: 1000 };
    extension.open('sw.js').listeners.add(() => undefined);
    const { page, prover } = caller();
    await prover.capabilities();
    await vi.advanceTimersByTimeAsync(1001);
    expect(extension.offscreen).toBeUndefined();
    expect(page.ports.size).toBe(0);
    expect(await prover.capabilities()).toMatchObject({ threads: 2 });
    expect(extension.made).toBe(2);
  });

  it('whose worker died makes another prover for the next call', async () => {
    const { prover } = caller();
    const key = await prover.groth16.loadKey('k.zkey');
    const proof = prover.groth16.prove(key, new Uint8Array(1));
    (await asked()).fail(new PippinError('WORKER_FAILED', 'died'));
    await expect(proof).rejects.toEqual(failure('WORKER_FAILED'));
    await expect(prover.capabilities()).resolves.toBeDefined();
    expect(provers).toHaveLength(2);
    expect(provers[0]!.isDisposed).toBe(true);
  });

  it('whose worker died under another call is a typed error that can be tried again', async () => {
    const { prover } = caller();
    const key = await prover.groth16.loadKey('k.zkey');
    const proofs = [0, 1].map(() => prover.groth16.prove(key, new Uint8Array(1)));
    const [first, second] = [await asked(0), await asked(1)];
    first.fail(new PippinError('WORKER_FAILED', 'expected a worker, got none'));
    await expect(proofs[0]).rejects.toEqual(failure('WORKER_FAILED'));
    second.fail(new PippinError('DISPOSED', 'the prover was disposed'));
    await expect(proofs[1]).rejects.toEqual(failure('PROVER_LOST'));
  });

  it('that falls silent while another page holds the port counts as lost', async () => {
    const { prover } = caller();
    const key = await prover.groth16.loadKey('k.zkey');
    // Its listener keeps the port open, as that of a wallet's service worker would.
    extension.open('sw.js').listeners.add(() => undefined);
    const other = connectProverOn(extension.open('other.html').api, {});
    const proof = other.groth16.prove(await other.groth16.loadKey('k.zkey'), new Uint8Array(1));
    const outcome = expect(proof).rejects.toEqual(failure('PROVER_LOST'));
    await asked();
    await vi.advanceTimersByTimeAsync(10 * ALIVE_MS);
    expect(await Promise.race([proof, Promise.resolve('waits')])).toBe('waits');
    extension.offscreen!.close();
    await vi.advanceTimersByTimeAsync(5 * ALIVE_MS);
    await outcome;
    expect(key).toBeDefined();
  });

  it('that never answers is an error that says what to look at', async () => {
    extension = new FakeExtension(() => undefined);
    const call = expect(caller().prover.capabilities()).rejects.toMatchObject({
      code: 'PROVER_LOST',
      hint: expect.stringContaining('serveProver()'),
    });
    await vi.advanceTimersByTimeAsync(60_000);
    await call;
  });

  it('that is another page is an error that names both', async () => {
    extension = new FakeExtension((page) => page.listeners.add(() => undefined));
    await extension.createDocument('audio.html');
    await expect(caller().prover.capabilities()).rejects.toMatchObject({
      code: 'UNSUPPORTED_ENVIRONMENT',
      message: expect.stringContaining('audio.html'),
    });
  });

  it('that stops serving ends its calls', async () => {
    const { prover } = caller();
    const key = await prover.groth16.loadKey('k.zkey');
    const proof = prover.groth16.prove(key, new Uint8Array(1));
    const { options } = await asked();
    const outcome = expect(proof).rejects.toEqual(failure('PROVER_LOST'));
    await servers[0]!.close();
    await outcome;
    expect(options.signal!.aborted).toBe(true);
    expect(provers[0]!.isDisposed).toBe(true);
  });
});

describe('an extension that is reloaded', () => {
  it('is a typed error for calls under way and for later ones', async () => {
    const { prover } = caller();
    const key = await prover.groth16.loadKey('k.zkey');
    const proof = prover.groth16.prove(key, new Uint8Array(1));
    await asked();
    extension.reload();
    await expect(proof).rejects.toEqual(failure('EXTENSION_RELOADED'));
    await expect(prover.groth16.prove(key, new Uint8Array(1))).rejects.toEqual(failure('EXTENSION_RELOADED'));
    await expect(prover.proofs()).rejects.toEqual(failure('EXTENSION_RELOADED'));
  });
});

it('disconnect ends the calls of a caller, and leaves the document to others', async () => {
  const [a, b] = [caller('a.html').prover, caller('b.html').prover];
  const key = await a.groth16.loadKey('k.zkey');
  const proof = a.groth16.prove(key, new Uint8Array(1));
  await asked();
  a.disconnect();
  a.disconnect();
  await expect(proof).rejects.toEqual(failure('DISPOSED'));
  await expect(a.capabilities()).rejects.toEqual(failure('DISPOSED'));
  expect(await b.capabilities()).toBeDefined();
});

it('a background page gives Firefox a sign of life as a call begins, and less than 30 s apart until it ends', async () => {
  const background = extension.open('background.html');
  const signs: number[] = [];
  const runtime = { ...background.api.runtime, getPlatformInfo: () => signs.push(Date.now()) };
  const prover = new FakeProver();
  const server = serveProverOn(
    {
      api: { runtime },
      createProver: async () => prover.asProver,
      url: background.url,
      closePage: () => expect.unreachable(),
    },
    { keepResultsMs: 1000 },
  );
  const { offscreen: _, ...firefox } = background.api;
  const caller = connectProverOn(firefox, {});
  const key = await caller.groth16.loadKey('k.zkey');
  await vi.advanceTimersByTimeAsync(60_000);
  signs.length = 0;
  const began = Date.now();
  const proof = caller.groth16.prove(key, new Uint8Array(1), { id: 'a' });
  await vi.advanceTimersByTimeAsync(300_000);
  prover.proofs[0]!.succeed();
  await proof;
  const gaps = signs.map((at, i) => at - (i === 0 ? began : signs[i - 1]!));
  expect(gaps[0]).toBe(0);
  expect(Math.max(...gaps)).toBe(ALIVE_MS);
  expect(signs.length).toBeGreaterThanOrEqual(300_000 / ALIVE_MS);
  await vi.advanceTimersByTimeAsync(60_000);
  const after = signs.length;
  await vi.advanceTimersByTimeAsync(600_000);
  expect(signs).toHaveLength(after);
  await server.close();
});

it('a background page that serves is its own caller, too', async () => {
  const background = extension.open('background.html');
  const server = serveProverOn(
    {
      api: background.api,
      createProver: async () => new FakeProver().asProver,
      url: background.url,
      closePage: () => expect.unreachable(),
    },
    { idleMs: 1000 },
  );
  const { offscreen: _, ...firefox } = background.api;
  const prover = connectProverOn(firefox, {});
  expect(await prover.groth16.loadKey('k.zkey')).toMatchObject({ variables: 4 });
  await vi.advanceTimersByTimeAsync(5000);
  await server.close();
});
