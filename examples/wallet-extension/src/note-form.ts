import { byId, element } from '../../groth16-commitment/src/dom.js';
import { coins, shortHex } from './format.js';
import type { Note } from './notes.js';

/** The choice of a note and its recipient. */
export class NoteForm {
  private wasHidden = false;

  constructor(
    private readonly form: HTMLFormElement,
    notes: readonly Note[],
    onSpend: (note: number, recipient: string) => void,
  ) {
    const list = byId('notes', HTMLFieldSetElement);
    for (const [number, note] of notes.entries()) list.append(noteLabel(note, number));
    const recipient = byId('recipient', HTMLInputElement);
    recipient.value = `0x${BigInt(notes[0]!.inputs.recipient).toString(16).padStart(40, '0')}`;
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      onSpend(Number(new FormData(form).get('note')), recipient.value);
    });
  }

  /** Shows or hides it. When it comes back, in the place of what had the focus, the chosen note gets that. */
  show(visible: boolean): void {
    const comesBack = visible && this.wasHidden;
    this.wasHidden = !visible;
    this.form.hidden = !visible;
    if (comesBack) this.form.querySelector<HTMLInputElement>('input:checked')?.focus();
  }
}

function noteLabel(note: Note, number: number): HTMLLabelElement {
  const input = element('input', '');
  Object.assign(input, { type: 'radio', name: 'note', value: String(number), checked: number === 0 });
  const text = element(
    'span',
    'note-text',
    element('span', '', note.label),
    element('small', 'mono', shortHex(note.commitment)),
  );
  return element(
    'label',
    'note',
    input,
    text,
    element('span', 'amount', coins(note.inputs.amount), ' ', element('small', '', 'PIP')),
  );
}
