import '../../workers/kernel.js';
import { importPlainly } from './plain-imports.js';

importPlainly(globalThis);
