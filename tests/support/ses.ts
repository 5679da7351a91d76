import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The folder of the package `ses`. */
export const sesFolder = dirname(createRequire(import.meta.url).resolve('ses/package.json'));

/**
 * The text of a module that freezes the intrinsics of its realm by SES' `lockdown`. Without `overrideTaming`, an
 * assignment to a property that a frozen prototype has as well throws in most places where it can.
 */
export const LOCKDOWN_MODULE = `import '${pathToFileURL(join(sesFolder, 'index.js')).href}';
lockdown({ overrideTaming: 'min' });
`;
