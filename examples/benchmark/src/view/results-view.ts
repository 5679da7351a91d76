import { byId, element } from '../../../groth16-commitment/src/dom.js';
import { Timeline } from '../../../groth16-commitment/src/view/timeline.js';
import { contestant } from '../contestants.js';
import { productsInWords } from '../products.js';
import { proofSystem } from '../protocols.js';
import { laterMs, protocolOf, type Result } from '../results.js';
import { sizeName } from '../sizes.js';
import { verdict } from '../verdict.js';
import { drawPublished, PUBLISHED_LOGS } from './published.js';
import { drawSizes, type Findings, fastestOf, type Shown } from './size-cards.js';

/** The size that the page sums up by: that of a typical wallet's circuit. */
const TYPICAL = 14;

/** Everything that shows results: the summary in words, the bars, the timeline of a proof, and other devices. */
export class ResultsView {
  private readonly section = byId('results', HTMLElement);
  private readonly timeline = new Timeline(byId('timeline', HTMLElement), byId('phases', HTMLTableSectionElement));
  private readonly timelineCard = byId('timeline-card', HTMLElement);
  private readonly picker = byId('timeline-of', HTMLSelectElement);
  private findings: Findings = { results: [], skipped: [] };
  /** What the visitor has chosen to see, which new results leave alone. */
  private picked: string | undefined;
  private sizePicked = false;
  private whose = 'This device';

  constructor() {
    this.picker.addEventListener('change', () => {
      this.picked = this.picker.value;
      this.drawTimeline();
    });
    byId('shown', HTMLFieldSetElement).addEventListener('change', () => this.drawSizes());
    byId('published-size', HTMLFieldSetElement).addEventListener('change', () => {
      this.sizePicked = true;
      this.drawPublished();
    });
    this.drawPublished();
  }

  /** @param whose the device that the results are from. */
  show(findings: Findings, whose = 'This device'): void {
    this.findings = findings;
    this.whose = whose;
    const { results, skipped } = findings;
    this.section.hidden = results.length === 0 && skipped.length === 0;
    this.drawSizes();
    this.drawSummary();
    this.fillPicker();
    this.drawTimeline();
    const published = PUBLISHED_LOGS.filter((log) => this.comparable.some((result) => result.log === log)).at(-1);
    if (published !== undefined && !this.sizePicked) byId(`published-${published}`, HTMLInputElement).checked = true;
    this.drawPublished();
  }

  private drawSummary(): void {
    const { results, circuit, products } = this.findings;
    byId('products', HTMLElement).textContent = productsInWords(products);
    const { name, unit } = proofSystem(protocolOf(this.findings));
    byId('summary-card', HTMLElement).hidden = results.length === 0;
    const logs = results.map(({ log }) => log);
    const log = logs.includes(TYPICAL) ? TYPICAL : Math.max(...logs);
    const fastest = fastestOf(
      results.filter((result) => result.log === log),
      'later',
    );
    byId('summary', HTMLElement).textContent = fastest === undefined ? '' : verdict(laterMs(fastest));
    byId('summary-of', HTMLElement).textContent =
      fastest === undefined
        ? ''
        : `${circuit?.name ?? `A circuit of ${sizeName(log)} ${unit}`}, ${name} ${contestant(fastest.contestant).adverb}, once its key is loaded.`;
  }

  private drawSizes(): void {
    const shown: Shown = byId('shown-visit', HTMLInputElement).checked ? 'visit' : 'later';
    byId('sizes', HTMLElement).replaceChildren(...drawSizes(this.findings, shown));
  }

  /** What other devices have proved, too: not the visitor's own circuit. */
  private get comparable(): readonly Result[] {
    return this.findings.circuit === undefined ? this.findings.results : [];
  }

  private get drawable(): Result[] {
    return this.findings.results.filter(({ timeline }) => timeline.length > 0);
  }

  private fillPicker(): void {
    const options = this.drawable.map(({ log, contestant: id }) => {
      const option = element('option', '', `${sizeName(log)}, ${contestant(id).name}`);
      option.value = `${log} ${id}`;
      return option;
    });
    this.picker.replaceChildren(...options);
    const picked = options.findIndex(({ value }) => value === this.picked);
    this.picker.selectedIndex = picked >= 0 ? picked : options.length - 1;
    this.timelineCard.hidden = options.length === 0;
  }

  private drawTimeline(): void {
    this.timeline.clear();
    const chosen = this.drawable.find(({ log, contestant: id }) => `${log} ${id}` === this.picker.value);
    for (const span of chosen?.timeline ?? []) this.timeline.add(span);
  }

  private drawPublished(): void {
    const log = PUBLISHED_LOGS.find((size) => byId(`published-${size}`, HTMLInputElement).checked) ?? TYPICAL;
    byId('published', HTMLElement).replaceChildren(
      ...drawPublished(this.comparable, protocolOf(this.findings), log, this.whose),
    );
  }
}
