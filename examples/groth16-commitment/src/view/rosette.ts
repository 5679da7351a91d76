import { svg } from '../dom.js';

const CENTRE = 50;
const STEPS = 180;

/** Lines woven into one ring. */
const LINES = 6;

/** Radius of each ring's middle, and how far its waves reach from there. */
const RINGS = [
  { radius: 37, reach: 10 },
  { radius: 20, reach: 9 },
] as const;

/**
 * A rosette as on a banknote, drawn from a number: rings of woven waves. The number's bytes choose the petals. Equal numbers give equal
 * rosettes, so that a note or a commitment can be recognised at a glance.
 */
export function rosette(decimal: string): SVGSVGElement {
  const hex = BigInt(decimal).toString(16).padStart(64, '0');
  const byte = (index: number): number => Number.parseInt(hex.slice(2 * index, 2 * index + 2), 16);
  const rings = RINGS.map(({ radius, reach }, ring) => {
    const petals = 5 + (byte(8 * ring + 5) % 9);
    const overtone = 2 + (byte(8 * ring + 6) % 3);
    const share = 0.15 + (byte(8 * ring + 7) / 255) * 0.35;
    const turn = (byte(8 * ring + 8) / 256) * 2 * Math.PI;
    const line = (index: number): string => {
      const shift = turn + (index / LINES) * 2 * Math.PI;
      return closedCurve((angle) => {
        const wave =
          (1 - share) * Math.sin(petals * angle + shift) + share * Math.sin(overtone * petals * angle - shift);
        return radius + reach * wave;
      });
    };
    return svg('path', { d: Array.from({ length: LINES }, (_, index) => line(index)).join('') });
  });
  return svg('svg', { class: 'rosette', viewBox: '0 0 100 100', 'aria-hidden': 'true' }, ...rings);
}

/** A path around the centre with the given radius at each angle. */
function closedCurve(radiusAt: (angle: number) => number): string {
  let path = '';
  for (let step = 0; step < STEPS; step++) {
    const angle = (step / STEPS) * 2 * Math.PI;
    const r = radiusAt(angle);
    const x = CENTRE + r * Math.cos(angle);
    const y = CENTRE + r * Math.sin(angle);
    path += `${step === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`;
  }
  return `${path}Z`;
}
