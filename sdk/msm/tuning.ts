export type { Reduction } from '../api.js';
