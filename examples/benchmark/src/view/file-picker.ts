import { byId, element } from '../../../groth16-commitment/src/dom.js';
import { FileFault, fileSize, missingFiles, type OwnFiles, withFile } from '../own/own-files.js';
import { DropField } from './drop-field.js';

/** What each kind of file is called beside its name, in the order in which they are listed. */
const KINDS = { zkey: 'Proving key', wasm: 'Circuit', inputs: 'Inputs', witness: 'Witness' } as const;

/**
 * Takes a visitor's files, which are chosen or dropped anywhere on the page, together or one by one, and lists them.
 */
export class FilePicker {
  private readonly list = byId('own-files', HTMLUListElement);
  private readonly missing = byId('own-missing', HTMLElement);
  private readonly fault = byId('own-fault', HTMLElement);
  private readonly field: DropField;
  private taken: OwnFiles = {};

  /** @param onFiles when files have come, whether they could be taken or not. */
  constructor(private readonly onFiles: () => void) {
    const input = byId('files', HTMLInputElement);
    this.field = new DropField(byId('drop', HTMLElement), input, (files) => void this.take(files));
    this.draw();
  }

  get files(): OwnFiles {
    return this.taken;
  }

  /** Whether files are taken: not while something is measured. */
  allow(isAllowed: boolean): void {
    this.field.allow(isAllowed);
  }

  private async take(files: readonly File[]): Promise<void> {
    const faults = [];
    for (const file of files) {
      try {
        this.taken = await withFile(this.taken, file);
      } catch (error) {
        // A file that was deleted or changed since it was chosen cannot be read.
        faults.push(error instanceof FileFault ? error.message : `${file.name} cannot be read. Choose it again.`);
      }
    }
    this.fault.textContent = faults.join(' ');
    this.draw();
    this.onFiles();
  }

  private draw(): void {
    const { zkey, wasm, witness, inputs } = this.taken;
    const files = { zkey, wasm, inputs: inputs?.file, witness };
    const rows = Object.entries(KINDS).flatMap(([kind, name]) => {
      const file = files[kind as keyof typeof KINDS];
      if (file === undefined) return [];
      const size = element('span', 'help', fileSize(file.size));
      return [element('li', '', element('span', 'help', name), element('span', 'file-name', file.name), size)];
    });
    this.list.replaceChildren(...rows);
    this.list.hidden = rows.length === 0;
    this.missing.textContent = rows.length === 0 ? '' : (missingFiles(this.taken) ?? 'Ready to measure.');
  }
}
