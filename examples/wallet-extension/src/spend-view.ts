import type { Phase } from 'pippin-prover/extension';
import { byId, element } from '../../groth16-commitment/src/dom.js';
import { coins, seconds, shortAddress, shortHex } from './format.js';
import { NOTES } from './notes.js';
import { DOING, failureSentence } from './sentences.js';
import type { Spend } from './spends.js';

/** Milliseconds for which a button says that it has copied. */
const COPIED_MS = 1_500;

/** What becomes of a spend: its progress, its result, or why there is none. */
export class SpendView {
  private readonly headline = byId('headline', HTMLHeadingElement);
  private readonly detail = byId('detail', HTMLParagraphElement);
  private readonly arc = byId('arc', SVGCircleElement);
  private readonly percent = byId('percent', HTMLSpanElement);
  private readonly bar = byId('progress', HTMLProgressElement);
  private readonly facts = byId('facts', HTMLDListElement);
  private readonly cancel = byId('cancel', HTMLButtonElement);
  private readonly copy = byId('copy', HTMLButtonElement);
  private readonly again = byId('again', HTMLButtonElement);
  private spend: Spend | undefined;

  constructor(
    private readonly section: HTMLElement,
    actions: { cancel(id: string): void; again(): void },
  ) {
    this.cancel.addEventListener('click', () => this.spend && actions.cancel(this.spend.id));
    this.again.addEventListener('click', () => actions.again());
    this.copy.addEventListener('click', () => void this.copyProof());
  }

  show(spend: Spend | undefined): void {
    const isNew = spend?.id !== this.spend?.id;
    this.spend = spend;
    this.section.hidden = spend === undefined;
    if (spend === undefined) return;
    const { state } = spend;
    this.section.dataset.state = state;
    const hadFocus = document.activeElement === this.cancel;
    this.cancel.hidden = state !== 'proving';
    this.copy.hidden = state !== 'proved';
    this.again.hidden = state === 'proving';
    this.again.textContent = state === 'proved' ? 'Done' : 'Try again';
    this.facts.replaceChildren(...factsOf(spend));
    if (state === 'proving' && isNew) {
      this.say('Proving', 'Starting');
      this.fill(0);
      this.cancel.focus();
    } else if (state === 'proved') {
      this.say('Proof ready', `Made and checked on this device in ${seconds(spend.ms ?? 0)}. Ready to be sent.`);
      this.fill(1);
    } else if (state === 'cancelled') {
      this.say('Cancelled', 'Nothing was sent.');
      this.fill(0);
    } else if (state === 'failed') {
      this.say('That did not work', failureSentence(spend.code));
      this.fill(0);
    }
    this.percent.hidden = state !== 'proving';
    this.bar.hidden = state !== 'proving';
    // A button that disappears would take the focus along.
    if (hadFocus && state !== 'proving') this.again.focus();
  }

  /** The progress of the proof under way. */
  progress(phase: Phase, done: number, total: number): void {
    this.detail.textContent = DOING[phase] ?? 'Computing the proof';
    this.fill(total > 0 ? done / total : 0);
  }

  private say(headline: string, detail: string): void {
    this.headline.textContent = headline;
    this.detail.textContent = detail;
  }

  private fill(share: number): void {
    const percent = Math.round(share * 100);
    this.arc.style.strokeDasharray = `${percent} 100`;
    this.percent.textContent = `${percent} %`;
    this.bar.value = percent;
  }

  private async copyProof(): Promise<void> {
    await navigator.clipboard.writeText(JSON.stringify(this.spend?.proof, undefined, 1));
    this.copy.textContent = 'Copied';
    setTimeout(() => {
      this.copy.textContent = 'Copy proof';
    }, COPIED_MS);
  }
}

/** What is known of a spend: the note, to whom, and what the chain will see. */
function factsOf({ note, recipient, proof }: Spend): HTMLElement[] {
  const { label, inputs } = NOTES[note]!;
  const fact = (name: string, value: string, className = ''): HTMLElement[] => [
    element('dt', '', name),
    element('dd', className, value),
  ];
  const [nullifier, root] = proof?.publicSignals ?? [];
  return [
    ...fact('Note', `${label}, ${coins(inputs.amount)} PIP`),
    ...fact('To', shortAddress(recipient), 'mono'),
    ...(nullifier === undefined ? [] : fact('Nullifier', shortHex(nullifier), 'mono')),
    ...(root === undefined ? [] : fact('Tree', shortHex(root), 'mono')),
  ];
}
