import { byId, element } from '../dom.js';
import { type Failure, REMEDIES, type Remedy } from '../failures.js';

/** What the prover itself said, for the developers of a page. */
export interface FailureDetails {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

/** The way out of a failure: a button, and behind a disclosure what developers want to know. */
export class FailureBox {
  private readonly box = byId('failure', HTMLElement);
  private readonly button = byId('remedy', HTMLButtonElement);
  private readonly details = byId('failure-details', HTMLDetailsElement);
  private readonly list = byId('failure-list', HTMLDListElement);
  private remedy: Remedy = 'again';

  constructor(onRemedy: (remedy: Remedy) => void) {
    this.button.addEventListener('click', () => onRemedy(this.remedy));
  }

  hide(): void {
    this.box.hidden = true;
  }

  show({ remedy }: Failure, details: FailureDetails | undefined): void {
    this.remedy = remedy;
    this.button.textContent = REMEDIES[remedy];
    this.details.hidden = details === undefined;
    this.details.open = false;
    if (details !== undefined) {
      const { code, message, hint } = details;
      const rows = [['Code', code], ['Message', message], ...(hint === undefined ? [] : [['Hint', hint]])] as const;
      this.list.replaceChildren(
        ...rows.flatMap(([name, text]) => [
          element('dt', '', name!),
          element('dd', name === 'Code' ? 'mono' : '', text!),
        ]),
      );
    }
    this.box.hidden = false;
  }
}
