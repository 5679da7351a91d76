import { describe, expect, it } from 'vitest';
import { errorCodes } from '../../scripts/docs/errors.mjs';
import { throwsNothing } from '../../scripts/docs/markdown.mjs';
import { type Docs, type Property, readEntries } from '../../scripts/docs/public-api.mjs';
import { referencePages } from '../../scripts/docs/reference.mjs';
import { callables } from '../../scripts/docs/reference-pages.mjs';

const entries = readEntries();
const exported = entries.flatMap(({ name: entry, exports }) => exports.map((one) => ({ ...one, entry })));
const functions = callables(entries);
const nameOf = ({ entry, key }: { entry: string; key: string }): string => `${entry}: ${key}`;
const without = (isRight: (docs: Docs) => boolean): string[] =>
  functions.filter(({ call }) => !isRight(call.docs)).map(nameOf);

describe('the docstrings of what the entries export', () => {
  it('are there for every export, and for every property and method of an interface', () => {
    expect(exported.filter(({ docs }) => docs.text === '').map(({ entry, name }) => `${entry}: ${name}`)).toEqual([]);
    const untold = exported.flatMap(({ name, properties }) =>
      properties.filter(({ docs }) => docs.text === '').map((property) => `${name}.${property.name}`),
    );
    expect([...new Set(untold)]).toEqual([]);
    const unnamed = exported.flatMap(({ name, kind, methods }) =>
      kind === 'interface'
        ? methods.filter(({ docs }) => docs.text === '').map((method) => `${name}.${method.name}`)
        : [],
    );
    // These two are the platform's.
    expect([...new Set(unnamed)]).toEqual(['TrustedScriptUrl.toString', 'TrustedScriptUrl.toJSON']);
  });

  it('of functions and methods have a text, a result and exactly one example', () => {
    expect(without(({ text }) => text !== '')).toEqual([]);
    expect(without(({ returns }) => returns !== '')).toEqual([]);
    expect(without(({ examples }) => examples.length === 1)).toEqual([]);
  });

  it('tell each parameter, and no other one', () => {
    const wrong = functions.filter(({ call: { params, docs } }) => {
      const names = params.map(({ name }) => name).filter((name) => !name.startsWith('_'));
      return names.join() !== [...docs.params.keys()].join() || [...docs.params.values()].includes('');
    });
    expect(wrong.map(nameOf)).toEqual([]);
  });

  it('name the codes that a call throws, each once and with its occasion, or say that it throws nothing', () => {
    const codes = new Set(errorCodes().map(({ code }) => code));
    const isRight = ({ throws, text }: Docs): boolean => {
      if (throwsNothing(text)) return throws.length === 0;
      const isKnown = throws.every(({ code, when }) => codes.has(code) && /[a-z].*\.$/s.test(when));
      return throws.length > 0 && isKnown && new Set(throws.map(({ code }) => code)).size === throws.length;
    };
    expect(without(isRight)).toEqual([]);
    const owners = functions.flatMap(({ call }) => call.ownerDocs?.throws ?? []);
    expect(owners.filter(({ code }) => !codes.has(code))).toEqual([]);
  });

  it('of options say what holds where one is left out', () => {
    const isOption = ({ name }: { name: string }): boolean => /(Options|Request|Tuning|AssetUrls)$/.test(name);
    const isTold = ({ isOptional, docs }: Property): boolean => !isOptional || docs.defaultValue !== undefined;
    const untold = exported
      .filter(isOption)
      .flatMap(({ name, properties }) => properties.filter((one) => !isTold(one)).map((one) => `${name}.${one.name}`));
    expect([...new Set(untold)]).toEqual([]);
  });
});

describe('the pages of the reference', () => {
  const { files, pages } = referencePages(entries);

  it('are one for each function and method of every entry, each with an example', () => {
    expect(pages.map(({ key, group }) => nameOf({ entry: group.entry, key })).sort()).toEqual(
      [...new Set(functions.map(nameOf))].sort(),
    );
    expect(new Set(pages.map(({ slug }) => slug)).size).toBe(pages.length);
    expect(new Set(pages.map(({ call }) => call.docs.examples.length))).toEqual(new Set([1]));
    expect(pages.length).toBeGreaterThan(90);
  });

  it.each(pages.map(({ slug, title }) => [slug, title]))('%s has its parts in order', (slug, title) => {
    const text = files.get(`${slug}.md`) ?? '';
    const headings = [...text.matchAll(/^#{1,2} .*$/gm)].map(([heading]) => heading);
    expect(headings[0]).toBe(`# ${title}`);
    const needed = ['## Example', '## Signature', '## Result', '## Errors', '## Read on'];
    expect(headings.filter((heading) => needed.includes(heading))).toEqual(needed);
    expect(text).toMatch(/^Import: `import \{ \w+ \} from '(pippin-prover(\/[a-z-]+)?|pippin-farm)';`/m);
    expect(text).not.toMatch(/\]\(undefined|\/api\/undefined/);
  });

  it('of the errors say for each code what can throw it, where a docstring names it', () => {
    const text = files.get('errors.md') ?? '';
    expect(text).toMatch(/## WITNESS_REJECTED\n[^#]*Thrown by:[^#]*full-prove\.md/);
  });
});
