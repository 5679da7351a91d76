import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/run.mjs';

/** The forms of Markdown that the reference is made of, and what is read from docstrings and pages in it. */

/** Whether a docstring says that the call throws nothing. @param {string} text */
export function throwsNothing(text) {
  return /never\s+rejects|never\s+throws|throws\s+nothing/i.test(text);
}

/** The first sentence of a text. @param {string} text */
export function firstSentence(text) {
  const [paragraph = ''] = text.split('\n\n');
  return (/^[\s\S]*?[.](?=\s|$)/.exec(paragraph)?.[0] ?? paragraph).replace(/\s+/g, ' ');
}

/** The heading of a page of docs/. @param {string} path */
export function headingOf(path) {
  return /^# (.+)$/m.exec(readFileSync(join(root, 'docs', path), 'utf8'))?.[1] ?? path;
}

/** @param {string} language @param {string} code */
export function fence(language, code) {
  return `\`\`\`${language}\n${code}\n\`\`\``;
}

/** @param {readonly string[]} heads @param {readonly (readonly string[])[]} rows */
export function table(heads, rows) {
  const line = (/** @type {readonly string[]} */ cells) =>
    `| ${cells.map((cell) => cell.replace(/\s+/g, ' ').replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

/** @param {readonly string[]} parts */
export function sections(parts) {
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}
