import type { Capabilities } from 'pippin-prover';
import { element } from '../dom.js';
import { address, duration, shortHex } from '../format.js';
import { EXECUTORS } from '../phases.js';
import type { SpendResult } from '../session.js';

/** Shows what a finished proof makes public, who computed it, and how long that took. */
export function drawResult(
  signals: HTMLDListElement,
  numbers: HTMLDListElement,
  result: SpendResult,
  capabilities: Capabilities,
): void {
  const [nullifier = '0', root = '0', recipient = '0'] = result.publicSignals;
  signals.replaceChildren(
    ...row('Nullifier', shortHex(nullifier), 'mono'),
    ...row('Tree root', shortHex(root), 'mono'),
    ...row('Recipient', address(recipient), 'mono'),
  );
  const parts = Object.entries(result.report.parts)
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([part, executor]) =>
      element('span', `chip chip-${executor}`, `${part} `, element('small', '', EXECUTORS[executor])),
    );
  numbers.replaceChildren(
    ...row('Proof', duration(result.ms)),
    ...row('Verified again in', duration(result.verifyMs)),
    ...row('GPU', gpuName(capabilities)),
    ...row('Workers', String(capabilities.threads)),
    element('dt', '', 'Parts'),
    element('dd', 'chips', ...parts),
  );
}

function gpuName({ webgpu }: Capabilities): string {
  if (!webgpu.available) return 'not used';
  const name = [webgpu.vendor, webgpu.architecture].filter((text) => text !== '').join(' ');
  return `${name === '' ? 'unnamed' : name}${webgpu.software ? ' (software)' : ''}`;
}

function row(name: string, value: string, className = ''): Node[] {
  return [element('dt', '', name), element('dd', className, value)];
}
