import { anchorOf } from './errors.mjs';
import { fence, firstSentence, headingOf, sections, table, throwsNothing } from './markdown.mjs';
import { importOf, signatureOf, typesSlug } from './reference-pages.mjs';

/** @typedef {import('./public-api.mjs').Entry} Entry @typedef {import('./public-api.mjs').Export} Export */
/** @typedef {import('./public-api.mjs').Property} Property @typedef {import('./reference-pages.mjs').Page} Page */

/** What an example that runs finds in its folder (tests/docs/samples.test.ts). */
const EXAMPLE_FILES =
  'The tests run it in Node, in a folder with `note.zkey`, `note.wasm`, `input.json` and `note.vkey.json` of ' +
  '[the example circuit](../../examples/groth16-commitment/key), and `proved.json`, a proof for it. Where `note.plonk.zkey` ' +
  'or `note.fflonk.zkey` is read, the files are of a small circuit.';

/** Writes pages in Markdown, and knows where each type, function and error code is told. */
export class ReferenceWriter {
  /** @param {readonly Entry[]} entries @param {readonly Page[]} pages @param {readonly string[]} codes */
  constructor(entries, pages, codes) {
    this.pages = pages;
    this.codes = new Set(codes);
    /**
     * Types by entry and name: of all names that an entry exports, those that are no function. @type {Map<string,
     * Map<string, Export>>}
     */
    this.types = new Map();
    for (const { name, exports } of entries) {
      const types = this.types.get(name) ?? new Map();
      for (const one of exports)
        if (one.call === undefined && one.kind !== 'object') types.set(one.name, types.get(one.name) ?? one);
      this.types.set(name, types);
    }
    this.homes = this.placeTypes(entries);
  }

  /**
   * The types that an entry is the first to export and that no function has to itself. @param {string} entry @returns
   * {Export[]}
   */
  typesOf(entry) {
    return [...(this.types.get(entry)?.values() ?? [])].filter(
      (type) => this.homes.get(identity(type)) === typesSlug(entry),
    );
  }

  /** @param {Page} page @returns {string} */
  functionPage(page) {
    const { call, inNode } = page;
    const write = (/** @type {string} */ text) => this.text(text, page);
    const own = this.ownTypes(page);
    return sections([
      `# ${page.title}`,
      write(call.docs.text),
      this.origin(page),
      call.docs.examples.length === 1 ? '## Example' : '## Examples',
      ...call.docs.examples,
      call.docs.examples.some((example) => /^```(js|ts) run/.test(example)) ? EXAMPLE_FILES : '',
      '## Signature',
      fence('ts', signatureOf(page)),
      call.params.length === 0 ? '' : this.params(page),
      ...call.params.map(({ name, type }) => this.options(name, type, page)),
      '## Result',
      `\`${call.result}\`: ${write(call.docs.returns)}`,
      this.members(call.result, page),
      '## Errors',
      this.errors(page),
      ...(inNode === undefined ? [] : ['## In Node', this.text(inNode.docs.text, page), ...inNode.docs.examples]),
      ...(own.length === 0 ? [] : ['## Types', ...own.map((type) => this.type(type, page, '###'))]),
      '## Read on',
      this.readOn(page, own),
    ]);
  }

  /** The page of an entry's types. @param {string} entry @param {readonly string[]} [notes] */
  typesPage(entry, notes = []) {
    const page = { slug: typesSlug(entry), group: { entry } };
    const types = this.typesOf(entry);
    return sections([
      `# Types of ${entry}`,
      fence('ts', `import type { ${types[0]?.name} } from '${entry}';`),
      ...notes,
      ...types.map((type) => this.type(type, page, '##')),
    ]);
  }

  /**
   * Where something is told: `/api/page#place`; undefined for what is not exported. @param {string} name @param {{
   * group: { entry: string }, slug: string }} page
   */
  placeOf(name, page) {
    if (this.codes.has(name)) return `/api/errors#${anchorOf(name)}`;
    const type = this.typeOf(name, page.group.entry);
    if (type !== undefined) return `/api/${this.homes.get(identity(type))}#${name.toLowerCase()}`;
    const [owner = '', member = ''] = name.split('.');
    const object = this.typeOf(owner, page.group.entry);
    if (object?.properties.some((property) => property.name === member)) {
      return `/api/${this.homes.get(identity(object))}#${memberAnchor(owner, member)}`;
    }
    const target =
      this.pages.find(({ key, group }) => key === name && group.entry === page.group.entry) ??
      this.pages.find(({ call, group }) => call.name === name && group.entry === page.group.entry) ??
      this.pages.find(({ key, call }) => key === name || (call.name === name && call.owner === undefined)) ??
      this.pages.find(({ call }) => call.name === name);
    return target === undefined ? undefined : `/api/${target.slug}`;
  }

  /**
   * Text of a docstring: codes, types and functions become links, and so do pages of docs/. @param {string} text @param
   * {{ group: { entry: string }, slug: string }} page
   */
  text(text, page) {
    return text
      .split(/(`[^`]+`)/)
      .map((part) => {
        if (!part.startsWith('`')) {
          return part
            .replaceAll('<', '&lt;')
            .replace(/docs\/([\w./-]+)\.md/g, (_, path) => `[${path}](/${path})`)
            .replace(/(?<![(<])(https?:\/\/[^\s)]+?)(?=[).,;]*(\s|\)|$))/g, '<$1>');
        }
        const name = part.slice(1, -1);
        const place = /^[A-Za-z_.\d]+$/.test(name) ? this.placeOf(name, page) : undefined;
        return place === undefined || place === `/api/${page.slug}` ? part : `[${part}](${place})`;
      })
      .join('');
  }

  /** How a caller comes to the function. @param {Page} page */
  origin(page) {
    const imported = `Import: \`${importOf(page)}\``;
    if (page.from === undefined) return imported;
    return `${imported} \\\n\`${page.title.split('.')[0]}\` is what ${this.linkOf(page.from, page)} gives.`;
  }

  /** @param {string} key @param {Page} page */
  linkOf(key, page) {
    return `[\`${key.split('.').at(-1)}\`](${this.placeOf(key, page)})`;
  }

  /** @param {Page} page */
  params(page) {
    const { docs, params } = page.call;
    const rows = params
      .filter(({ name }) => !name.startsWith('_'))
      .map(({ name, type, isOptional }) => [
        `\`${name}${isOptional ? '?' : ''}\``,
        this.typeText(type, page),
        this.text(docs.params.get(name) ?? '', page),
      ]);
    return `## Parameters\n\n${table(['Parameter', 'Type', 'What it is'], rows)}`;
  }

  /**
   * The members of a parameter that is an object of options. @param {string} name @param {string} type @param {Page}
   * page
   */
  options(name, type, page) {
    const options = this.typeOf(type, page.group.entry);
    if (options === undefined || !/(Options|Request)$/.test(options.name)) return '';
    const title = name === 'options' ? '## Options' : `## Members of \`${name}\``;
    return `${title}\n\n${this.memberTable(options, page, true)}`;
  }

  /** The members of a result that is a plain object. @param {string} result @param {Page} page */
  members(result, page) {
    const name = /^(?:Promise<)?(?:readonly )?(\w+)(?:\[\])?(?: \| undefined)?>?$/.exec(result)?.[1] ?? '';
    const type = this.typeOf(name, page.group.entry);
    return type === undefined || type.methods.length > 0 || type.properties.length === 0
      ? ''
      : this.memberTable(type, page, false);
  }

  /** @param {Export} type @param {Page} page @param {boolean} hasDefaults */
  memberTable(type, page, hasDefaults) {
    const rows = type.properties.map(({ name, type: written, isOptional, docs }) => {
      const first = firstSentence(docs.text);
      const place = `/api/${this.homes.get(identity(type))}#${memberAnchor(type.name, name)}`;
      const told = first === docs.text ? this.text(first, page) : `${this.text(first, page)} [More](${place})`;
      const by = isOptional ? this.text(docs.defaultValue ?? '', page) : 'required';
      return [`\`${name}\``, this.typeText(written, page), ...(hasDefaults ? [by] : []), told];
    });
    return table(['Member', 'Type', ...(hasDefaults ? ['Default'] : []), 'What it is'], rows);
  }

  /** The error codes of a call: first its own, then what every call of the object can give. @param {Page} page */
  errors(page) {
    const { docs, ownerDocs } = page.call;
    const own = docs.throws.map(({ code }) => code);
    const neverThrows = throwsNothing(docs.text);
    const all = neverThrows
      ? []
      : [...docs.throws, ...(ownerDocs?.throws ?? []).filter(({ code }) => !own.includes(code))];
    if (all.length === 0) return 'None.';
    const rows = all.map(({ code, when }) => [`[\`${code}\`](/api/errors#${anchorOf(code)})`, this.text(when, page)]);
    return table(['Code', 'When'], rows);
  }

  /**
   * A type with all that its docstrings say. @param {Export} type @param {{ group: { entry: string }, slug: string }}
   * page @param {string} heading
   */
  type(type, page, heading) {
    const isObject = type.kind === 'interface' || type.kind === 'class';
    const calls = this.pages.filter(
      ({ call, group }) => call.owner === type.name && this.types.get(group.entry)?.get(type.name) === type,
    );
    return sections([
      `${heading} ${type.name}`,
      this.text(type.docs.text, page),
      isObject ? '' : (this.words(type, page) ?? fence('ts', withoutExport(type.text))),
      type.properties.length === 0 || !isObject
        ? ''
        : type.properties.map((member) => this.member(type, member, page)).join('\n'),
      calls.length === 0
        ? ''
        : `Methods: ${calls.map(({ title, slug }) => `[\`${title}\`](/api/${slug})`).join(', ')}.`,
      ...type.docs.examples,
    ]).trimEnd();
  }

  /**
   * A table of the words that a type has, if each of them has a docstring. @param {Export} type @param {{ group: {
   * entry: string }, slug: string }} page
   */
  words({ name, text }, page) {
    const words = [...text.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*\|\s*'([^']+)'/g)];
    const isAll = words.length > 0 && text.replace(/\/\*[\s\S]*?\*\//g, '').split('|').length === words.length + 1;
    if (!isAll || !text.includes('=\n')) return undefined;
    const rows = words.map(([, meaning = '', word = '']) => [
      name === 'PippinErrorCode' ? `[\`${word}\`](/api/errors#${anchorOf(word)})` : `\`${word}\``,
      this.text(meaning.replace(/^\s*\* ?/gm, '').trim(), page),
    ]);
    return table(['Value', 'Meaning'], rows);
  }

  /** @param {Export} type @param {Property} member @param {{ group: { entry: string }, slug: string }} page */
  member(type, { name, type: written, isOptional, docs }, page) {
    const by = docs.defaultValue === undefined ? '' : ` Default: ${this.text(docs.defaultValue, page)}.`;
    const text = this.text(docs.text, page).replaceAll('\n', '\n  ');
    return `- <a id="${memberAnchor(type.name, name)}"></a>\`${name}${isOptional ? '?' : ''}: ${written}\`${text === '' ? '' : `  \n  ${text}`}${by}`;
  }

  /** @param {string} type @param {Page} page */
  typeText(type, page) {
    const place = /^\w+$/.test(type) ? this.typeOf(type, page.group.entry) : undefined;
    return place === undefined ? `\`${type}\`` : `[\`${type}\`](${this.placeOf(type, page)})`;
  }

  /** Types that the signature names, and pages of the guide. @param {Page} page @param {readonly Export[]} own */
  readOn({ call, group, slug }, own) {
    const written = [...call.params.map(({ type }) => type), call.result].join(' ');
    const named = [...new Set(written.match(/\b[A-Z]\w+/g) ?? [])].map((name) => this.typeOf(name, group.entry));
    const types = named.filter((type) => type !== undefined && !own.includes(type));
    const links = types.map((type) => `[\`${type?.name}\`](${this.placeOf(type?.name ?? '', { group, slug })})`);
    const lines = group.readOn.map((path) => `- [${headingOf(path)}](../${path})`);
    return [...(links.length === 0 ? [] : [`- Types: ${links.join(', ')}`]), ...lines].join('\n');
  }

  /** @param {string} name @param {string} entry @returns {Export | undefined} */
  typeOf(name, entry) {
    return this.types.get(entry)?.get(name) ?? this.types.get('pippin-prover')?.get(name);
  }

  /** The types that one function alone uses. @param {Page} page */
  ownTypes(page) {
    return [...new Set([...this.types.values()].flatMap((types) => [...types.values()]))].filter(
      (type, i, all) =>
        this.homes.get(identity(type)) === page.slug &&
        all.findIndex((other) => identity(other) === identity(type)) === i,
    );
  }

  /** The page where each type is told. @param {readonly Entry[]} entries @returns {Map<string, string>} */
  placeTypes(entries) {
    const users = new Map();
    for (const page of this.pages) {
      for (const type of this.reach(page)) users.set(type, [...(users.get(type) ?? []), page.slug]);
    }
    const homes = new Map();
    for (const { name } of entries) {
      for (const type of this.types.get(name)?.values() ?? []) {
        const [user, ...others] = users.get(identity(type)) ?? [];
        const isOwn = user !== undefined && others.length === 0 && type.methods.length === 0;
        const home = isOwn ? user : typesSlug(name);
        if (!homes.has(identity(type))) homes.set(identity(type), home);
      }
    }
    return homes;
  }

  /**
   * The types that a function's signature leads to; not through objects with methods, which lead to everything. @param
   * {Page} page
   */
  reach({ call, group }) {
    const found = new Set();
    const look = (/** @type {string} */ text) => {
      for (const name of text.match(/\b[A-Z]\w+/g) ?? []) {
        const type = this.typeOf(name, group.entry);
        if (type === undefined || found.has(identity(type))) continue;
        found.add(identity(type));
        if (type.methods.length > 0) continue;
        look(type.kind === 'interface' ? type.properties.map((member) => member.type).join(' ') : type.text);
      }
    };
    look([...call.params.map(({ type }) => type), call.result].join(' '));
    return found;
  }
}

/** @param {Export} type */
function identity({ file, name }) {
  return `${file} ${name}`;
}

/** @param {string} type @param {string} member */
function memberAnchor(type, member) {
  return `${type}-${member}`.toLowerCase();
}

/** @param {string} declaration */
function withoutExport(declaration) {
  return declaration.replace(/^export (declare )?/, '');
}
