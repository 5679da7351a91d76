import '../../workers/witness.js';
import { importPlainly } from './plain-imports.js';

importPlainly(globalThis);
