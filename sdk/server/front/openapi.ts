import type { FastifyInstance } from 'fastify';
import { loadSwagger } from './peers.js';
import { SHARED_SCHEMAS } from './schemas.js';

/** Has the OpenAPI document made from the schemas of all routes that are added after this, and answers it at `/openapi.json`. */
export async function describeApi(app: FastifyInstance): Promise<void> {
  const { default: swagger } = await loadSwagger();
  for (const schema of SHARED_SCHEMAS) app.addSchema(schema);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Pippin prover farm',
        description: 'Asks a farm of workers for zero-knowledge proofs.',
        version: '1',
      },
      components: {
        securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: 'the API key' } },
      },
    },
    // Components have the names of the schemas.
    refResolver: { buildLocalReference: (json, _, __, i) => (typeof json.$id === 'string' ? json.$id : `schema-${i}`) },
  });
  app.get('/openapi.json', { schema: { hide: true } as object }, async () => app.swagger());
}
