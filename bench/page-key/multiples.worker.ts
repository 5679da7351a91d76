import type { GroupId } from '../../sdk/curves/index.js';
import { Multiples } from '../cpu/setup/multiples.js';

/** A task: the multiples of a group's generator. The answer is a Uint8Array of points. */
export interface MultiplesTask {
  readonly group: GroupId;
  readonly scalars: readonly bigint[];
  /** The address of BN254's module; that of the first task counts. */
  readonly wasm: string;
}

let multiples: Promise<Multiples> | undefined;

/** It answers one task before it is given the next. */
addEventListener('message', async ({ data: { group, scalars, wasm } }: MessageEvent<MultiplesTask>) => {
  multiples ??= load(wasm);
  const points = (await multiples).of(group, scalars);
  postMessage(points, { transfer: [points.buffer] });
});

async function load(wasm: string): Promise<Multiples> {
  return Multiples.create(await (await fetch(wasm)).arrayBuffer());
}
