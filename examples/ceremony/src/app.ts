import { contribute, describeKey, type KeyDescription, PippinError } from 'pippin-prover/ceremony';
import { DropField } from '../../benchmark/src/view/drop-field.js';
import { copied, sayOnClick } from '../../benchmark/src/view/saying-button.js';
import { keepScreenOn } from '../../benchmark/src/wake-lock.js';
import { byId, element } from '../../groth16-commitment/src/dom.js';
import { isBusy, type State } from '../../groth16-commitment/src/state.js';
import { Announcer } from '../../groth16-commitment/src/view/announcer.js';
import { FailureBox } from '../../groth16-commitment/src/view/failure-box.js';
import { Status } from '../../groth16-commitment/src/view/status.js';
import { attestationOf } from './attestation.js';
import { failureOf, type Step } from './failures.js';
import type { KeptFiles } from './kept/kept-files.js';
import type { DoneRecord } from './kept/record.js';
import { Visit } from './kept/visit.js';
import { nextKeyName } from './key-names.js';
import { saveKey } from './save-key.js';
import { timeLeft } from './time-left.js';
import { ChancePad } from './view/chance-pad.js';
import { KeyView } from './view/key-view.js';
import { ResultView } from './view/result-view.js';
import { VerifyBox } from './view/verify-box.js';

interface OpenedKey {
  readonly key: Blob;
  readonly fileName: string;
  readonly description: KeyDescription;
}

/** A contribution that is done, and the new key as long as the page has it. */
interface Contribution {
  readonly record: DoneRecord;
  readonly key: Blob | undefined;
  /** Whether the visitor has the key outside of the page, as far as the page can know. */
  readonly isDownloaded: boolean;
}

/**
 * The page: a key is opened, contributed to, and the new key downloaded. What would be lost by a reload is kept on this
 * device meanwhile: the opened key with the visitor's name, then the new key. No secret is kept.
 */
export class App {
  private readonly announcer = new Announcer();
  private readonly status = new Status(this.announcer);
  private readonly failureBox = new FailureBox((remedy) => (remedy === 'reload' ? location.reload() : this.again()));
  private readonly keyField: DropField;
  private readonly keyView = new KeyView();
  private readonly pad = new ChancePad(this.announcer);
  private readonly resultView = new ResultView();
  private readonly verifyBox: VerifyBox;
  private readonly name = byId('name', HTMLInputElement);
  private readonly give = byId('give', HTMLFieldSetElement);
  private readonly startButton = byId('start', HTMLButtonElement);
  private readonly cancelButton = byId('cancel', HTMLButtonElement);
  private readonly notices = byId('notices', HTMLElement);
  private readonly visit: Visit;
  private abort = new AbortController();
  private opened: OpenedKey | undefined;
  private done: Contribution | undefined;

  constructor(private readonly kept: KeptFiles) {
    this.visit = new Visit(kept);
    const input = byId('file', HTMLInputElement);
    this.keyField = new DropField(byId('drop', HTMLElement), input, ([file]) => void this.openKey(file!));
    this.verifyBox = new VerifyBox(() => {
      const { key, record } = this.done ?? {};
      return key && record && { key, hash: record.hash };
    }, this.announcer);
    byId('contribute', HTMLFormElement).addEventListener('submit', (event) => {
      event.preventDefault();
      void this.contribute();
    });
    this.cancelButton.addEventListener('click', () => {
      this.cancelButton.disabled = true;
      this.abort.abort();
    });
    byId('save', HTMLButtonElement).addEventListener('click', () => void this.save());
    byId('forget', HTMLButtonElement).addEventListener('click', () => void this.forget());
    byId('another', HTMLButtonElement).addEventListener('click', () => void this.beginAgain());
    sayOnClick(byId('copy', HTMLButtonElement), this.announcer, async () => copied(attestationOf(this.done!.record)));
  }

  /** Goes on where an earlier visit or the page before a reload has ended. */
  async open(): Promise<void> {
    this.warn();
    const record = await this.visit.record();
    if (record?.stage === 'done') {
      const key = record.hasKey ? await this.kept.read('new.zkey').catch(() => undefined) : undefined;
      this.showDone({ record, key, isDownloaded: key === undefined });
      return;
    }
    if (record === undefined || !(await this.comeBack(record.fileName, record.name))) {
      this.welcome();
    } else if (record.stage === 'opened') {
      this.enter('ready', 'Ready', 'The key that you opened is still here.');
    } else {
      this.enter(
        'cancelled',
        'Interrupted',
        'The page was reloaded or closed while it computed. The key and your name are still here; begin again. The secret was never stored: a new one will be made.',
      );
    }
  }

  /** The key that was opened before a reload; false if it is gone. */
  private async comeBack(fileName: string, name: string): Promise<boolean> {
    const key = await this.visit.openedKey();
    if (key === undefined) return false;
    try {
      this.showOpened({ key, fileName, description: await describeKey(key) });
      this.name.value = name;
      return true;
    } catch {
      return false;
    }
  }

  private async openKey(file: File): Promise<void> {
    this.failureBox.hide();
    this.opened = undefined;
    this.keyView.hide();
    this.status.begin();
    this.enter('starting', 'Opening the key', file.name);
    try {
      const description = await describeKey(file);
      const copy = await this.visit.keepOpened(file);
      if (copy === undefined) {
        this.note('There is no room here to keep a copy of the key: after a reload you would have to open it again.');
      }
      this.showOpened({ key: copy ?? file, fileName: file.name, description });
      this.enter('ready', 'Ready', 'Move the mouse or a finger, give your name, and contribute.');
    } catch (error) {
      this.fail(error, 'opening');
    }
  }

  private async contribute(): Promise<void> {
    const { opened } = this;
    if (opened === undefined || this.startButton.disabled) return;
    const { key, fileName, description } = opened;
    const name = this.name.value.trim();
    this.abort = new AbortController();
    const { signal } = this.abort;
    this.failureBox.hide();
    this.status.begin();
    this.enter('proving', 'Computing', 'Starting the workers.');
    this.goToHeadline();
    const stopClock = this.status.follow();
    const letScreenGo = keepScreenOn();
    /** When the points began: the start of the workers says nothing of them. */
    let began: number | undefined;
    const entropy = this.pad.take();
    let to: WritableStream<Uint8Array> | undefined;
    try {
      await this.visit.remember({ stage: 'computing', fileName, name });
      to = await this.kept.begin('new.zkey');
      const made = await contribute(key, {
        name,
        entropy,
        signal,
        ...(to && { to }),
        onProgress: (fraction) => {
          began ??= performance.now();
          const left = timeLeft(performance.now() - began, fraction);
          this.status.doing(`Multiplying the key’s points by your secret${left === undefined ? '' : `, ${left}`}`);
          this.status.progressed(fraction);
        },
      });
      const number = description.contributions.length + 1;
      await this.finish(made.zkey, {
        stage: 'done',
        fileName: nextKeyName(fileName, number),
        name,
        hash: made.hash,
        circuitHash: made.circuitHash,
        number,
        date: new Date().toISOString(),
        hasKey: true,
      });
    } catch (error) {
      // The call has done so itself if it has begun to write.
      await to?.abort().catch(() => undefined);
      await this.visit.forgetFile('new.zkey');
      await this.visit.remember({ stage: 'opened', fileName, name });
      if (signal.aborted) {
        this.enter('cancelled', 'Cancelled', 'The secret was overwritten, and nothing of the new key is left.');
        this.goToHeadline();
      } else {
        this.fail(error, 'computing');
      }
    } finally {
      entropy.fill(0);
      stopClock();
      letScreenGo();
    }
  }

  /** @param zkey the new key where it could not be written as a stream. */
  private async finish(zkey: Blob | undefined, record: DoneRecord): Promise<void> {
    let key = zkey;
    try {
      if (zkey !== undefined) await this.kept.put('new.zkey', zkey);
      key = await this.kept.read('new.zkey');
      await this.visit.remember(record);
    } catch {
      if (key === undefined) throw new PippinError('IO_FAILED', 'expected to read the new key where it was written');
      this.note('There is no room here to keep the new key: it is lost when you reload or close the page.');
    }
    await this.visit.forgetFile('opened.zkey');
    this.showDone({ record, key, isDownloaded: false });
    this.goToHeadline();
  }

  private async save(): Promise<void> {
    const { done } = this;
    if (done?.key === undefined) return;
    try {
      const saved = await saveKey(done.key, done.record.fileName);
      if (saved === 'cancelled') return;
      this.done = { ...done, isDownloaded: true };
      if (saved === 'asked') this.resultView.place({ at: 'download' });
      else await this.drop(saved);
    } catch (error) {
      this.fail(error, 'computing');
    }
  }

  private async forget(): Promise<void> {
    if (this.mayDrop('Delete the new key?')) await this.drop(undefined);
  }

  /** Deletes the new key here. @param saved the file that has it now. */
  private async drop(saved: File | undefined): Promise<void> {
    const { done } = this;
    if (done === undefined) return;
    const record = { ...done.record, hasKey: false };
    await this.visit.forgetFile('new.zkey');
    await this.visit.remember(record);
    this.done = { record, key: saved, isDownloaded: true };
    this.resultView.place(saved === undefined ? { at: 'nowhere' } : { at: 'file', name: saved.name });
    if (saved === undefined) this.verifyBox.reset(false);
    this.announcer.say(byId('copy-text', HTMLElement).textContent);
  }

  private async beginAgain(): Promise<void> {
    if (!this.mayDrop('Open another key, and delete the new one here?')) return;
    await this.visit.forget();
    this.done = undefined;
    this.opened = undefined;
    this.name.value = '';
    this.warn();
    this.keyView.hide();
    this.resultView.hide();
    this.verifyBox.reset(false);
    this.welcome();
    byId('file', HTMLInputElement).focus();
  }

  /** Whether the new key may be deleted: the visitor is asked if it was not downloaded. */
  private mayDrop(question: string): boolean {
    return this.done?.isDownloaded !== false || confirm(`You have not downloaded the new key yet. ${question}`);
  }

  private again(): void {
    if (this.done !== undefined) void this.save();
    else if (this.opened !== undefined) void this.contribute();
    else this.keyField.choose();
  }

  private welcome(): void {
    this.enter('ready', 'Begin', 'Open the key that you were given.');
  }

  private showOpened(opened: OpenedKey): void {
    this.opened = opened;
    this.keyView.show(opened.fileName, opened.key.size, opened.description);
  }

  private showDone(done: Contribution): void {
    this.done = done;
    this.opened = undefined;
    this.resultView.show(done.record);
    const isKept = this.kept.lostBy === undefined;
    this.resultView.place({ at: done.key === undefined ? 'nowhere' : isKept ? 'device' : 'page' });
    this.verifyBox.reset(done.key !== undefined);
    this.enter('verified', 'Thank you', 'Your contribution is in the new key, and your secret is gone.');
  }

  private fail(error: unknown, step: Step): void {
    const code = error instanceof PippinError ? error.code : error instanceof DOMException ? 'IO_FAILED' : 'UNKNOWN';
    const message = error instanceof Error ? error.message : String(error);
    const failure = failureOf(code, step);
    const hint = error instanceof PippinError ? error.hint : undefined;
    this.failureBox.show(failure, { code, message, ...(hint !== undefined && { hint }) });
    this.enter('failed', failure.headline, failure.wayOut);
    this.goToHeadline();
  }

  /** To what the page says, which on a phone stands above the form: the button that was pressed is gone or disabled. */
  private goToHeadline(): void {
    byId('headline', HTMLElement).focus({ preventScroll: true });
    byId('proof', HTMLElement).scrollIntoView({ block: 'nearest' });
  }

  private enter(state: State, headline: string, detail: string): void {
    const mayGive = this.opened !== undefined && !isBusy(state);
    document.documentElement.dataset.stage = this.done === undefined ? 'contribute' : 'done';
    this.give.disabled = !mayGive;
    this.startButton.disabled = !mayGive;
    byId('cancel-box', HTMLElement).hidden = state !== 'proving';
    this.cancelButton.disabled = false;
    this.keyField.allow(!isBusy(state) && this.done === undefined);
    this.status.show(state, headline, detail);
  }

  /** The notices of a new beginning. */
  private warn(): void {
    const { lostBy } = this.kept;
    this.notices.replaceChildren();
    if (lostBy !== undefined) this.note(`${lostBy}, so what you do here is lost when you reload or close the page.`);
  }

  private note(text: string): void {
    this.notices.append(element('p', 'notice', text));
  }
}
