import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import binaryen from 'assemblyscript/binaryen';
import { root } from './run.mjs';

/**
 * A module of AssemblyScript, which has no wide arithmetic, with the functions that it imports from `wide` put in place
 * of the imports. They stay as they are written: optimised with the module they are slower
 * (docs/strategies/field-products-wasm.md).
 *
 * @param {string} text the module in WebAssembly's text format
 * @param {string} file the functions in that format, a file of wasm/generated
 */
export function withWideFunctions(text, file) {
  const functions = readFileSync(join(root, 'wasm', 'generated', file), 'utf8');
  const linked = [...functions.matchAll(/^\(func \$(\w+) [\s\S]*?^\)$/gm)].reduce(replaceImport, text);
  const module = binaryen.parseText(linked);
  try {
    module.setFeatures(FEATURES);
    if (module.validate() !== 1) throw new Error(`expected a valid module with the functions of ${file}`);
    return module.emitBinary();
  } finally {
    module.dispose();
  }
}

/** Those that AssemblyScript uses by default, and what the functions need. */
const FEATURES =
  binaryen.Features.MutableGlobals |
  binaryen.Features.SignExt |
  binaryen.Features.NontrappingFPToInt |
  binaryen.Features.BulkMemory |
  binaryen.Features.BulkMemoryOpt |
  binaryen.Features.Multivalue |
  binaryen.Features.WideArithmetic;

/**
 * Puts a function where the text imports it, under the name that its calls use.
 *
 * @param {string} text
 * @param {RegExpMatchArray} match the function and its name
 */
function replaceImport(text, [body, name]) {
  const imported = new RegExp(`^ \\(import "wide" "${name}" \\(func (\\S+) .*\\n`, 'm').exec(text);
  if (imported === null) return text;
  const [line, called] = imported;
  // Functions follow imports.
  return `${text.replace(line, '').trimEnd().slice(0, -1)}${body.replace(`$${name}`, () => called)}\n)\n`;
}
