import { byId, element } from '../../../groth16-commitment/src/dom.js';
import { linesOf } from '../fingerprint.js';
import type { DoneRecord } from '../kept/record.js';
import { pictureOf, wordsView } from './fingerprint-view.js';

/** Where the new key is. */
export type KeyPlace =
  /** Kept on this device, after a reload, too. */
  | { readonly at: 'device' }
  /** Only in this page. */
  | { readonly at: 'page' }
  /** On the device, and the browser was asked to download it. */
  | { readonly at: 'download' }
  /** In a file that the visitor chose. */
  | { readonly at: 'file'; readonly name: string }
  | { readonly at: 'nowhere' };

const PLACES: Readonly<Record<KeyPlace['at'], string>> = {
  device: 'The new key is kept here, also after a reload, until you delete it.',
  page: 'This browser keeps the new key only while the page is open: download it now.',
  download: 'Your browser downloads the new key. When the file is there, delete the copy here.',
  file: 'The copy here was deleted. The new key was saved as ',
  nowhere: 'The copy here was deleted.',
};

/** A contribution that is done: its picture, words and hash, and where the new key is. */
export class ResultView {
  private readonly card = byId('result', HTMLElement);
  private readonly copyText = byId('copy-text', HTMLElement);
  private readonly save = byId('save', HTMLButtonElement);
  private readonly forget = byId('forget', HTMLButtonElement);
  private readonly verifyBox = byId('verify-box', HTMLDetailsElement);

  hide(): void {
    this.card.hidden = true;
  }

  show({ hash, circuitHash, name, number, date, fileName }: DoneRecord): void {
    byId('picture', HTMLElement).replaceChildren(pictureOf(hash));
    byId('words', HTMLElement).replaceChildren(...wordsView(hash));
    byId('hash', HTMLElement).textContent = linesOf(hash).join(' ');
    byId('circuit-hash', HTMLElement).textContent = linesOf(circuitHash).join(' ');
    const rows = [
      ...(name === '' ? [] : [['Name', name]]),
      ['Contribution', String(number)],
      ['Date', new Date(date).toLocaleString()],
      ['New key', fileName],
    ];
    const view = rows.flatMap(([what, text]) => [element('dt', '', what!), element('dd', '', text!)]);
    byId('result-facts', HTMLDListElement).replaceChildren(...view);
    this.card.hidden = false;
  }

  place(place: KeyPlace): void {
    const isHere = place.at === 'device' || place.at === 'page' || place.at === 'download';
    this.copyText.textContent = PLACES[place.at] + (place.at === 'file' ? `${place.name}.` : '');
    this.save.hidden = !isHere;
    this.forget.hidden = !isHere;
    // What was saved can still be read until a reload.
    this.verifyBox.hidden = place.at === 'nowhere';
  }
}
