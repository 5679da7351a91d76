import { byId, element } from '../../groth16-commitment/src/dom.js';
import { duration } from '../../groth16-commitment/src/format.js';
import type { State } from '../../groth16-commitment/src/state.js';
import { Announcer } from '../../groth16-commitment/src/view/announcer.js';
import { Status } from '../../groth16-commitment/src/view/status.js';
import { contestant } from './contestants.js';
import { hasSnarkjs } from './measure-snarkjs.js';
import { keepRun, keptRun, laterMs, type Run } from './results.js';
import { deviceGigabytes, runBenchmark } from './runner.js';
import { sizeName } from './sizes.js';
import { BenchmarkForm } from './view/form.js';
import { ResultsView } from './view/results-view.js';

/** The page: one run at a time. What was measured is shown at once, kept on this device, and stays when a run is stopped. */
export class App {
  private readonly announcer = new Announcer();
  private readonly status = new Status(this.announcer);
  private readonly view = new ResultsView();
  private readonly form: BenchmarkForm;
  private readonly notices = byId('notices', HTMLElement);
  private abort = new AbortController();
  private running = false;
  private run: Run | undefined;

  constructor(parameters: URLSearchParams) {
    this.form = new BenchmarkForm(parameters, { start: () => void this.start(), stop: () => this.abort.abort() });
    byId('save', HTMLButtonElement).addEventListener('click', () => this.save());
    byId('copy', HTMLButtonElement).addEventListener('click', () => void this.copy());
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
    this.run = keptRun();
    if (this.run !== undefined) {
      this.view.show(this.run);
      this.publish();
      const { unfinished, date } = this.run;
      const when = new Date(date).toLocaleDateString();
      if (unfinished === undefined) this.note(`These are the results of ${when}. A new run takes their place.`);
      else {
        const who = unfinished.contestant === undefined ? '' : ` ${contestant(unfinished.contestant).adverb}`;
        this.note(
          `Last time (${when}) the page ended in the middle of ${sizeName(unfinished.log)}${who}. If nobody closed it, the browser did, most likely for want of memory. What was measured before is still here.`,
        );
      }
    }
    this.enter('ready', 'Ready', 'Nothing is sent anywhere: keys and proofs are made on this device.');
  }

  async start(): Promise<void> {
    if (this.running) return;
    const wish = this.form.wish;
    if (wish.contestants.length === 0) {
      this.enter('failed', 'Nothing to measure', 'Choose at least one way to prove.');
      return;
    }
    this.running = true;
    this.abort = new AbortController();
    this.notices.replaceChildren();
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
    const stopClock = this.startClock();
    const began = performance.now();
    let ended: { state: State; headline: string; detail: string };
    try {
      await runBenchmark(wish, this.abort.signal, {
        onBegin: (log, id) => become({ ...run, unfinished: { log, ...(id === undefined ? {} : { contestant: id }) } }),
        onDoing: (text, fraction) => {
          this.status.doing(text);
          this.status.progressed(fraction);
        },
        onResult: (result) => {
          become({ ...run, results: [...run.results, result] });
          this.view.show(run);
          const { name } = contestant(result.contestant);
          this.announcer.say(`${sizeName(result.log)} constraints, ${name}: ${duration(laterMs(result))} a proof`);
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
    const { unfinished: _, ...finished } = run;
    become(finished);
    this.running = false;
    this.publish();
    this.enter(ended.state, ended.headline, ended.detail);
  }

  /** Draws the progress bar in every frame, until the function is called that it returns. */
  private startClock(): () => void {
    const began = performance.now();
    let frame = 0;
    const tick = (): void => {
      this.status.draw(performance.now() - began);
      frame = requestAnimationFrame(tick);
    };
    tick();
    return () => cancelAnimationFrame(frame);
  }

  private enter(state: State, headline: string, detail: string): void {
    this.form.allow(state === 'proving');
    this.status.show(state, headline, detail);
  }

  private note(text: string): void {
    if ([...this.notices.children].some((line) => line.textContent === text)) return;
    this.notices.append(element('p', 'notice', text));
  }

  private get json(): string {
    return JSON.stringify(this.run, undefined, 1);
  }

  /** For programs that drive the page. */
  private publish(): void {
    byId('report', HTMLPreElement).textContent = this.json;
  }

  private save(): void {
    const url = URL.createObjectURL(new Blob([this.json], { type: 'application/json' }));
    const link = element('a', '');
    Object.assign(link, { href: url, download: `pippin-benchmark-${this.run?.date.slice(0, 10)}.json` });
    link.click();
    URL.revokeObjectURL(url);
  }

  private async copy(): Promise<void> {
    const button = byId('copy', HTMLButtonElement);
    button.textContent = await navigator.clipboard.writeText(this.json).then(
      () => 'Copied',
      () => 'The browser did not allow it',
    );
    this.announcer.say(button.textContent);
    setTimeout(() => {
      button.textContent = 'Copy JSON';
    }, 2000);
  }
}

/** How a run that came to its end is told. */
function outcomeOf({ results, skipped }: Run, ms: number): { state: State; headline: string; detail: string } {
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
    detail: `Up to ${sizeName(largest)} constraints in ${duration(ms)}; every proof was verified.${why}`,
  };
}
