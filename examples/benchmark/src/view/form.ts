import { byId } from '../../../groth16-commitment/src/dom.js';
import { CONTESTANTS, type ContestantId } from '../contestants.js';
import type { Wish } from '../runner.js';
import { SIZES } from '../sizes.js';

/** The choices, and the two buttons. */
export class BenchmarkForm {
  private readonly form = byId('benchmark', HTMLFormElement);
  private readonly choices = byId('choices', HTMLFieldSetElement);
  private readonly start = byId('start', HTMLButtonElement);
  private readonly stop = byId('stop', HTMLButtonElement);

  /** `initial` are the page's URL parameters: `upto` (a logarithm) and `only` (names of contestants, with commas). */
  constructor(initial: URLSearchParams, actions: { start(): void; stop(): void }) {
    const upTo = initial.get('upto');
    const only = initial.get('only')?.split(',');
    for (const input of this.form.querySelectorAll('input')) {
      if (input.name === 'upto' && input.value === upTo) input.checked = true;
      if (input.name === 'contestant' && only !== undefined) input.checked = only.includes(input.value);
    }
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
    return { sizes: SIZES.filter(({ log }) => log <= upTo), contestants: contestants.map(({ id }) => id) };
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
    this.start.disabled = running;
    this.stop.disabled = !running;
    if (running && (focused === this.start || focused === document.body)) this.stop.focus({ preventScroll: true });
    if (!running && focused === this.stop) this.start.focus({ preventScroll: true });
  }
}
