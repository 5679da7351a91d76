/**
 * @typedef {{ run: string, number: string, longest: number }} Level the marks of runs and of what counts in them, and
 * the most tokens of a turn
 */

/** Short runs first, then runs of what these have made of the text. @type {readonly Level[]} */
const LEVELS = [
  { run: '$', number: '#', longest: 60 },
  { run: '@', number: "'", longest: 400 },
];

/**
 * What stands for a mark does not compress as well as text that has come before: a run must save more than so many
 * characters.
 */
const RUN_PRICE = 3;

/**
 * Shortens text in which neighbouring parts differ in numbers alone, as in the unrolled code of a field.
 * `expandRepeats` (sdk/executors/gpu), which says how runs are written, gives back what it was.
 *
 * @param {string} text
 */
export function foldRepeats(text) {
  if (/[$#@'?]/.test(text)) throw new Error("expected text without the marks of runs ($, #, @, ' and ?), got some");
  return LEVELS.reduce(fold, text);
}

/**
 * Finds the shortest way to write a text with runs of one level, from its end to its beginning. @param {string} text
 * @param {Level} level
 */
function fold(text, level) {
  const tokens = text.match(/[A-Za-z_]+|\d+|[^\w]/g) ?? [];
  const isNumber = tokens.map((token) => /^(0|[1-9]\d*)$/.test(token));
  const least = [0];
  for (const [i, token] of tokens.entries()) least.push(leastTo(i) + (isNumber[i] ? 1 : token.length));
  /**
   * For each place the characters from there on, what stands there, and where it goes on. @type {{ length: number,
   * text: string, next: number }[]}
   */
  const ways = [];
  ways[tokens.length] = { length: 0, text: '', next: tokens.length };
  /** For each period, how many tokens from the present place on are like those one period further. */
  const alike = new Int32Array(level.longest + 1);
  for (let at = tokens.length - 1; at >= 0; at--) {
    const token = /** @type {string} */ (tokens[at]);
    let best = { length: token.length + lengthFrom(at + 1), text: token, next: at + 1 };
    for (let period = 1; period <= Math.min(level.longest, tokens.length - 1 - at); period++) {
      const isAlike = token === tokens[at + period] || (isNumber[at] && isNumber[at + period]);
      alike[period] = isAlike ? /** @type {number} */ (alike[period]) + 1 : 0;
      const most = Math.floor(/** @type {number} */ (alike[period]) / period) + 1;
      // One turn less may leave the last one to a better run.
      for (let turns = most; turns >= Math.max(2, most - 1); turns--) {
        const next = at + turns * period;
        if (leastTo(at + period) - leastTo(at) + RUN_PRICE + lengthFrom(next) >= best.length) continue;
        const written = writeRun(at, period, turns);
        const length = written.length + RUN_PRICE + lengthFrom(next);
        if (length < best.length) best = { length, text: written, next };
      }
    }
    ways[at] = best;
  }
  let folded = '';
  for (let at = 0; at < tokens.length; ) {
    const way = /** @type {{ text: string, next: number }} */ (ways[at]);
    folded += way.text;
    at = way.next;
  }
  return folded;

  /** The least characters that the tokens up to a place take when they are written once. @param {number} at */
  function leastTo(at) {
    return /** @type {number} */ (least[at]);
  }

  /** @param {number} at */
  function lengthFrom(at) {
    return /** @type {{ length: number }} */ (ways[at]).length;
  }

  /** @param {number} at @param {number} period @param {number} turns */
  function writeRun(at, period, turns) {
    let body = '';
    for (let i = at; i < at + period; i++) {
      if (!isNumber[i]) {
        body += tokens[i];
        continue;
      }
      const values = [];
      for (let turn = 0; turn < turns; turn++) values.push(/** @type {string} */ (tokens[i + turn * period]));
      body += writeNumbers(values, level.number);
    }
    return `${level.run}${turns}|${body}${level.run}`;
  }
}

/** The numbers that stand at one place of each turn. @param {readonly string[]} values @param {string} mark */
function writeNumbers(values, mark) {
  const [first, second] = values.map(Number);
  if (first === undefined || second === undefined || values.every((value) => value === values[0])) return values[0];
  const step = second - first;
  const isEven = values.every((value, turn) => value === String(first + turn * step));
  if (!isEven) return `${mark}(${values.join()}?`;
  return step === 1 ? `${mark}${first}?` : `${mark}${first},${step}?`;
}
