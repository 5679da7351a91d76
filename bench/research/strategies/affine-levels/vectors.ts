import { CURVES, type CurveId } from '../../../../sdk/curves/index.js';
import { packedWords } from '../../../../sdk/curves/limbs.js';

/** 16-byte vectors of a packed coordinate. */
export function vectorsOf(curve: CurveId): number {
  return packedWords(CURVES[curve].fq.bits) / 4;
}

/**
 * WGSL that loads a coordinate from consecutive vectors of a buffer, `load_<name>(at)`; with `stores` it also stores,
 * `store_<name>(at, a)`. Values must fit their words.
 */
export function consecutive(curve: CurveId, name: string, buffer: string, stores = false): string {
  const places = placesOf(curve, (v) => `at + ${v}u`);
  return [loadOf(name, 'at: u32', buffer, places), stores ? storeOf(name, 'at: u32', buffer, places) : ''].join('\n');
}

/**
 * The same with the first vectors of all values side by side, then all second ones, and so on, for up to `stride`
 * values, so that neighbouring threads read and write neighbouring vectors: `load_<name>(i, stride)`,
 * `store_<name>(i, stride, a)`.
 */
export function interleaved(curve: CurveId, name: string, buffer: string, stores: boolean): string {
  const places = placesOf(curve, (v) => `i + ${v}u * stride`);
  const at = 'i: u32, stride: u32';
  return [loadOf(name, at, buffer, places), stores ? storeOf(name, at, buffer, places) : ''].join('\n');
}

function placesOf(curve: CurveId, place: (v: number) => string): string[] {
  return Array.from({ length: vectorsOf(curve) }, (_, v) => place(v));
}

function loadOf(name: string, at: string, buffer: string, places: readonly string[]): string {
  const words = places.flatMap((_, v) => ['x', 'y', 'z', 'w'].map((part) => `v${v}.${part}`));
  return `fn load_${name}(${at}) -> Field {
${places.map((place, v) => `  let v${v} = ${buffer}[${place}];`).join('\n')}
  return field_unpack(array<u32, ${words.length}>(${words.join(', ')}));
}
`;
}

function storeOf(name: string, at: string, buffer: string, places: readonly string[]): string {
  const lines = places.map((place, v) => {
    const words = [0, 1, 2, 3].map((w) => `w[${4 * v + w}]`);
    return `  ${buffer}[${place}] = vec4u(${words.join(', ')});`;
  });
  return `fn store_${name}(${at}, a: Field) {
  let w = field_pack(a);
${lines.join('\n')}
}
`;
}
