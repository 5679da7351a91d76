/**
 * Lets each script that is loaded by itself import the chunks that its own imports need as well, so that a browser asks
 * for all of them at once and not for some only after it has read others. The statements stand at the end, where they
 * move nothing that a source map points to.
 *
 * @type {import('rolldown').Plugin}
 */
export const flatImports = {
  name: 'flat-imports',
  generateBundle(_, bundle) {
    /** @param {string} name @returns {string[]} */
    const importsOf = (name) => {
      const file = bundle[name];
      return file?.type === 'chunk' ? file.imports.filter((imported) => imported in bundle) : [];
    };
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk' || !(file.isEntry || file.isDynamicEntry)) continue;
      const direct = importsOf(file.fileName);
      const needed = new Set(direct);
      // A set gives what is added while it is gone through, too.
      for (const name of needed) for (const further of importsOf(name)) needed.add(further);
      const missing = [...needed].filter((name) => !direct.includes(name));
      if (missing.length === 0) continue;
      const statements = missing.map((name) => `import"./${name}";`).join('');
      const end = file.code.lastIndexOf('\n//# sourceMappingURL=');
      file.code = end < 0 ? `${file.code}${statements}` : file.code.slice(0, end) + statements + file.code.slice(end);
    }
  },
};
