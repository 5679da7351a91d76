/** What a visitor reads for each phase of a call. */
const PHASES = {
  read: 'Downloading the key',
  'cache-read': 'Reading the key',
  prepare: 'Preparing the key',
  witness: 'Computing the witness',
  verify: 'Checking the proof',
};

/**
 * `<pippin-progress>`: a progress bar with its phase and percentage. Give its `listener` as `onProgress` of any call;
 * `pippin-progress.css` draws it. Without the attribute `value` it is not shown.
 */
class PippinProgress extends HTMLElement {
  connectedCallback() {
    this.innerHTML =
      '<span class="phase"></span><span class="percent" aria-hidden="true"></span><progress max="1"></progress>';
    this.bar.setAttribute('aria-label', 'Progress of the proof');
  }

  get bar() {
    return this.querySelector('progress');
  }

  /** Shows the events of a call. */
  listener = (event) => {
    if (event.kind === 'progress') this.show(event.done / event.total, event.phase);
  };

  /** @param {number} part from 0 to 1 @param {string} phase */
  show(part, phase) {
    this.setAttribute('value', part);
    this.bar.value = part;
    this.querySelector('.phase').textContent = PHASES[phase] ?? 'Proving';
    this.querySelector('.percent').textContent = `${Math.round(100 * part)} %`;
  }

  hide() {
    this.removeAttribute('value');
  }
}

customElements.define('pippin-progress', PippinProgress);
