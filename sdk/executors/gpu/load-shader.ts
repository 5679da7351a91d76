import { loadPart } from '../../base/load-part.js';

/** Loads a script whose default export is WGSL. */
export type ShaderLoader = () => Promise<{ readonly default: string }>;

/**
 * The WGSL from a loader; `what` names it in the error.
 *
 * @throws PippinError WEBGPU_UNAVAILABLE if the script that holds it cannot be loaded.
 */
export async function loadShader(what: string, load: ShaderLoader): Promise<string> {
  const shader = await loadPart(`${what} on the GPU`, load, 'WEBGPU_UNAVAILABLE');
  return expandRepeats(shader.default);
}

/** The syntax of runs at one nesting level: `run` matches a run, `number` the numbers that change within it. */
interface Marks {
  readonly run: RegExp;
  readonly number: RegExp;
}

/** Inner runs may be nested in outer runs, which are expanded first. */
const OUTER: Marks = { run: /@(\d+)\|(.*?)@/gs, number: /'(?:(\d+)(?:,(-?\d+))?|\(([\d,]*))\?/g };
const INNER: Marks = { run: /\$(\d+)\|(.*?)\$/gs, number: /#(?:(\d+)(?:,(-?\d+))?|\(([\d,]*))\?/g };

/**
 * Expands WGSL that the build has compressed (`foldRepeats` in scripts/lib); any other WGSL stays unchanged. A field's
 * unrolled products are lines that differ only in numbers. `$3|text$` is the text three times. In it `#5?` is a number
 * that increases from 5 by 1 each time, `#5,-2?` one that decreases by 2, and `#(9,4,7?` takes these values in turn.
 * `@` and `'` mean the same for runs that contain others.
 */
export function expandRepeats(text: string): string {
  return expand(expand(text, OUTER), INNER);
}

function expand(text: string, { run, number }: Marks): string {
  return text.replaceAll(run, (_, count: string, body: string) => {
    const turns = Array.from({ length: Number(count) }, (_, turn) =>
      body.replaceAll(number, (_, start: string, step = '1', values?: string) =>
        values === undefined ? String(Number(start) + turn * Number(step)) : values.split(',')[turn]!,
      ),
    );
    return turns.join('');
  });
}
