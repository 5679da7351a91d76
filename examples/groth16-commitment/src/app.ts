import { type CallOptions, type Capabilities, PippinError, type ProgressEvent, type Span } from 'pippin-prover';
import { byId } from './dom.js';
import { type Failure, failureOf, NOT_VERIFIED, type Remedy, type Step } from './failures.js';
import { duration } from './format.js';
import { FrameMeter } from './frame-meter.js';
import { PHASES } from './phases.js';
import { describeError, type PageReport, publishReport } from './report.js';
import { Session } from './session.js';
import { isBusy, type State } from './state.js';
import { Announcer } from './view/announcer.js';
import { Commitments } from './view/commitments.js';
import { Controls } from './view/controls.js';
import { FailureBox, type FailureDetails } from './view/failure-box.js';
import { Frames } from './view/frames.js';
import { Notices } from './view/notices.js';
import { drawResult } from './view/result.js';
import { StartTimes } from './view/start-times.js';
import { Status } from './view/status.js';
import { Timeline } from './view/timeline.js';

type Outcome = Omit<PageReport, 'choice' | 'frames' | 'notices'>;

/** The page. It has one prover and runs one call at a time, and shows what they do. */
export class App {
  private session: Session | undefined;
  private abort = new AbortController();
  private busy = false;
  private began = 0;
  private outcome: Outcome = { state: 'starting' };

  /** What the present or the latest work was. */
  private step: Step = 'starting';

  private readonly announcer = new Announcer();
  private readonly status = new Status(this.announcer);
  private readonly failureBox = new FailureBox((remedy) => this.mend(remedy));
  private readonly controls: Controls;
  private readonly notices = new Notices(byId('notices', HTMLElement));
  private readonly commitments = new Commitments(byId('commitments', HTMLOListElement));
  private readonly timelineTitle = byId('timeline-title', HTMLElement);
  private readonly timeline = new Timeline(byId('timeline', HTMLElement), byId('phases', HTMLTableSectionElement));
  private readonly startTimes = new StartTimes(byId('starts', HTMLDListElement), byId('starts-help', HTMLElement));
  private readonly resultCard = byId('result', HTMLElement);
  private readonly frames = new Frames(
    byId('frames', HTMLElement),
    byId('frames-path', SVGPathElement),
    byId('frames-longest', HTMLElement),
    byId('frames-help', HTMLElement),
  );
  private hasIdle = false;
  private readonly meter = new FrameMeter((reading) => {
    const elapsed = performance.now() - this.began;
    this.frames.show(reading);
    this.timeline.advance(elapsed);
    this.status.draw(elapsed);
  });

  constructor(parameters: URLSearchParams) {
    this.controls = new Controls(parameters, {
      prove: () => void this.prove(),
      cancel: () => this.cancel(),
      restart: (forget) => void this.restart(forget),
    });
    byId('copy', HTMLButtonElement).addEventListener('click', () => void this.copyProof());
  }

  /** Opens a prover with the chosen settings in place of the one before. */
  async restart(forget: boolean): Promise<void> {
    if (this.busy) return;
    this.notices.clear();
    this.outcome = { state: 'starting' };
    this.timelineTitle.textContent = 'Timeline of the start';
    await this.work('starting', 'Starting', 'Opening workers and GPU', async (options) => {
      const before = this.session;
      this.session = undefined;
      await before?.end(forget);
      const session = await Session.start(this.controls.choice, options, (notice) => this.notices.add(notice));
      this.session = session;

      const { openMs, keyMs, key, choice, prover } = session;
      const cached = key.report.cached === true;
      this.showGpuNote(prover.capabilities);
      this.startTimes.show(choice.backend, keyMs, cached);
      this.drawTimeline(key.report.timeline);
      const origin = cached ? 'The prepared key was read from the cache' : 'The key was prepared';
      const capabilities = prover.capabilities;
      return {
        headline: 'Ready',
        detail: `${origin} in ${duration(keyMs)}.`,
        outcome: { state: 'ready', capabilities, start: { openMs, keyMs, cached, report: key.report } },
      };
    });
  }

  /** Proves that the chosen note may be spent. */
  async prove(): Promise<void> {
    const { session } = this;
    if (session === undefined || this.busy) return;
    const { note, recipient } = this.controls;
    this.timelineTitle.textContent = 'Timeline of the proof';
    byId('proof', HTMLElement).scrollIntoView({ block: 'nearest' });
    await this.work('proving', 'Proving', PHASES.witness.doing, async (options) => {
      const result = await session.spend(note, recipient, options);
      const { ms, verified, verifyMs, proof, publicSignals, report } = result;
      const capabilities = session.prover.capabilities;
      this.drawTimeline(report.timeline);
      drawResult(byId('signals', HTMLDListElement), byId('numbers', HTMLDListElement), result, capabilities);
      this.resultCard.hidden = false;
      return {
        headline: 'Verified',
        detail: `Proved in ${duration(ms)}, and verified with this page’s own key in ${duration(verifyMs)}.`,
        ...(verified ? {} : { failure: NOT_VERIFIED }),
        outcome: {
          ...this.outcome,
          state: verified ? 'verified' : 'failed',
          capabilities,
          proof: { ms, verifyMs, verified, proof, publicSignals, report },
        },
      };
    });
  }

  private cancel(): void {
    this.abort.abort();
  }

  /** Does what the button beside a failure says. */
  private mend(remedy: Remedy): void {
    if (remedy === 'reload') location.reload();
    else if (remedy === 'again' && this.step === 'proving' && this.session !== undefined) void this.prove();
    else {
      if (remedy === 'wasm') this.controls.choose('wasm', '');
      if (remedy === 'one-worker') this.controls.choose('wasm', '1');
      void this.restart(remedy === 'forget');
    }
  }

  /** Runs one call with the page's state, clock and frame meter around it. */
  private async work(
    state: Step,
    headline: string,
    detail: string,
    call: (options: CallOptions) => Promise<{ headline: string; detail: string; failure?: Failure; outcome: Outcome }>,
  ): Promise<void> {
    this.step = state;
    this.abort = new AbortController();
    this.began = performance.now();
    this.commitments.clear();
    this.timeline.clear();
    this.resultCard.hidden = true;
    this.status.begin();
    this.enter(state, headline, detail);
    // Not before: the button in it may have the focus, which `enter` takes along.
    this.failureBox.hide();
    this.meter.start();

    let cancelledAt: number | undefined;
    const { signal } = this.abort;
    signal.addEventListener('abort', () => {
      cancelledAt = performance.now();
    });
    const { proof: _proof, cancelMs: _cancelMs, error: _error, ...kept } = this.outcome;
    this.outcome = kept;
    try {
      const done = await call({ signal, onProgress: (event) => this.follow(event) });
      this.outcome = done.outcome;
      if (done.failure !== undefined) this.fail(done.failure, undefined);
      else this.finish(done.outcome.state, done.headline, done.detail);
    } catch (error) {
      if (error instanceof PippinError && error.code === 'ABORTED' && cancelledAt !== undefined) {
        const cancelMs = performance.now() - cancelledAt;
        this.outcome = { ...this.outcome, state: 'cancelled', cancelMs };
        this.finish('cancelled', 'Cancelled', `Stopped within ${duration(cancelMs)}. Nothing was sent anywhere.`);
      } else {
        const described = describeError(error);
        this.outcome = { ...this.outcome, state: 'failed', error: described };
        this.fail(failureOf(described.code, state), described);
      }
    }
  }

  /** Where no GPU computes, says what one would change. */
  private showGpuNote({ backend, webgpu }: Capabilities): void {
    const isMissing = backend === 'wasm' && !webgpu.available && !webgpu.opening;
    byId('gpu-note', HTMLElement).hidden = !isMissing || this.controls.choice.backend === 'wasm';
  }

  private fail(failure: Failure, details: FailureDetails | undefined): void {
    this.failureBox.show(failure, details);
    this.finish('failed', failure.headline, failure.wayOut);
    // On a phone it stands below the form.
    byId('proof', HTMLElement).scrollIntoView({ block: 'nearest' });
  }

  private follow(event: ProgressEvent): void {
    switch (event.kind) {
      case 'progress':
        this.status.doing(PHASES[event.phase].doing);
        this.status.progressed(event.total > 0 ? event.done / event.total : 0);
        break;
      case 'span':
        this.timeline.add(event.span);
        break;
      case 'commitment':
        this.commitments.show(event, performance.now() - this.began);
        break;
      case 'notice':
        this.notices.add(event.notice);
        break;
    }
  }

  /** Draws the timeline of a finished call again, ordered by start, which needs fewer rows than ordered by end. */
  private drawTimeline(spans: readonly Span[]): void {
    this.timeline.clear();
    for (const span of spans) this.timeline.add(span);
  }

  private enter(state: State, headline: string, detail: string): void {
    this.busy = isBusy(state);
    this.controls.allow(state, this.session !== undefined);
    this.status.show(state, headline, detail);
  }

  /** Publishes the report before the state changes, so that a driver that waits for the state finds it. */
  private finish(state: State, headline: string, detail: string): void {
    const { longest, count } = this.meter.stop();
    const notices = this.notices.all;
    void this.measureIdle();
    publishReport({ ...this.outcome, choice: this.controls.choice, frames: { longest, count }, notices });
    this.enter(state, headline, detail);
  }

  /** Measures the idle page once, which tells how much of a frame's time is the device's own. */
  private async measureIdle(): Promise<void> {
    if (this.hasIdle) return;
    const idle = await this.meter.idle();
    if (idle === undefined || this.hasIdle) return;
    this.hasIdle = true;
    this.frames.showIdle(idle);
  }

  private async copyProof(): Promise<void> {
    const { proof } = this.outcome;
    if (proof === undefined) return;
    const button = byId('copy', HTMLButtonElement);
    const text = JSON.stringify({ proof: proof.proof, publicSignals: proof.publicSignals }, undefined, 1);
    button.textContent = await navigator.clipboard.writeText(text).then(
      () => 'Copied',
      () => 'The browser did not allow it',
    );
    this.announcer.say(button.textContent);
    setTimeout(() => {
      button.textContent = 'Copy proof';
    }, 2000);
  }
}
