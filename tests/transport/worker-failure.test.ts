import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { PippinError } from '../../sdk/base/errors.js';
import type { WorkerChannel } from '../../sdk/transport/channel.js';
import { nodeWorkerChannel } from '../../sdk/transport/node-worker.js';
import { scriptUrl, startWebWorker } from '../../sdk/transport/web-worker.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pippin-'));
});
afterAll(() => rm(folder, { recursive: true }));
afterEach(() => vi.unstubAllGlobals());

const failureOf = (worker: Pick<WorkerChannel, 'onFailure'>): Promise<PippinError> =>
  new Promise((resolve) => worker.onFailure(resolve));

async function script(name: string, source: string): Promise<URL> {
  const path = join(folder, name);
  await writeFile(path, source);
  return pathToFileURL(path);
}

describe('a worker thread of Node', () => {
  it('whose script is missing fails with its URL and what to look at, also for those who ask later', async () => {
    const url = new URL('./no-such-script.js', import.meta.url);
    const channel = nodeWorkerChannel(url);
    const error = await failureOf(channel);
    expect(error).toMatchObject({
      code: 'WORKER_FAILED',
      message: expect.stringContaining(`the worker at ${url.href} to start`),
      hint: expect.stringContaining("serverExternalPackages: ['pippin-prover']"),
    });
    expect(await failureOf(channel)).toBe(error);
    channel.terminate();
    expect(await failureOf(channel)).toBe(error);
  });

  it('that dies after it has spoken is not said to have failed to start', async () => {
    const url = await script(
      'dies.mjs',
      "import { parentPort } from 'node:worker_threads'; parentPort.postMessage(1); setTimeout(() => process.exit(3), 20);",
    );
    const error = await failureOf(nodeWorkerChannel(url));
    expect(error).toMatchObject({
      code: 'WORKER_FAILED',
      message: `expected the worker at ${url.href} to go on running, got: it exited with code 3`,
    });
  });

  it('that is ended on purpose has not failed', async () => {
    const channel = nodeWorkerChannel(await script('waits.mjs', 'setInterval(() => undefined, 1000);'));
    const listener = vi.fn();
    channel.onFailure(listener);
    channel.terminate();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(listener).not.toHaveBeenCalled();
  });

  it('cannot be made of a URL that is no file', () => {
    expect(() => nodeWorkerChannel(new URL('https://example.org/kernel.js'))).toThrow(
      expect.objectContaining({
        code: 'WORKER_FAILED',
        message: expect.stringContaining('https://example.org/kernel.js'),
      }),
    );
  });
});

/** A page's Worker as far as the channel uses it. */
class FakeWebWorker extends EventTarget {
  postMessage(): void {}
  terminate(): void {}
}

const begin = (script: string, start: () => FakeWebWorker) =>
  startWebWorker({ script, start: start as unknown as () => Worker, orders: { byPort: false } });

describe("a page's worker", () => {
  it('whose script cannot be loaded fails with its URL, also for those who ask later', async () => {
    vi.stubGlobal('Worker', FakeWebWorker);
    const worker = new FakeWebWorker();
    const { failure } = begin('https://wallet.example/kernel.js', () => worker);
    const failed = failureOf(failure);
    // A script that is missing, or is no JavaScript, makes an event without a message.
    worker.dispatchEvent(new Event('error'));
    const error = await failed;
    expect(error).toMatchObject({
      code: 'WORKER_FAILED',
      message: 'expected the worker at https://wallet.example/kernel.js to start, got: its script could not be loaded',
      hint: expect.stringContaining('served as JavaScript'),
    });
    expect(await failureOf(failure)).toBe(error);
  });

  it("that Vite's development server has left behind fails with the line that its configuration lacks", async () => {
    vi.stubGlobal('Worker', FakeWebWorker);
    const worker = new FakeWebWorker();
    const script = 'http://localhost:5173/node_modules/.vite/deps/coordinator.js?v=1';
    const failed = failureOf(begin(script, () => worker).failure);
    worker.dispatchEvent(new Event('error'));
    expect(await failed).toMatchObject({ hint: expect.stringContaining("exclude: ['pippin-prover']") });
  });

  it.each(['throws', 'tells'])('of another origin is told as that, with a way out: the browser %s', async (way) => {
    vi.stubGlobal('Worker', FakeWebWorker);
    vi.stubGlobal('location', new URL('https://wallet.example/send'));
    const worker = new FakeWebWorker();
    const start = (): FakeWebWorker => {
      if (way === 'tells') return worker;
      throw new DOMException('cannot be accessed from origin', 'SecurityError');
    };
    const failing = async (): Promise<unknown> => failureOf(begin('https://cdn.example/coordinator.js', start).failure);
    const failed = failing().catch((error: unknown) => error);
    worker.dispatchEvent(new Event('error'));
    expect(await failed).toMatchObject({
      code: 'WORKER_FAILED',
      hint: expect.stringMatching(/another origin.*ProverOptions\.assets.*threads: 0/),
    });
  });

  it('that the browser refuses to make fails at once, typed', () => {
    vi.stubGlobal('Worker', FakeWebWorker);
    const refuse = (): FakeWebWorker => {
      throw new DOMException('cannot be accessed from origin', 'SecurityError');
    };
    expect(() => begin('https://other.example/kernel.js', refuse)).toThrow(
      expect.objectContaining({
        code: 'WORKER_FAILED',
        message: expect.stringMatching(/other\.example\/kernel\.js.*cannot be accessed from origin/),
      }),
    );
  });

  it('cannot be had in a service worker, and the error names the offscreen document', () => {
    vi.stubGlobal('Worker', undefined);
    const start = vi.fn();
    expect(() => begin('https://wallet.example/coordinator.js', start)).toThrow(
      expect.objectContaining({
        code: 'UNSUPPORTED_ENVIRONMENT',
        hint: expect.stringContaining('offscreen document'),
      }),
    );
    expect(start).not.toHaveBeenCalled();
  });
});

describe('scriptUrl', () => {
  it('is what the caller gives, or the file beside the module', () => {
    const base = 'https://wallet.example/assets/index.js';
    expect(scriptUrl('/own/kernel.js', 'kernel.js', base)).toBe('/own/kernel.js');
    expect(scriptUrl(new URL('https://cdn.example/k.js'), 'kernel.js', base)).toBe('https://cdn.example/k.js');
    expect(scriptUrl(undefined, 'kernel.js', base)).toBe('https://wallet.example/assets/kernel.js');
    expect(scriptUrl(undefined, 'kernel.js', 'blob:https://wallet.example/1234')).toBe('kernel.js');
  });
});
