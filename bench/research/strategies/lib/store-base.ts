import { pointForm, preparedCoordinates } from '../../../../sdk/bases/prepared.js';
import type { CurveId } from '../../../../sdk/curves/index.js';
import { CURVES } from '../../../../sdk/curves/index.js';
import { packedWords } from '../../../../sdk/curves/limbs.js';

/**
 * WGSL that packs a point in the form of bases into the buffer of a binding: `store_<name>(i, b)`. Its coordinates must
 * be below 8 p, and are brought below p.
 */
export function storeBase(curve: CurveId, name: string, buffer: string): string {
  const words = packedWords(CURVES[curve].fq.bits);
  const form = pointForm(curve, 'g1');
  const coordinates = form === 'edwards' ? ['minus', 'plus', 't'] : ['x', 'y'];
  const size = preparedCoordinates(form, 'g1') * words;
  const lines = coordinates.flatMap((coordinate, i) => [
    `  let w${i} = field_pack(field_canonical(b.${coordinate}));`,
    ...Array.from({ length: words }, (_, w) => `  ${buffer}[at + ${i * words + w}u] = w${i}[${w}];`),
  ]);
  return `fn store_${name}(index: u32, b: Base) {
  let at = index * ${size}u;
${lines.join('\n')}
}
`;
}
