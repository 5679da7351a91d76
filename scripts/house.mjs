import { measureHouse } from './house/measures.mjs';
import { root, runMain, SetupError } from './lib/run.mjs';

/**
 * `npm run house [-- PATTERN]`: prints how easy the house is to walk through, in numbers, each with its goal. With a
 * pattern it lists what the measures whose names match it have counted.
 */
await runMain(async () => {
  const [pattern] = process.argv.slice(2);
  const measures = measureHouse(root);
  if (pattern !== undefined) {
    const chosen = measures.filter(({ measure }) => measure.includes(pattern));
    if (chosen.length === 0) throw new SetupError(`expected a part of the name of a measure, got ${pattern}`);
    for (const { measure, found } of chosen) {
      console.log(`${measure}: ${count(found)}`);
      if (typeof found !== 'number') for (const item of found) console.log(`  ${item}`);
    }
    return;
  }
  console.log('| measure | value | goal |\n| --- | ---: | ---: |');
  for (const { measure, found, goal } of measures) console.log(`| ${measure} | ${count(found)} | <= ${goal} |`);
});

/** @param {readonly string[] | number} found */
function count(found) {
  return typeof found === 'number' ? found : found.length;
}
