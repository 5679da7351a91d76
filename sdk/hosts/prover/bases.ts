import type { Bases, BasesRequest, BinarySource, LoadOptions, NumberForm } from '../../api/index.js';
import { OptionReader } from '../../base/option-reader.js';
import { groupOf } from './caller-curve.js';
import { type DescribeLocation, describeSource, maxBytesOf } from './caller-source.js';
import { type EngineCalls, withItsBytes } from './engine-calls.js';
import { noteLoaded, releaseLoaded } from './loaded-things.js';
import { basesTuning } from './tuning-options.js';

/** The forms of scalars and coordinates. */
export const NUMBER_FORMS = ['canonical', 'montgomery'] as const satisfies readonly NumberForm[];

/**
 * See `Prover.loadBases`.
 *
 * @param loadMsmCalls loads what computes MSMs. It comes with the first bases, so that the scalars of an MSM are copied
 * before its call returns.
 */
export async function requestBases(
  calls: EngineCalls,
  describeLocation: DescribeLocation,
  loadMsmCalls: () => Promise<unknown>,
  request: BasesRequest,
  options: LoadOptions | undefined,
): Promise<Bases> {
  const asked = new OptionReader(request, 'the bases to load');
  const { curve, group } = groupOf(asked.read('curve'), asked.read('group') ?? 'g1');
  const id = asked.read('id') as string | undefined;
  const tuning = basesTuning(asked);
  const pointsForm = asked.word('pointsForm', NUMBER_FORMS) ?? 'canonical';
  const checkSubgroup = asked.flag('checkSubgroup', true);
  const source = asked.read('points') as BinarySource;
  asked.expectNoOthers();
  const reader = new OptionReader(options, 'the options of loadBases');
  const maxBytes = maxBytesOf(reader);
  const isMoved = reader.flag('transfer', false);
  const call = calls.begin('loadBases', reader);
  const points = describeSource(source, 'points', describeLocation, isMoved);
  const asPlain = withItsBytes({ curve, group, points, maxBytes, pointsForm, checkSubgroup, tuning }, points);
  const { handle, count, report } = await calls.load(call, async (engine, number) => {
    const sums = loadMsmCalls();
    sums.catch(() => undefined);
    const loaded = await engine.loadBases(number, asPlain);
    try {
      await sums;
    } catch (error) {
      await engine.release(loaded.handle);
      throw error;
    }
    return loaded;
  });
  const bases: Bases = { curve, group, id, count, report, dispose: () => releaseLoaded(bases) };
  noteLoaded(bases, { calls, kind: 'bases', handle, sums: { curve, group, count } });
  return bases;
}
