/** The whole code of a chunk that only passes on exports of another one, and nothing else. */
const FACADE = /^export\{([^}]*)\}from"\.\/([^"]+)";?\s*(?:\/\/# sourceMappingURL=.*)?$/;

/**
 * Leaves out chunks that only pass on some exports of another chunk under the names of a dynamically imported module:
 * every `import()` of one takes these exports from the other chunk itself. Each would be a file of 60 bytes.
 *
 * @type {import('rolldown').Plugin}
 */
export const withoutFacades = {
  name: 'without-facades',
  generateBundle(_, bundle) {
    const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
    for (const file of chunks) {
      if (file.isEntry) continue;
      const facade = FACADE.exec(file.code.trim());
      const isImported = chunks.some(({ imports }) => imports.includes(file.fileName));
      if (facade === null || isImported) continue;
      const [, exports, source] = facade;
      const members = exports.split(',').map((each) => {
        const [inner, outer = inner] = each.trim().split(' as ');
        return `${outer}:m.${inner}`;
      });
      const whole = `import("./${source}").then(m=>({${members.join(',')}}))`;
      for (const other of chunks) {
        other.code = other.code.replaceAll(new RegExp(`import\\([\`"']\\./${file.fileName}[\`"']\\)`, 'g'), whole);
      }
      delete bundle[file.fileName];
      delete bundle[`${file.fileName}.map`];
    }
  },
};
