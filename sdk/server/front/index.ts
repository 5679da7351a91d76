export { type ApiKey, newApiKey } from './api-key.js';
export { createFront } from './create-front.js';
export type { FrontQueue } from './front-queue.js';
export type { FrontOptions } from './options.js';
export type { Problem, ProblemCode, RequestErrorCode } from './problem.js';
