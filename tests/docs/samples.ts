import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Docs, Entry } from '../../scripts/docs/public-api.mjs';
import { root } from '../support/root.js';

/** A fenced sample of a page, or an example of a docstring. */
export interface Sample {
  /** Its page and line, or its function. */
  readonly name: string;
  readonly language: 'ts' | 'tsx' | 'js';
  readonly code: string;
  /** ```` ```js run ````: it runs in Node, beside the files of the example's key. */
  readonly runs: boolean;
  /** ```` ```js no-check="why" ````: it cannot be compiled by itself, and why. */
  readonly unchecked: string | undefined;
}

/** Pages that the reference of the API is made of, or that are made by tools. */
const GENERATED = /^docs\/(api|\.vitepress)\//;

/** The samples in TypeScript and JavaScript of the README and of all pages. */
export function readSamples(): Sample[] {
  const pages = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replaceAll('\\', '/')}`)
    .filter((name) => !GENERATED.test(name));
  return ['README.md', ...pages.sort()].flatMap((page) => samplesOf(page, readFileSync(join(root, page), 'utf8')));
}

/** The examples of all docstrings that the entries export; each is one fence, which the pages of the reference show. */
export function examplesOf(entries: readonly Entry[]): Sample[] {
  const docstrings = new Map<string, Docs>();
  for (const { name: entry, exports } of entries) {
    for (const { name, docs, methods, file } of exports) {
      docstrings.set(`${file}: ${name}`, docs);
      // A constant is exported by an entry for pages and one for Node.
      for (const method of methods) docstrings.set(`${entry}: ${name}.${method.name}`, method.docs);
    }
  }
  return [...docstrings].flatMap(([name, { examples }]) =>
    examples.flatMap((example) => {
      const [sample, ...others] = samplesOf(name, example);
      if (sample === undefined || others.length > 0) throw new Error(`expected one fence as an example of ${name}`);
      return { ...sample, name };
    }),
  );
}

/** The samples of a page. A fence within a list is indented, and its lines are by as much. */
export function samplesOf(page: string, text: string): Sample[] {
  const fences = text.matchAll(/^([ \t]*)```(tsx|ts|js|typescript|javascript)\b([^\n]*)\n([\s\S]*?)^\1```[ \t]*$/gm);
  return [...fences].map(({ index, 1: indentation = '', 2: language = '', 3: flags = '', 4: body = '' }) => ({
    name: `${page}:${text.slice(0, index).split('\n').length}`,
    language: language === 'tsx' ? 'tsx' : language.startsWith('t') ? 'ts' : 'js',
    code: body.replaceAll(new RegExp(`^${indentation}`, 'gm'), ''),
    runs: /\brun\b/.test(flags.replace(/"[^"]*"/g, '')),
    unchecked: /no-check="([^"]*)"/.exec(flags)?.[1],
  }));
}
