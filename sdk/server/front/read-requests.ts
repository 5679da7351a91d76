import type { FastifyInstance } from 'fastify';
import type { FrontSettings } from './options.js';

/** Members of the query that are integers. */
const NUMBERS = ['wait', 'priority', 'deadline'];

/** Leaves bodies unread, whatever they are. Fastify would read them for paths that there are not, from anybody. */
export function readNoBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_, __, done) => done(null));
}

/** Takes bodies of JSON, and witnesses as bytes, each with its limit, and no others. */
export function readBodies(scope: FastifyInstance, { inputsLimit, witnessLimit }: FrontSettings): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    'application/json',
    { parseAs: 'string', bodyLimit: inputsLimit },
    scope.getDefaultJsonParser('error', 'error'),
  );
  scope.addContentTypeParser(
    'application/octet-stream',
    { parseAs: 'buffer', bodyLimit: witnessLimit },
    (_, body, done) => done(null, body),
  );
}

/** A query holds texts. Those that are integers become numbers before the schemas judge them, which convert nothing. */
export function readNumbers(scope: FastifyInstance): void {
  scope.addHook('preValidation', async (request) => {
    const query = request.query as Record<string, unknown>;
    for (const name of NUMBERS) {
      const text = query[name];
      if (typeof text === 'string' && /^[0-9]{1,15}$/.test(text)) query[name] = Number(text);
    }
  });
}
