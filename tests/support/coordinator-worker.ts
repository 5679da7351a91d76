import '../../workers/coordinator.js';
import { importPlainly } from './plain-imports.js';

importPlainly(globalThis);
