import wasmUrl from 'pippin-prover/bn254.wasm?url';
import { Multiples } from '../../../../bench/cpu/setup/multiples.js';
import type { MultiplesTask } from './messages.js';

/** Multiplies generators, for test keys. It answers one task before it takes the next. */
const multiples = fetch(wasmUrl)
  .then((response) => response.arrayBuffer())
  .then((wasm) => Multiples.create(wasm));

addEventListener('message', async ({ data }: MessageEvent<MultiplesTask>) => {
  const points = (await multiples).of(data.group, data.scalars);
  postMessage(points, { transfer: [points.buffer] });
});
