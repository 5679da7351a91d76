import type { KeyDescription } from 'pippin-prover/ceremony';
import { fileSize } from '../../../benchmark/src/own/own-files.js';
import { byId, element } from '../../../groth16-commitment/src/dom.js';
import { linesOf } from '../fingerprint.js';
import { pictureOf, wordsView } from './fingerprint-view.js';

const CURVES: Readonly<Record<string, string>> = { bn254: 'BN254', 'bls12-381': 'BLS12-381' };

/** What the opened key says of itself. */
export class KeyView {
  private readonly box = byId('key', HTMLElement);
  private readonly facts = byId('key-facts', HTMLDListElement);
  private readonly historyBox = byId('history-box', HTMLDetailsElement);
  private readonly historyTitle = byId('history-title', HTMLElement);
  private readonly history = byId('history', HTMLOListElement);

  hide(): void {
    this.box.hidden = true;
  }

  show(name: string, bytes: number, { curve, domainSize, points, contributions }: KeyDescription): void {
    byId('key-name', HTMLElement).textContent = name;
    byId('key-size', HTMLElement).textContent = fileSize(bytes);
    const rows = [
      ['Curve', CURVES[curve] ?? curve],
      ['Circuit', `up to ${domainSize.toLocaleString('en')} constraints`],
      ['To compute', `${points.toLocaleString('en')} points`],
      ['You are', `contributor ${contributions.length + 1}`],
    ];
    this.facts.replaceChildren(...rows.flatMap(([what, text]) => [element('dt', '', what!), element('dd', '', text!)]));
    const count = contributions.length;
    this.historyTitle.textContent = `${count} ${count === 1 ? 'contribution' : 'contributions'} so far`;
    this.historyBox.hidden = count === 0;
    this.historyBox.open = false;
    this.history.replaceChildren(
      ...contributions.map(({ name: contributor, hash, beacon }, i) => {
        const title = `${i + 1}. ${contributor ?? 'without a name'}${beacon === undefined ? '' : ' (a beacon)'}`;
        const text = [
          element('strong', 'file-name', title),
          element('p', 'words', ...wordsView(hash)),
          element('p', 'mono hash', linesOf(hash).join(' ')),
        ];
        return element('li', '', pictureOf(hash), element('div', '', ...text));
      }),
    );
    this.box.hidden = false;
  }
}
