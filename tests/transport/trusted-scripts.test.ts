import { afterEach, describe, expect, it, vi } from 'vitest';
import { OptionReader } from '../../sdk/base/option-reader.js';
import { engineConfig } from '../../sdk/hosts/prover/prover.js';
import { isTrustedScriptUrl, startPackageWorker, workerScript } from '../../sdk/transport/trusted-scripts.js';
import { startWebWorker } from '../../sdk/transport/web-worker.js';

/** What a browser's TrustedScriptURL is: an object that only a policy makes. */
class FakeScriptUrl {
  constructor(private readonly url: string) {}
  toString(): string {
    return this.url;
  }
  toJSON(): string {
    return this.url;
  }
}

/** A page with Trusted Types; `allowed` are the policies that may be made. Workers start from trusted URLs alone. */
function page({ allowed = ['pippin-prover'] as readonly string[], frozen = false } = {}): { started: string[] } {
  const started: string[] = [];
  const made = new Set<string>();
  vi.stubGlobal('trustedTypes', {
    createPolicy(name: string, rules: { createScriptURL(url: string): string }) {
      if (!allowed.includes(name) || made.has(name)) throw new TypeError(`Policy "${name}" disallowed.`);
      made.add(name);
      return { createScriptURL: (url: string) => new FakeScriptUrl(rules.createScriptURL(url)) };
    },
    isScriptURL: (value: unknown) => value instanceof FakeScriptUrl,
  });
  const worker = function Worker(url: unknown) {
    if (!(url instanceof FakeScriptUrl)) throw new TypeError("This document requires 'TrustedScriptURL' assignment.");
    started.push(String(url));
    return { addEventListener: () => undefined, terminate: () => undefined };
  };
  vi.stubGlobal('Worker', worker);
  if (frozen) Object.defineProperty(globalThis, 'Worker', { value: worker, writable: false });
  return { started };
}

afterEach(() => {
  vi.unstubAllGlobals();
});

const start = () => new Worker(new URL('https://wallet.example/kernel.js'), { type: 'module' });

describe('where Trusted Types are required', () => {
  it("the package's own scripts start, again and again", () => {
    const { started } = page();
    const before = globalThis.Worker;
    startPackageWorker(start);
    startPackageWorker(start);
    expect(started).toEqual(Array(2).fill('https://wallet.example/kernel.js'));
    expect(globalThis.Worker).toBe(before);
  });

  it('they start from the folder of the package where a development server has moved it', () => {
    const { started } = page();
    const moved = 'http://localhost:5173/node_modules/.vite/deps/coordinator.js?worker_file&type=module';
    startPackageWorker(() => new Worker(new URL(moved), { type: 'module' }));
    const place = 'http://localhost:5173/node_modules/pippin-prover/dist/coordinator.js?worker_file&type=module';
    expect(started).toEqual([place]);
  });

  it('the global Worker is put back when a start fails', () => {
    page();
    const before = globalThis.Worker;
    const fail = () => {
      throw new Error('no');
    };
    expect(() => startPackageWorker(fail)).toThrow('no');
    expect(globalThis.Worker).toBe(before);
  });

  it("a caller's script is trusted only if it was given as trusted", () => {
    page();
    expect(isTrustedScriptUrl(workerScript('https://wallet.example/kernel.js', true))).toBe(true);
    expect(workerScript('https://wallet.example/kernel.js', false)).toBe('https://wallet.example/kernel.js');
  });

  it('a page that does not allow the policy gets a typed error that names it', () => {
    page({ allowed: [] });
    expect(() =>
      startWebWorker({ script: 'kernel.js', start: () => startPackageWorker(start), orders: { byPort: false } }),
    ).toThrow(
      expect.objectContaining({
        name: 'PippinError',
        code: 'WORKER_FAILED',
        message: expect.stringContaining('TrustedScriptURL'),
        hint: expect.stringContaining('trusted-types pippin-prover'),
      }),
    );
  });

  it('a frozen environment is left as it is', () => {
    page({ frozen: true });
    const before = globalThis.Worker;
    expect(() => startPackageWorker(start)).toThrow(TypeError);
    expect(globalThis.Worker).toBe(before);
    Object.defineProperty(globalThis, 'Worker', { value: before, writable: true, configurable: true });
  });

  it("assets as TrustedScriptURL start the caller's workers, and become plain data for the engine", () => {
    page();
    const coordinator = new FakeScriptUrl('https://wallet.example/coordinator.js');
    const kernel = new FakeScriptUrl('/k.js');
    const { config, scripts } = engineConfig(
      new OptionReader({ assets: { coordinator, kernel, witness: '/w.js' } }, 'x'),
      (location) => new URL(location, 'https://wallet.example/page/').href,
    );
    const witness = 'https://wallet.example/w.js';
    expect(scripts).toEqual({ coordinator, kernel, witness, isFolderTrusted: false });
    expect(structuredClone(config.assets)).toEqual({ kernel: 'https://wallet.example/k.js', witness, wasm: {} });
  });

  it('a folder as TrustedScriptURL is known as trusted', () => {
    page();
    const given = new FakeScriptUrl('https://wallet.example/pippin/');
    for (const assets of [given, { base: given }]) {
      const { config, scripts } = engineConfig(new OptionReader({ assets }, 'x'), (location) => location);
      expect(scripts).toEqual({ isFolderTrusted: true });
      expect(config.assets).toEqual({ base: 'https://wallet.example/pippin/', wasm: {} });
    }
  });
});

it('without Trusted Types a worker is given a string', () => {
  const started: unknown[] = [];
  vi.stubGlobal('Worker', function Worker(url: unknown) {
    started.push(url);
    return {};
  });
  startPackageWorker(start);
  expect(started).toEqual(['https://wallet.example/kernel.js']);
  expect(workerScript('/k.js', true)).toBe('/k.js');
});
