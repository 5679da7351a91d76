import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** What a file of types imports from beside it. */
const IMPORTS = /(?:from|import)\s*\(?\s*['"](\.[^'"]+)\.js['"]/g;

/**
 * Deletes the files of types that no entry of package.json leads to: those of what is inside the bundles, which would need the types of packages
 * that are not installed.
 *
 * @param {string} root of the package
 */
export function pruneTypes(root) {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const kept = new Set(typesOf([manifest.types, manifest.exports]));
  // A set gives what is added while it is gone through, too.
  for (const file of kept) for (const imported of importedBy(root, file)) kept.add(imported);
  const folder = join('dist', 'types');
  for (const entry of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
    const file = join(folder, entry);
    if (file.endsWith('.d.ts') && !kept.has(file)) rmSync(join(root, file));
  }
}

/**
 * The files of types among the targets of a manifest's member.
 *
 * @param {unknown} member
 * @returns {string[]}
 */
function typesOf(member) {
  if (typeof member === 'string') return member.endsWith('.d.ts') ? [normalize(member)] : [];
  return typeof member === 'object' && member !== null ? Object.values(member).flatMap(typesOf) : [];
}

/** @param {string} root @param {string} file */
function importedBy(root, file) {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(IMPORTS)].map(([, path]) => join(dirname(file), `${path}.d.ts`));
}
