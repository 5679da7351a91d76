/**
 * A field in which a visitor chooses files; they may be dropped anywhere on the page, too. The label is as large a
 * target as a thumb likes; its input is hidden and has the focus.
 */
export class DropField {
  private isAllowed = true;

  constructor(
    private readonly label: HTMLElement,
    private readonly input: HTMLInputElement,
    private readonly onFiles: (files: readonly File[]) => void,
  ) {
    input.addEventListener('change', () => {
      this.take(input.files ?? []);
      // So that the same file can be chosen again, after it was changed.
      input.value = '';
    });
    const over = (event: DragEvent, isOver: boolean): void => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      // Else the browser would leave the page to show the file.
      event.preventDefault();
      label.toggleAttribute('data-over', isOver && this.isAllowed);
    };
    const page = document.documentElement;
    page.addEventListener('dragover', (event) => over(event, true));
    page.addEventListener('dragleave', (event) => over(event, false));
    page.addEventListener('drop', (event) => {
      over(event, false);
      this.take(event.dataTransfer?.files ?? []);
    });
  }

  /** Whether files are taken: not while the page works. */
  allow(isAllowed: boolean): void {
    this.isAllowed = isAllowed;
    this.input.disabled = !isAllowed;
  }

  /** Opens the browser's dialog, as a click on the field does. */
  choose(): void {
    this.label.scrollIntoView({ block: 'nearest' });
    this.input.click();
  }

  private take(files: Iterable<File>): void {
    const all = [...files];
    if (this.isAllowed && all.length > 0) this.onFiles(all);
  }
}
