import type { PageMessage } from 'pippin-prover/webview';
import { byId, element } from '../../groth16-commitment/src/dom.js';
import { DOING, shortId } from './words.js';

/** What is shown of a proof. */
type Standing = 'queued' | 'running' | 'paused' | 'done' | 'failed';

/** Lines of the list of messages. */
const MOST_MESSAGES = 30;
const MOST_PROOFS = 8;

/** Shows what the page tells the app: all of it is read from the messages. */
export class PageView {
  private readonly headline = byId('headline', HTMLElement);
  private readonly detail = byId('detail', HTMLElement);
  private readonly progress = byId('progress', HTMLProgressElement);
  private readonly ring = byId('ring', SVGCircleElement);
  private readonly percent = byId('percent', SVGTextElement);
  private readonly proofs = byId('proofs', HTMLOListElement);
  private readonly messages = byId('messages', HTMLOListElement);
  private readonly rows = new Map<string, HTMLLIElement>();
  /** The proof whose progress is shown. */
  private shown: string | undefined;

  showFacts(facts: Readonly<Record<string, string>>): void {
    const rows = Object.entries(facts).flatMap(([name, value]) => [element('dt', '', name), element('dd', '', value)]);
    byId('facts', HTMLDListElement).replaceChildren(...rows);
  }

  showFailure(message: string, hint: string | undefined): void {
    this.say('failed', 'Cannot serve the app', hint === undefined ? message : `${message}; ${hint}`);
  }

  show(message: PageMessage): void {
    this.list(message);
    switch (message.type) {
      case 'ready':
        this.say('ready', 'Ready', 'The app can ask for proofs.');
        break;
      case 'leaving':
        this.say('starting', 'Leaving', 'The page is closed or loaded again.');
        break;
      case 'state':
        this.row(message.id, message.state, message.attempt);
        if (message.state === 'running') this.begin(message.id, message.attempt);
        else if (message.state === 'paused') this.pause(message.reason);
        break;
      case 'progress':
        this.reach(message.fraction, DOING[message.phase]);
        break;
      case 'result':
        this.row(message.id, 'done', message.attempts);
        this.reach(1, '');
        this.say(
          'done',
          'Proof sent',
          `Made in ${(message.ms / 1000).toFixed(2)} s on ${onWhat(message.backend)}, and verified.`,
        );
        break;
      case 'failed':
        if (message.id !== undefined) this.row(message.id, 'failed', undefined);
        this.say(
          message.code === 'ABORTED' ? 'ready' : 'failed',
          titleOf(message.code),
          `${message.code}: ${message.message}`,
        );
        break;
      case 'notice':
        break;
    }
  }

  private begin(id: string, attempt: number): void {
    this.say('proving', 'Proving', attempt === 1 ? 'Opening the prover' : `Begun again, attempt ${attempt}`);
    // One that is begun again does not fall behind what was shown.
    if (attempt === 1 || this.shown !== id) this.reach(0, undefined);
    this.shown = id;
  }

  private pause(reason: 'background' | 'frozen' | undefined): void {
    const detail =
      reason === 'frozen'
        ? 'The system has stopped the page. The proof goes on where it was.'
        : 'The app is in the background. The proof is begun again when it is back.';
    this.say('paused', 'Paused', detail);
  }

  private reach(fraction: number, doing: string | undefined): void {
    if (doing !== undefined) this.detail.textContent = doing;
    this.progress.value = fraction;
    this.ring.style.strokeDashoffset = String(100 - 100 * fraction);
    this.percent.textContent = `${Math.floor(100 * fraction)}%`;
  }

  private say(state: string, headline: string, detail: string): void {
    document.documentElement.dataset.state = state;
    this.headline.textContent = headline;
    this.detail.textContent = detail;
    this.progress.hidden = state !== 'proving' && state !== 'paused';
  }

  private row(id: string, standing: Standing, attempt: number | undefined): void {
    let row = this.rows.get(id);
    if (row === undefined) {
      row = element('li', 'proof');
      this.rows.set(id, row);
    }
    const attempts = attempt === undefined || attempt < 2 ? '' : `attempt ${attempt}`;
    row.replaceChildren(
      element('span', 'mono', shortId(id)),
      element('span', 'help', attempts),
      element('span', `chip ${standing}`, standing),
    );
    this.proofs.prepend(row);
    for (const old of [...this.rows.keys()].slice(0, Math.max(0, this.rows.size - MOST_PROOFS))) {
      this.rows.get(old)?.remove();
      this.rows.delete(old);
    }
    byId('no-proofs', HTMLElement).hidden = true;
  }

  private list(message: PageMessage): void {
    const { pippin: _version, type, ...members } = message;
    const last = this.messages.firstElementChild as HTMLElement | null;
    const text = JSON.stringify(members);
    const line = element('li', 'message', element('span', 'kind', type), element('span', 'mono', text));
    line.dataset.type = type;
    // Of a run of progress the latest is enough.
    if (type === 'progress' && last?.dataset.type === 'progress') last.remove();
    this.messages.prepend(line);
    while (this.messages.childElementCount > MOST_MESSAGES) this.messages.lastElementChild?.remove();
  }
}

function titleOf(code: string): string {
  if (code === 'ABORTED') return 'Cancelled';
  return code === 'INTERRUPTED' ? 'Interrupted' : 'Not proved';
}

function onWhat(backend: 'webgpu' | 'wasm'): string {
  return backend === 'webgpu' ? 'the GPU' : 'the workers';
}
