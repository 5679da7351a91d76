import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Prover } from '../sdk/api/index.js';
import type { Phase, ProgressEvent, ProgressListener } from '../sdk/api/progress.js';
import type { ProverServer } from '../sdk/hosts/extension/api.js';
import { connectProverOn } from '../sdk/hosts/extension/connect.js';
import { acceptLocally } from '../sdk/hosts/extension/local-ports.js';
import { serveProverOn } from '../sdk/hosts/extension/serve.js';
import { Journal } from '../sdk/hosts/session/journal.js';
import { AliasContext, type AliasPlatform } from '../sdk/hosts/snarkjs-alias/context.js';
import { AliasGroth16 } from '../sdk/hosts/snarkjs-alias/groth16.js';
import { connectProver, type ProverConnection } from '../sdk/hosts/webview/connect-prover.js';
import { PageProver } from '../sdk/hosts/webview/page-prover.js';
import { ProofServer } from '../sdk/hosts/webview/proof-server.js';
import { encodeMessage } from '../sdk/hosts/webview/protocol.js';
import { EVERY_COMBINATION } from './support/every-combination.js';
import { FakeExtension } from './support/fake-extension.js';
import { StagedProver, type StagedWork, turn } from './support/staged-prover.js';

/**
 * The progress of calls in every host but the farm, whatever is called at the same time: it never falls, ends at the
 * total, and has the phases of the work that was done meanwhile. The engine's own calls are in
 * tests/engine/progress.test.ts.
 */

/** Sequences of calls for each kind of host. */
const RUNS = EVERY_COMBINATION ? 150 : 40;
const KEYS = ['a.zkey', 'b.zkey'] as const;
const LOADING: readonly Phase[] = ['hash', 'cache-read', 'prepare', 'upload', 'distribute'];

/** Something that a caller does, some turns after what was done before. */
interface Step {
  readonly after: number;
  readonly what: 'load' | 'prove' | 'proveFile' | 'proveKept' | 'join' | 'interrupt';
  /** The page that does it. */
  readonly page: number;
  readonly key: (typeof KEYS)[number];
  /** Turns after which it is aborted. */
  readonly abortAfter: number | undefined;
}

const stepOf = (what: readonly Step['what'][]): fc.Arbitrary<Step> =>
  fc.record({
    after: fc.oneof(fc.nat(4), fc.nat(40)),
    what: fc.constantFrom(...what),
    page: fc.nat(2),
    key: fc.constantFrom(...KEYS),
    abortAfter: fc.option(fc.nat(30), { nil: undefined, freq: 3 }),
  });

const sequenceOf = (...what: readonly Step['what'][]) => ({
  steps: fc.array(stepOf(what), { minLength: 1, maxLength: 8 }),
  hasGpu: fc.boolean(),
  failures: fc.array(fc.boolean(), { maxLength: 3 }),
});

/** What a call was told, and how it ended. */
interface Told {
  readonly step: Step;
  readonly fractions: number[];
  readonly phases: Phase[];
  outcome: 'runs' | 'done' | 'failed';
  /** The work on its key that had ended before it began. */
  readonly before: ReadonlySet<StagedWork>;
}

/** Does the steps, each at its time, and waits until all calls have ended. */
async function play(
  steps: readonly Step[],
  works: readonly StagedWork[],
  call: (step: Step, signal: AbortSignal, tell: (fraction: number, phase: Phase) => void) => Promise<unknown>,
): Promise<Told[]> {
  const calls: Told[] = [];
  const ends: Promise<unknown>[] = [];
  for (const step of steps) {
    for (let i = 0; i < step.after; i++) await turn();
    const abort = new AbortController();
    const before = new Set(works.filter(({ state }) => state !== 'runs'));
    const told: Told = { step, fractions: [], phases: [], outcome: 'runs', before };
    const running = call(step, abort.signal, (fraction, phase) => {
      told.fractions.push(fraction);
      told.phases.push(phase);
    }).then(
      () => (told.outcome = 'done'),
      () => (told.outcome = 'failed'),
    );
    calls.push(told);
    ends.push(running, abortLater(abort, step.abortAfter));
  }
  await Promise.all(ends);
  return calls;
}

async function abortLater(abort: AbortController, turns: number | undefined): Promise<void> {
  if (turns === undefined) return;
  for (let i = 0; i < turns; i++) await turn();
  abort.abort();
}

/** A listener of the SDK's own events. */
const fractionsTo =
  (tell: (fraction: number, phase: Phase) => void): ProgressListener =>
  (event: ProgressEvent) => {
    if (event.kind === 'progress') tell(event.done / event.total, event.phase);
  };

/** Checks what every call was told. */
function check(calls: readonly Told[], works: readonly StagedWork[]): void {
  for (const { step, fractions, phases, outcome, before } of calls) {
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
    expect(fractions.every((fraction) => fraction >= 0 && fraction <= 1)).toBe(true);
    const meanwhile = works.filter((work) => work.key === step.key && !before.has(work));
    const possible = new Set(meanwhile.flatMap((work) => [...work.phases]));
    expect(phases.filter((phase) => !possible.has(phase))).toEqual([]);
    if (outcome !== 'done') continue;
    if (step.what !== 'load' && step.what !== 'join') expect(phases.at(-1)).toBe('verify');
    // Where there was no work, nothing is told.
    if (phases.length > 0) expect(fractions.at(-1)).toBe(1);
  }
}

const proverOf = (hasGpu: boolean, failures: readonly boolean[], nameOf?: (file: unknown) => string): StagedProver =>
  new StagedProver(hasGpu, (load) => failures[load] ?? false, nameOf);

describe('in an extension', () => {
  afterEach(() => acceptLocally(undefined));

  it('several pages that load, prove, join and abort', async () => {
    const sequence = sequenceOf('load', 'prove', 'proveFile', 'proveKept', 'join');
    await fc.assert(
      fc.asyncProperty(fc.record(sequence), async ({ steps, hasGpu, failures }) => {
        const prover = proverOf(hasGpu, failures, (url) => String(url).split('/').at(-1)!);
        let server: ProverServer | undefined;
        const extension = new FakeExtension(({ api, url }) => {
          server = serveProverOn({ api, url, createProver: async () => prover.asProver, closePage: () => {} }, {});
          acceptLocally(undefined);
        });
        const pages = [0, 1, 2].map((page) => connectProverOn(extension.open(`${page}.html`).api, {}));
        const calls = await play(steps, prover.works, async ({ what, page, key }, signal, tell) => {
          const caller = pages[page]!;
          const options = { signal, onProgress: fractionsTo(tell) };
          switch (what) {
            case 'load':
              return caller.groth16.loadKey(key, options);
            case 'prove': {
              const loaded = await caller.groth16.loadKey(key, { signal });
              return caller.groth16.fullProve(loaded, {}, 'c.wasm', options);
            }
            case 'proveFile':
              return caller.groth16.fullProve({ zkey: key }, {}, 'c.wasm', options);
            case 'proveKept':
              return caller.groth16.fullProve({ zkey: key }, {}, 'c.wasm', { ...options, id: key });
            default:
              return caller.result(key, options);
          }
        });
        await server?.close();
        check(calls, prover.works);
        // The key was loaded by a call of its own.
        for (const { step, phases, outcome } of calls) {
          if (step.what === 'prove' && outcome === 'done')
            expect(phases.filter((phase) => LOADING.includes(phase))).toEqual([]);
        }
      }),
      { numRuns: RUNS },
    );
  });
});

describe('in a webview', () => {
  // Messages of progress are rare. On this clock each has its time.
  beforeEach(() => {
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => (now += 1000));
  });
  afterEach(() => vi.restoreAllMocks());

  /** A page with its app, and what becomes of it when it is out of sight, or loaded again. */
  class WebviewPage {
    readonly app: ProverConnection = connectProver({
      resends: 100,
      send: (text) => queueMicrotask(() => this.server?.receive(text)),
    });
    /** What each page told of each proof. */
    readonly told = new Map<string, number[]>();
    private server: ProofServer | undefined;
    private isVisible = true;
    private pages = 0;

    constructor(private readonly prover: Prover) {
      this.load();
    }

    load(): void {
      this.server?.onLeave();
      const number = this.pages++;
      const page = new PageProver(async () => this.prover, 2 ** 30);
      const server: ProofServer = new ProofServer(
        {
          circuits: Object.fromEntries(KEYS.map((zkey) => [zkey, { zkey, wasm: 'c.wasm' }])),
          background: 'pause',
          graceMs: 0,
          budget: { memoryBudget: 1, threads: 1 },
          isVisible: () => this.isVisible,
          setVisible: () => undefined,
          post: (message) => {
            if (message.type === 'progress') this.note(`${number} ${message.id}`, message.fraction);
            const text = encodeMessage(message);
            queueMicrotask(() => this.server === server && this.app.receive(text));
          },
        },
        page,
        new Journal(undefined),
      );
      this.server = server;
      server.greet();
    }

    /** Out of sight for a moment. */
    async hide(): Promise<void> {
      this.isVisible = false;
      this.server!.onHidden();
      await new Promise((resolve) => setTimeout(resolve, 1));
      this.isVisible = true;
      this.server!.onVisible();
    }

    private note(proof: string, fraction: number): void {
      this.told.set(proof, [...(this.told.get(proof) ?? []), fraction]);
    }

    end(): void {
      this.app.close();
      this.server!.close();
    }
  }

  it('proofs that wait for each other, are aborted, paused and asked of another page', async () => {
    await fc.assert(
      fc.asyncProperty(fc.record(sequenceOf('proveFile', 'interrupt')), async ({ steps, hasGpu, failures }) => {
        const prover = proverOf(hasGpu, failures);
        const page = new WebviewPage(prover.asProver);
        const calls = await play(steps, prover.works, async ({ what, key, page: odd }, signal, tell) => {
          if (what === 'proveFile') {
            const onProgress = (fraction: number, { phase }: { phase: Phase }): void => tell(fraction, phase);
            return page.app.prove(key, {}, { signal, onProgress });
          }
          if (odd === 0) page.load();
          else await page.hide();
          throw new Error('no proof');
        });
        page.end();
        check(calls, prover.works);
        // An app that reads the messages itself is told no less.
        for (const fractions of page.told.values()) expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
      }),
      { numRuns: RUNS },
    );
  });
});

describe('behind the calls of snarkjs', () => {
  it('the logger is told each phase of its own work once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.record(sequenceOf('proveFile')), async ({ steps, hasGpu, failures }) => {
        const nameOf = (file: unknown): string => KEYS[(file as Uint8Array)[0]!]!;
        const prover = proverOf(hasGpu, failures, nameOf);
        const platform = { locationOf: String, createProver: async () => prover.asProver };
        const groth16 = new AliasGroth16(new AliasContext(platform as unknown as AliasPlatform));
        const calls = await play(steps, prover.works, ({ key }, _signal, tell) =>
          groth16.fullProve({}, 'c.wasm', Uint8Array.of(KEYS.indexOf(key)), {
            debug: (line) => tell(line === 'verify' ? 1 : 0, line as Phase),
          }),
        );
        check(calls, prover.works);
        for (const { phases, outcome } of calls) {
          expect(new Set(phases).size).toBe(phases.length);
          if (outcome === 'done') expect(phases).toEqual(expect.arrayContaining(['witness', 'msm', 'verify']));
        }
        // What one call loads is told to no other.
        const loads = prover.works.filter(({ kind, state }) => kind === 'load' && state === 'done');
        expect(calls.filter(({ phases }) => phases.includes(hasGpu ? 'upload' : 'distribute'))).toHaveLength(
          loads.length,
        );
      }),
      { numRuns: RUNS },
    );
  });
});
