import { byId, element } from '../../groth16-commitment/src/dom.js';
import { duration } from '../../groth16-commitment/src/format.js';
import type { State } from '../../groth16-commitment/src/state.js';
import { Announcer } from '../../groth16-commitment/src/view/announcer.js';
import { Status } from '../../groth16-commitment/src/view/status.js';
import { contestant } from './contestants.js';
import { hasSnarkjs } from './measure-snarkjs.js';
import { proofSystem } from './protocols.js';
import { keepRun, keptRun, laterMs, protocolOf, type Run } from './results.js';
import { deviceGigabytes, runBenchmark } from './runner.js';
import { holdsRun, runOf } from './share.js';
import { sizeName } from './sizes.js';
import { ExportButtons } from './view/export-buttons.js';
import { BenchmarkForm } from './view/form.js';
import { ResultsView } from './view/results-view.js';
import { keepScreenOn } from './wake-lock.js';

/**
 * The page: one run at a time. What was measured is shown at once, kept on this device, and stays when a run is
 * stopped.
 */
export class App {
  private readonly announcer = new Announcer();
  private readonly status = new Status(this.announcer);
  private readonly view = new ResultsView();
  private readonly buttons = new ExportButtons(() => this.run, this.announcer);
  private readonly form: BenchmarkForm;
  private readonly notices = byId('notices', HTMLElement);
  private abort = new AbortController();
  private running = false;
  private run: Run | undefined;

  constructor(parameters: URLSearchParams) {
    this.form = new BenchmarkForm(parameters, { start: () => void this.start(), stop: () => this.abort.abort() });
    // Somebody opens a link in a tab that has the page already.
    addEventListener('hashchange', () => {
      if (!this.running && holdsRun(location.hash)) this.showShared();
    });
    document.addEventListener('visibilitychange', () => {
      if (this.running && document.hidden)
        this.note('The page was in the background for a while: times may be longer than they should be.');
    });
  }

  /** Finds out what can be compared here, and shows what an earlier visit has measured. */
  async open(): Promise<void> {
    const gpu = 'gpu' in navigator;
    this.form.offer(
      'webgpu',
      gpu,
      gpu ? 'WebGPU; its first proof waits for kernels to be compiled' : 'this browser has no WebGPU',
    );
    this.form.offer('workers', true, `WebAssembly, ${navigator.hardwareConcurrency} threads on this device`);
    const snarkjs = await hasSnarkjs();
    this.form.offer(
      'snarkjs',
      snarkjs,
      snarkjs
        ? 'for comparison; from this server’s development packages (GPL), no part of this page'
        : 'not on this server: it is under the GPL and no part of this page; `npm run example:benchmark` offers it',
    );
    if (holdsRun(location.hash)) this.showShared();
    else this.showKept();
    this.enter('ready', 'Ready', 'Nothing is sent anywhere: keys and proofs are made on this device.');
  }

  /** Shows what an earlier visit has measured on this device. */
  private showKept(): void {
    this.run = keptRun();
    if (this.run === undefined) return;
    this.view.show(this.run);
    this.publish();
    const { unfinished, date } = this.run;
    const when = new Date(date).toLocaleDateString();
    if (unfinished === undefined) this.note(`These are the results of ${when}. A new run takes their place.`);
    else {
      const who = unfinished.contestant === undefined ? '' : ` ${contestant(unfinished.contestant).adverb}`;
      this.note(
        `Last time (${when}) the page ended in the middle of ${circuitName(unfinished.log, this.run)}${who}. If nobody closed it, the browser did, most likely for want of memory. What was measured before is still here.`,
      );
    }
  }

  /** Shows the results in the page's address. They are not kept: a run on this device takes their place. */
  private showShared(): void {
    this.notices.replaceChildren();
    const shared = runOf(location.hash);
    if (shared === undefined) {
      this.note('The link does not hold results that this page can show. It may have been cut off: ask for it again.');
      this.showKept();
      return;
    }
    this.run = shared;
    this.view.show(shared, 'The other device');
    this.publish();
    const { date, device } = shared;
    this.note(
      `These results came with the link, which anybody can write. According to it they are of ${new Date(date).toLocaleDateString()}, from ${device.userAgent}`,
    );
  }

  async start(): Promise<void> {
    if (this.running) return;
    const { fault, wish } = this.form;
    if (fault !== undefined) {
      this.enter('failed', 'Something is missing', fault);
      return;
    }
    this.running = true;
    this.abort = new AbortController();
    this.notices.replaceChildren();
    // The results of the link, if there was one, are replaced.
    if (location.hash !== '') history.replaceState(undefined, '', location.href.split('#')[0]);
    const gigabytes = deviceGigabytes();
    let run: Run = {
      format: 'pippin-benchmark',
      version: 1,
      date: new Date().toISOString(),
      device: {
        userAgent: navigator.userAgent,
        threads: navigator.hardwareConcurrency,
        ...(gigabytes === undefined ? {} : { gigabytes }),
      },
      ...(wish.protocol === 'groth16' ? {} : { protocol: wish.protocol }),
      results: [],
      skipped: [],
    };
    const become = (next: Run): void => {
      run = next;
      this.run = run;
      keepRun(run);
    };
    this.view.show(run);
    this.status.begin();
    this.enter('proving', 'Measuring', 'Starting.');
    // On a phone it stands below the form.
    byId('proof', HTMLElement).scrollIntoView({ block: 'nearest' });
    const stopClock = this.status.follow();
    const letScreenGo = keepScreenOn();
    const began = performance.now();
    let ended: { state: State; headline: string; detail: string };
    try {
      await runBenchmark(wish, this.abort.signal, {
        onBegin: (log, id) => become({ ...run, unfinished: { log, ...(id === undefined ? {} : { contestant: id }) } }),
        onDoing: (text, fraction) => {
          this.status.doing(text);
          this.status.progressed(fraction);
        },
        onCircuit: (circuit, protocol) => become({ ...run, circuit, protocol }),
        onResult: (result) => {
          become({ ...run, results: [...run.results, result] });
          this.view.show(run);
          const { name } = contestant(result.contestant);
          this.announcer.say(`${circuitName(result.log, run)}, ${name}: ${duration(laterMs(result))} a proof`);
        },
        onProducts: (products) => {
          become({ ...run, products });
          this.view.show(run);
        },
        onSkipped: (skipped) => {
          become({ ...run, skipped: [...run.skipped, skipped] });
          this.view.show(run);
        },
      });
      ended = outcomeOf(run, performance.now() - began);
    } catch (error) {
      if (this.abort.signal.aborted) {
        ended = { state: 'cancelled', headline: 'Stopped', detail: 'What was measured until now is kept below.' };
      } else {
        const message = error instanceof Error ? error.message : String(error);
        ended = {
          state: 'failed',
          headline: 'Something went wrong that should not',
          detail: `What was measured is kept. ${message}`,
        };
      }
    }
    stopClock();
    letScreenGo();
    const { unfinished: _, ...finished } = run;
    become(finished);
    this.running = false;
    this.publish();
    this.enter(ended.state, ended.headline, ended.detail);
  }

  private enter(state: State, headline: string, detail: string): void {
    this.form.allow(state === 'proving');
    this.status.show(state, headline, detail);
  }

  private note(text: string): void {
    if ([...this.notices.children].some((line) => line.textContent === text)) return;
    this.notices.append(element('p', 'notice', text));
  }

  /** For programs that drive the page. */
  private publish(): void {
    byId('report', HTMLPreElement).textContent = this.buttons.json;
  }
}

/** A circuit in the middle of a sentence. */
function circuitName(log: number, run: Run): string {
  return run.circuit?.name ?? (log === 0 ? 'your own circuit' : `${sizeName(log)} ${unitOf(run)}`);
}

function unitOf(run: Run): string {
  return proofSystem(protocolOf(run)).unit;
}

/** How a run that came to its end is told. */
function outcomeOf(run: Run, ms: number): { state: State; headline: string; detail: string } {
  const { results, skipped } = run;
  if (results.length === 0) {
    const reason = skipped[0]?.reason ?? 'no reason is known';
    return {
      state: 'failed',
      headline: 'Nothing could be proved',
      detail: `${reason}.`.replace(/^./, (c) => c.toUpperCase()),
    };
  }
  const largest = Math.max(...results.map(({ log }) => log));
  const stopped = skipped.find(({ log }) => log > largest);
  const why = stopped === undefined ? '' : ` ${sizeName(stopped.log)} was left out: ${stopped.reason}.`;
  return {
    state: 'verified',
    headline: 'Done',
    detail: `${run.circuit?.name ?? `Up to ${sizeName(largest)} ${unitOf(run)}`} in ${duration(ms)}; every proof was verified.${why}`,
  };
}
