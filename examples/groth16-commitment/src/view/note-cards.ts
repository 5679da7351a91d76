import { element } from '../dom.js';
import { coins, shortHex } from '../format.js';
import type { Note } from '../notes.js';
import { rosette } from './rosette.js';

/** Draws the notes as a choice of one; the form's `note` value is the chosen one's index. */
export function drawNoteCards(parent: HTMLFieldSetElement, notes: readonly Note[]): void {
  for (const [index, note] of notes.entries()) {
    const input = element('input', '');
    Object.assign(input, { type: 'radio', name: 'note', value: String(index), checked: index === 0 });
    const amount = element('span', 'amount', coins(note.inputs.amount), ' ', element('small', '', 'PIP'));
    const facts = element('span', 'help mono', shortHex(note.commitment));
    const text = element('span', 'note-text', element('span', 'note-label', note.label), amount, facts);
    parent.append(element('label', 'note', input, rosette(note.commitment), text));
  }
}
