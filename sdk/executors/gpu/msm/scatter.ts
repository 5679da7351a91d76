import shader from '../../../../shaders/stages/scatter.wgsl';
import { read, readWrite } from '../runtime/stage.js';
import { digitBytes, digitStages } from './digit-stage.js';

/** Sorts the points by bucket: each goes to its bucket's offset plus its digit's rank. */
export const scatterStages = digitStages({
  name: 'scatter',
  shader,
  bindings: { ranks: read('ranks'), offsets: read('counters'), sorted: readWrite('sorted') },
  bytes: (plan) => ({ sorted: digitBytes(plan) }),
});
