import { element } from '../../../groth16-commitment/src/dom.js';
import { rosette } from '../../../groth16-commitment/src/view/rosette.js';
import { wordsOf } from '../fingerprint.js';

/** Hexadecimal digits that the rosette is drawn from, and where the digits of its colour are. */
const DRAWN_DIGITS = 64;
const HUE_AT = 64;

/** The picture of a contribution: a rosette whose waves and colour its hash determines. */
export function pictureOf(hash: string): SVGSVGElement {
  const drawn = rosette(BigInt(`0x${hash.slice(0, DRAWN_DIGITS)}`).toString());
  const hue = (Number.parseInt(hash.slice(HUE_AT, HUE_AT + 4), 16) / 0x10000) * 360;
  drawn.style.setProperty('--hue', hue.toFixed(0));
  return drawn;
}

/** The words of a hash, each of which stays on one line. */
export function wordsView(hash: string): readonly Node[] {
  return wordsOf(hash).flatMap((word) => [element('span', '', word), document.createTextNode(' ')]);
}
