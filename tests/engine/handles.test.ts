import { describe, expect, it, vi } from 'vitest';
import { Handles } from '../../sdk/engine/handles.js';

type Releasable = { release(): void };

function make(): { handles: Handles<{ bases: Releasable; key: Releasable }>; release: () => void } {
  const handles = new Handles<{ bases: Releasable; key: Releasable }>({ bases: 'bases', key: 'a proving key' });
  return { handles, release: vi.fn() };
}

describe('Handles', () => {
  it('gives back what it holds, under numbers that all kinds share', () => {
    const { handles, release } = make();
    const [bases, key] = [{ release }, { release }];
    const numbers = [handles.add('bases', bases), handles.add('key', key)];
    expect(new Set(numbers).size).toBe(2);
    expect(handles.get('bases', numbers[0]!)).toBe(bases);
    expect(handles.get('key', numbers[1]!)).toBe(key);
    expect(() => handles.get('key', numbers[0]!)).toThrow(
      'expected the handle of a proving key, got the handle of bases',
    );
  });

  it('tells what was disposed from what was never given', () => {
    const { handles, release } = make();
    const number = handles.add('bases', { release });
    handles.release(number);
    handles.release(number);
    expect(release).toHaveBeenCalledTimes(1);
    const codeOf = (handle: number): unknown => {
      try {
        return handles.get('bases', handle);
      } catch (error) {
        return (error as { code?: unknown }).code;
      }
    };
    expect(codeOf(number)).toBe('DISPOSED');
    for (const wrong of [0, -1, 1.5, number + 1, Number.NaN]) expect(codeOf(wrong)).toBe('INVALID_HANDLE');
    expect(handles.add('key', { release })).not.toBe(number);
  });
});
