import type { BackendChoice } from 'pippin-prover';
import { byId } from '../dom.js';
import { address } from '../format.js';
import { NOTES, type Note } from '../notes.js';
import { recipientFault } from '../recipient.js';
import type { Choice } from '../session.js';
import { isBusy, type State } from '../state.js';
import { drawNoteCards } from './note-cards.js';

const BACKENDS: readonly BackendChoice[] = ['auto', 'webgpu', 'wasm'];

export interface Intentions {
  prove(): void;
  cancel(): void;
  /** Start again, with other settings or the same ones. */
  restart(forget: boolean): void;
}

/** The form, which has the note, the recipient and the prover's settings, and the buttons. */
export class Controls {
  private readonly form = byId('spend', HTMLFormElement);
  private readonly recipientInput = byId('recipient', HTMLInputElement);
  private readonly recipientError = byId('recipient-error', HTMLElement);
  private readonly notes = byId('notes', HTMLFieldSetElement);
  private readonly settings = byId('settings', HTMLFieldSetElement);
  private readonly threads = byId('threads', HTMLSelectElement);
  private readonly buttons = {
    prove: byId('prove', HTMLButtonElement),
    cancel: byId('cancel', HTMLButtonElement),
    restart: byId('restart', HTMLButtonElement),
    forget: byId('forget', HTMLButtonElement),
  };

  private focusBefore: HTMLElement | undefined;

  /** `initial` are the page's URL parameters: `backend` and `threads`. */
  constructor(initial: URLSearchParams, intentions: Intentions) {
    drawNoteCards(this.notes, NOTES);
    this.recipientInput.value = address(NOTES[0]?.inputs.recipient ?? '0');
    for (const radio of this.settings.querySelectorAll('input')) {
      if (radio.value === initial.get('backend')) radio.checked = true;
    }
    for (const option of this.threads.options) {
      if (option.value === initial.get('threads')) option.selected = true;
    }

    this.form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (this.checkRecipient()) intentions.prove();
      else this.recipientInput.focus();
    });
    // Whoever is still typing is told that an error is gone, and of a new one when the field is left.
    this.recipientInput.addEventListener('input', () => {
      if (this.recipientInput.getAttribute('aria-invalid') === 'true') this.checkRecipient();
    });
    this.recipientInput.addEventListener('change', () => this.checkRecipient());
    this.settings.addEventListener('change', () => intentions.restart(false));
    this.buttons.cancel.addEventListener('click', () => intentions.cancel());
    this.buttons.restart.addEventListener('click', () => intentions.restart(false));
    this.buttons.forget.addEventListener('click', () => intentions.restart(true));
  }

  get note(): Note {
    const index = chosen(this.notes);
    const note = NOTES[Number(index)];
    if (note === undefined) throw new Error(`expected a chosen note, got number ${index}`);
    return note;
  }

  /** An address of 40 hexadecimal digits after `0x`; the form accepts no other. */
  get recipient(): string {
    return this.recipientInput.value.trim();
  }

  get choice(): Choice {
    const backend = BACKENDS.find((name) => name === chosen(this.settings)) ?? 'auto';
    const threads = this.threads.value;
    return { backend, threads: threads === '' ? undefined : Number(threads) };
  }

  /** Sets what to prove with, for the next start. */
  choose(backend: BackendChoice, threads: string): void {
    for (const radio of this.settings.querySelectorAll('input')) radio.checked = radio.value === backend;
    this.threads.value = threads;
  }

  /** Whether the recipient is an address; says beside the field what is wrong with it. */
  private checkRecipient(): boolean {
    const fault = recipientFault(this.recipient);
    this.recipientInput.setAttribute('aria-invalid', String(fault !== undefined));
    if (this.recipientError.textContent !== (fault ?? '')) this.recipientError.textContent = fault ?? '';
    return fault === undefined;
  }

  /** Enables the buttons that can be used in a state. Without a prover it is only the one for a new start. */
  allow(state: State, hasProver: boolean): void {
    const busy = isBusy(state);
    const focused = document.activeElement;
    this.notes.disabled = busy;
    this.settings.disabled = busy;
    this.recipientInput.disabled = busy;
    this.buttons.prove.disabled = busy || !hasProver;
    this.buttons.cancel.disabled = !busy;
    this.buttons.restart.disabled = busy;
    this.buttons.forget.disabled = busy || !hasProver;
    this.keepFocus(busy, focused);
  }

  /**
   * A button that is disabled loses the focus. So the focus moves to the cancel button, and goes back afterwards, unless the visitor has moved
   * it meanwhile.
   */
  private keepFocus(busy: boolean, focused: Element | null): void {
    if (busy) {
      if (!(focused instanceof HTMLElement) || focused === document.body) return;
      this.focusBefore = focused;
      this.buttons.cancel.focus({ preventScroll: true });
    } else if (this.focusBefore !== undefined) {
      // A button that has been hidden meanwhile, as the one beside a failure, cannot have it back.
      const target = this.focusBefore.checkVisibility() ? this.focusBefore : this.buttons.prove;
      this.focusBefore = undefined;
      if (focused === this.buttons.cancel || focused === document.body) target.focus({ preventScroll: true });
    }
  }
}

/** The value of the radio button that is set; read from the buttons, since a form gives no values of disabled ones. */
function chosen(group: HTMLFieldSetElement): string | undefined {
  return group.querySelector<HTMLInputElement>('input:checked')?.value;
}
