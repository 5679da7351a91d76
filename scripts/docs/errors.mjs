import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from '../lib/run.mjs';

/**
 * The page of all error codes, from sdk/base/errors.ts and the places that give hints.
 *
 * @param {readonly import('./reference-pages.mjs').Page[]} pages of functions, which the codes link to
 */
export function errorPage(pages) {
  const codes = errorCodes();
  const usual = usualHints();
  const special = hintsInSources();
  const sections = codes.map(({ code, meaning }) => {
    const hints = new Set([...(usual.has(code) ? [usual.get(code)] : []), ...(special.get(code) ?? [])]);
    return [
      `## ${code}`,
      pageText(meaning),
      thrownBy(code, pages),
      ...(hints.size > 0 ? [`Hints:\n\n${[...hints].map((hint) => `- ${pageText(hint)}`).join('\n')}`] : []),
    ]
      .filter((part) => part !== '')
      .join('\n\n');
  });
  const rows = codes.map(({ code, meaning }) => `| [\`${code}\`](#${anchorOf(code)}) | ${pageText(meaning)} |`);
  return [
    '---\noutline: [2, 2]\n---',
    '# Errors',
    'Every call rejects with a `PippinError`: a stable `code`, a `message` for people ("expected X, got Y"), and a `hint` where something can be ' +
      'done. [Handle an error](../recipes/errors.md) shows how.',
    `| Code | Meaning |\n| --- | --- |\n${rows.join('\n')}`,
    ...sections,
    '',
  ].join('\n\n');
}

/** The anchor of a code's heading (docs/.vitepress/anchor.ts). @param {string} code */
export function anchorOf(code) {
  return code.toLowerCase();
}

/**
 * Text of a comment within a page: angle brackets are no elements, and bars do not end a table's cell. @param {string}
 * text
 */
function pageText(text) {
  return text.replace(/</g, '&lt;').replace(/\|/g, '\\|');
}

/**
 * The members of `PippinErrorCode` with the comment above each.
 *
 * @returns {{ code: string, meaning: string }[]}
 */
export function errorCodes() {
  const file = parse(join(root, 'sdk', 'base', 'errors.ts'));
  /** @type {{ code: string, meaning: string }[]} */
  const codes = [];
  visit(file, (node) => {
    if (!ts.isTypeAliasDeclaration(node) || node.name.text !== 'PippinErrorCode' || !ts.isUnionTypeNode(node.type))
      return;
    for (const member of node.type.types) {
      // In a union the comment stands before the bar, which is before the member.
      const before = file.text.slice(node.type.pos, member.getStart(file));
      const meaning = before.slice(before.lastIndexOf('/**'));
      codes.push({
        code: JSON.parse(member.getText(file).replaceAll("'", '"')),
        meaning: meaning
          .replace(/^\/\*\*|\*\/[\s|]*$|^\s*\* ?/gm, '')
          .replace(/\s+/g, ' ')
          .trim(),
      });
    }
  });
  return codes;
}

/** What can usually be done about a code, where sdk/base/errors.ts says so. @returns {Map<string, string>} */
function usualHints() {
  const hints = new Map();
  visit(parse(join(root, 'sdk', 'base', 'errors.ts')), (node) => {
    if (!ts.isVariableDeclaration(node) || node.name.getText() !== 'USUAL_HINTS') return;
    if (node.initializer === undefined || !ts.isObjectLiteralExpression(node.initializer)) return;
    for (const member of node.initializer.properties) {
      if (ts.isPropertyAssignment(member) && ts.isStringLiteralLike(member.initializer)) {
        hints.set(member.name.getText(), member.initializer.text);
      }
    }
  });
  return hints;
}

/**
 * Hints that are written out where an error is made: `new PippinError('CODE', ..., { hint: '...' })`. @returns
 * {Map<string, Set<string>>}
 */
function hintsInSources() {
  const hints = new Map();
  for (const path of typescriptFiles('sdk')) {
    visit(parse(path), (node) => {
      if (!ts.isNewExpression(node) || node.expression.getText() !== 'PippinError') return;
      const [code, , options] = node.arguments ?? [];
      if (
        code === undefined ||
        !ts.isStringLiteral(code) ||
        options === undefined ||
        !ts.isObjectLiteralExpression(options)
      )
        return;
      for (const member of options.properties) {
        if (!ts.isPropertyAssignment(member) || member.name.getText() !== 'hint') continue;
        if (!ts.isStringLiteralLike(member.initializer)) continue;
        hints.set(code.text, (hints.get(code.text) ?? new Set()).add(member.initializer.text));
      }
    });
  }
  return hints;
}

/**
 * The functions that name a code. @param {string} code @param {readonly import('./reference-pages.mjs').Page[]} pages
 */
function thrownBy(code, pages) {
  const names = (/** @type {import('./public-api.mjs').Docs | undefined} */ docs) =>
    docs?.throws.some((one) => one.code === code) ?? false;
  const owners = new Set(pages.flatMap(({ call }) => (names(call.ownerDocs) ? [call.owner] : [])));
  const own = pages.filter(({ call }) => names(call.docs) && !owners.has(call.owner));
  const links = own.map(({ title, slug }) => `[\`${title}\`](${slug}.md)`);
  const all = [...[...owners].map((owner) => `every method of \`${owner}\``), ...links];
  return all.length === 0 ? '' : `Thrown by: ${all.join(', ')}.`;
}

/** @param {string} folder @returns {string[]} */
function typescriptFiles(folder) {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .map((name) => join(root, folder, name));
}

/** @param {string} path */
function parse(path) {
  return ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
}

/** @param {ts.Node} node @param {(node: ts.Node) => void} look */
function visit(node, look) {
  look(node);
  node.forEachChild((child) => visit(child, look));
}
