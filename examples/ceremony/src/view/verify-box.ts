import { PippinError, verifyContributions } from 'pippin-prover/ceremony';
import { fileSize } from '../../../benchmark/src/own/own-files.js';
import { DropField } from '../../../benchmark/src/view/drop-field.js';
import { byId, element } from '../../../groth16-commitment/src/dom.js';
import type { Announcer } from '../../../groth16-commitment/src/view/announcer.js';
import { failureOf } from '../failures.js';

/** Files are told apart by their first bytes, since phones rename what they download. */
const KINDS = { zkey: 'First key', r1cs: 'Circuit', ptau: 'Powers of tau' } as const;
type Kind = keyof typeof KINDS;

/** The new key, and the hash that must be in it. */
export interface VerifiedKey {
  readonly key: Blob;
  readonly hash: string;
}

/** Verifies the new key against files that the visitor has: the first key, or the circuit and the powers of tau. */
export class VerifyBox {
  private readonly list = byId('verify-list', HTMLUListElement);
  private readonly button = byId('verify', HTMLButtonElement);
  private readonly bar = byId('verify-progress', HTMLProgressElement);
  private readonly outcome = byId('verify-outcome', HTMLElement);
  private readonly field: DropField;
  private files: Partial<Record<Kind, File>> = {};
  private abort = new AbortController();

  /** @param newKey the key that is verified. */
  constructor(
    private readonly newKey: () => VerifiedKey | undefined,
    private readonly announcer: Announcer,
  ) {
    const input = byId('verify-files', HTMLInputElement);
    this.field = new DropField(byId('verify-drop', HTMLElement), input, (files) => void this.take(files));
    this.button.addEventListener('click', () => void this.verify());
    this.reset(false);
  }

  /** Ends a verification and forgets the files. @param isAllowed whether there is something to verify. */
  reset(isAllowed: boolean): void {
    this.abort.abort();
    this.files = {};
    this.field.allow(isAllowed);
    this.say('');
    this.draw();
  }

  private async take(files: readonly File[]): Promise<void> {
    byId('verify-box', HTMLDetailsElement).open = true;
    this.say('');
    for (const file of files) {
      const magic = await file
        .slice(0, 4)
        .text()
        .catch(() => '');
      if (magic in KINDS) this.files[magic as Kind] = file;
      else this.say(`${file.name} is none of these files, or cannot be read.`);
    }
    this.draw();
  }

  private draw(): void {
    const rows = Object.entries(KINDS).flatMap(([kind, name]) => {
      const file = this.files[kind as Kind];
      if (file === undefined) return [];
      const size = element('span', 'help', fileSize(file.size));
      return [element('li', '', element('span', 'help', name), element('span', 'file-name', file.name), size)];
    });
    this.list.replaceChildren(...rows);
    this.list.hidden = rows.length === 0;
    const { zkey, r1cs, ptau } = this.files;
    this.button.disabled = zkey === undefined && (r1cs === undefined || ptau === undefined);
  }

  private async verify(): Promise<void> {
    const given = this.newKey();
    if (given === undefined) return;
    const { zkey: first, r1cs, ptau } = this.files;
    const against = first === undefined ? { r1cs: r1cs!, ptau: ptau! } : { first, ...(ptau && { ptau }) };
    this.abort = new AbortController();
    const { signal } = this.abort;
    this.button.disabled = true;
    this.field.allow(false);
    this.bar.hidden = false;
    this.bar.removeAttribute('value');
    this.say('Verifying');
    try {
      const { isValid, fault, contributions } = await verifyContributions(given.key, {
        ...against,
        signal,
        onProgress: (fraction) => {
          this.bar.value = fraction;
        },
      });
      if (!isValid) this.say(`The key does not hold: ${fault}.`, 'bad');
      else if (contributions.at(-1)?.hash !== given.hash) this.say('Your contribution is not the last one.', 'bad');
      else if (contributions.length === 1) this.say('The key holds, and its only contribution is yours.', 'good');
      else this.say(`The key holds: ${contributions.length} contributions, and yours is the last one.`, 'good');
    } catch (error) {
      if (signal.aborted) return;
      const { headline, wayOut } = failureOf(error instanceof PippinError ? error.code : '', 'verifying');
      this.say(`${headline}. ${wayOut} ${error instanceof Error ? `(${error.message})` : ''}`, 'bad');
    } finally {
      this.bar.hidden = true;
      if (!signal.aborted) {
        this.field.allow(true);
        this.draw();
      }
    }
  }

  private say(text: string, verdict = ''): void {
    this.outcome.textContent = text;
    this.outcome.dataset.verdict = verdict;
    if (text !== '') this.announcer.say(text);
  }
}
