import { byId, element } from '../../../groth16-commitment/src/dom.js';
import type { Announcer } from '../../../groth16-commitment/src/view/announcer.js';
import type { Run } from '../results.js';
import { fragmentOf } from '../share.js';
import { copied, sayOnClick } from './saying-button.js';

/** The buttons by which a run leaves the page: as a link, as a file, and to the clipboard. */
export class ExportButtons {
  /** @param run the run that is shown, with results. */
  constructor(
    private readonly run: () => Run | undefined,
    announcer: Announcer,
  ) {
    byId('save', HTMLButtonElement).addEventListener('click', () => this.save());
    sayOnClick(byId('copy', HTMLButtonElement), announcer, () => copied(this.json));
    sayOnClick(byId('share', HTMLButtonElement), announcer, () => this.share());
  }

  /** The run, for people and programs. */
  get json(): string {
    return JSON.stringify(this.run(), undefined, 1);
  }

  private save(): void {
    const url = URL.createObjectURL(new Blob([this.json], { type: 'application/json' }));
    const link = element('a', '');
    Object.assign(link, { href: url, download: `pippin-benchmark-${this.run()?.date.slice(0, 10)}.json` });
    link.click();
    URL.revokeObjectURL(url);
  }

  /**
   * Opens what a phone shares by, or copies the link. It becomes the page's own address, from where it can be copied by
   * hand.
   */
  private async share(): Promise<string> {
    const run = this.run();
    if (run === undefined) return 'Nothing to share yet';
    const url = new URL(location.href);
    url.hash = fragmentOf(run);
    history.replaceState(undefined, '', url);
    const shared = { title: document.title, url: url.href };
    // Desktop browsers have a menu for it, too, which is less than the clipboard.
    if (!matchMedia('(pointer: coarse)').matches || navigator.canShare?.(shared) !== true) return copied(url.href);
    return navigator.share(shared).then(
      () => 'Shared',
      (error: DOMException) => (error.name === 'AbortError' ? 'Not shared' : copied(url.href)),
    );
  }
}
