/** How runs of one level are written: `run` finds one, `number` what counts in it. */
interface Marks {
  readonly run: RegExp;
  readonly number: RegExp;
}

/** Runs may lie in runs of the other kind, which are expanded first. */
const OUTER: Marks = { run: /@(\d+)\|(.*?)@/gs, number: /'(?:(\d+)(?:,(-?\d+))?|\(([\d,]*))\?/g };
const INNER: Marks = { run: /\$(\d+)\|(.*?)\$/gs, number: /#(?:(\d+)(?:,(-?\d+))?|\(([\d,]*))\?/g };

/**
 * The text of a shader that the build has shortened (`foldRepeats` in scripts/lib); any other WGSL stays as it is. The unrolled products of a
 * field are lines that differ in numbers alone. `$3|text$` is the text three times. In it `#5?` is a number that goes up from 5 by 1 each time,
 * `#5,-2?` one that goes down by 2, and `#(9,4,7?` takes these values in turn. `@` and `'` mean the same for runs that hold others.
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
