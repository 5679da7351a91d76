import { element } from '../../../groth16-commitment/src/dom.js';
import { contestant } from '../contestants.js';
import { memoryInWords } from '../memory.js';
import type { Result } from '../results.js';

/** What each contestant took of memory, and who measured it. */
export function drawMemory(results: readonly Result[]): HTMLTableElement {
  const rows = results.map(({ contestant: id, memory }) => {
    const name = element('th', '', contestant(id).name);
    name.scope = 'row';
    return element('tr', '', name, element('td', '', memoryInWords(memory)));
  });
  return element('table', 'memory', element('caption', '', 'Memory'), element('tbody', '', ...rows));
}
