/**
 * The software bill of materials in JSON of CycloneDX 1.5 (cyclonedx.org/docs/1.5/json). `npm sbom` has the form, but neither knows what was
 * bundled nor gives the same bytes twice: it writes the time, a random serial number and the folder's name. The specification asks for none of
 * these.
 *
 * @param {{ name: string, version: string, description: string, license: string }} manifest package.json
 * @param {readonly import('./shipped-packages.mjs').ShippedPackage[]} packages what ships with it
 */
export function cyclonedx(manifest, packages) {
  const { name, version, description, license } = manifest;
  const own = reference(manifest);
  const refs = new Map(packages.map((shipped) => [shipped.name, reference(shipped)]));
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      lifecycles: [{ phase: 'build' }],
      component: {
        'bom-ref': own,
        type: 'library',
        name,
        version,
        description,
        purl: own,
        licenses: [{ expression: license }],
      },
    },
    components: packages.map((shipped) => ({
      'bom-ref': reference(shipped),
      type: 'library',
      name: shipped.name,
      version: shipped.version,
      scope: 'required',
      purl: reference(shipped),
      hashes: [{ alg: 'SHA-512', content: sha512(shipped) }],
      licenses: [{ expression: shipped.license }],
    })),
    dependencies: [
      { ref: own, dependsOn: [...refs.values()] },
      ...packages.map((shipped) => ({
        ref: reference(shipped),
        dependsOn: shipped.dependencies.map((needed) => refs.get(needed)),
      })),
    ],
  };
}

/** The package URL (github.com/package-url/purl-spec). @param {{ name: string, version: string }} component */
function reference({ name, version }) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

/** The hash of a package's archive in hexadecimal. @param {import('./shipped-packages.mjs').ShippedPackage} shipped */
function sha512({ name, integrity }) {
  const found = /^sha512-(\S+)$/.exec(integrity);
  if (found === null) throw new Error(`expected the SHA-512 of ${name} in package-lock.json, got ${integrity}`);
  return Buffer.from(found[1], 'base64').toString('hex');
}
