import { byId } from '../../../groth16-commitment/src/dom.js';
import { CONTESTANTS, type ContestantId } from '../contestants.js';
import { circuitOf, missingFiles, type OwnFiles } from '../own/own-files.js';
import { PROOF_SYSTEMS } from '../protocols.js';
import type { Wish } from '../runner.js';
import { SIZES } from '../sizes.js';
import { FilePicker } from './file-picker.js';

/** The choices, and the two buttons. */
export class BenchmarkForm {
  private readonly form = byId('benchmark', HTMLFormElement);
  private readonly choices = byId('choices', HTMLFieldSetElement);
  private readonly start = byId('start', HTMLButtonElement);
  private readonly stop = byId('stop', HTMLButtonElement);
  private readonly ownRadio = byId('subject-own', HTMLInputElement);
  private readonly repeats = byId('repeats', HTMLSelectElement);
  private readonly picker = new FilePicker(() => {
    this.ownRadio.checked = true;
    this.showSubject();
  });

  /**
   * `initial` are the page's URL parameters: `protocol`, `upto` (a logarithm), `only` (names of contestants, with commas), and
   * `repeats` (one of those offered).
   */
  constructor(initial: URLSearchParams, actions: { start(): void; stop(): void }) {
    const upTo = initial.get('upto');
    const protocol = initial.get('protocol');
    const only = initial.get('only')?.split(',');
    for (const input of this.form.querySelectorAll('input')) {
      if (input.name === 'upto' && input.value === upTo) input.checked = true;
      if (input.name === 'protocol' && input.value === protocol) input.checked = true;
      if (input.name === 'contestant' && only !== undefined) input.checked = only.includes(input.value);
    }
    for (const option of this.repeats.options) {
      if (option.value === initial.get('repeats')) option.selected = true;
    }
    byId('subject', HTMLFieldSetElement).addEventListener('change', () => this.showSubject());
    this.showSubject();
    this.form.addEventListener('submit', (event) => {
      event.preventDefault();
      actions.start();
    });
    this.stop.addEventListener('click', () => actions.stop());
  }

  get wish(): Wish {
    const upTo = Number(this.form.querySelector<HTMLInputElement>('input[name="upto"]:checked')?.value);
    const chosen = [...this.form.querySelectorAll<HTMLInputElement>('input[name="contestant"]:checked')];
    const contestants = CONTESTANTS.filter(({ id }) => chosen.some(({ value, disabled }) => value === id && !disabled));
    const protocol = this.form.querySelector<HTMLInputElement>('input[name="protocol"]:checked')?.value;
    const circuit = this.isOwn ? circuitOf(this.files) : undefined;
    return {
      ...(circuit === undefined ? {} : { circuit }),
      protocol: PROOF_SYSTEMS.find((one) => one.protocol === protocol)?.protocol ?? 'groth16',
      sizes: this.isOwn ? [] : SIZES.filter(({ log }) => log <= upTo),
      contestants: contestants.map(({ id }) => id),
      repeats: Number(this.repeats.value),
    };
  }

  /** Why it cannot be measured yet, for the visitor; undefined if it can. */
  get fault(): string | undefined {
    if (this.wish.contestants.length === 0) return 'Choose at least one way to prove.';
    return this.isOwn ? missingFiles(this.files) : undefined;
  }

  private get isOwn(): boolean {
    return this.ownRadio.checked;
  }

  private get files(): OwnFiles {
    return this.picker.files;
  }

  /** Shows what there is to choose of the circuits that are made here, or of the visitor's own. */
  private showSubject(): void {
    byId('made', HTMLElement).hidden = this.isOwn;
    byId('own', HTMLElement).hidden = !this.isOwn;
  }

  /** Takes a contestant out of the choice, or puts it back, and says why beside it. */
  offer(id: ContestantId, available: boolean, why: string): void {
    const input = this.form.querySelector<HTMLInputElement>(`input[name="contestant"][value="${id}"]`);
    if (input === null) return;
    input.disabled = !available;
    if (!available) input.checked = false;
    byId(`about-${id}`, HTMLElement).textContent = why;
  }

  /** Keeps the focus on a button that can be used. */
  allow(running: boolean): void {
    const focused = document.activeElement;
    this.choices.disabled = running;
    this.picker.allow(!running);
    this.start.disabled = running;
    this.stop.disabled = !running;
    if (running && (focused === this.start || focused === document.body)) this.stop.focus({ preventScroll: true });
    if (!running && focused === this.stop) this.start.focus({ preventScroll: true });
  }
}
