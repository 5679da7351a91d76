import type { FastifySchemaValidationError } from 'fastify';
import { nearestName } from '../../base/nearest-name.js';
import { RequestError } from './problem.js';

/** What a part of a request is called in messages. */
const PARTS: Readonly<Record<string, string>> = {
  body: 'the body',
  querystring: 'the query',
  params: 'the path',
  headers: 'the headers',
};

/** A request that its schema refuses. The message names the member and what it must be. It does not show the value, which may be secret. */
export function validationProblem(
  [error]: readonly FastifySchemaValidationError[],
  part: string,
  names: readonly string[],
): RequestError {
  const whole = PARTS[part] ?? part;
  const { instancePath = '', keyword = '', params = {}, message = 'be valid' } = error ?? {};
  const place = instancePath === '' ? whole : `${instancePath.slice(1).replaceAll('/', '.')} of ${whole}`;
  const fail = (text: string, hint?: string) =>
    new RequestError('INVALID_ARGUMENT', text, hint === undefined ? {} : { hint });
  if (keyword === 'required') {
    return fail(`expected ${place} with the member ${params.missingProperty}, got none`);
  }
  if (keyword === 'additionalProperties') {
    const given = String(params.additionalProperty).slice(0, 40);
    const near = nearestName(given, names);
    return fail(
      `expected ${place} with no other members than ${names.join(', ')}; got ${JSON.stringify(given)}`,
      near === undefined ? 'leave it out' : `did you mean ${near}?`,
    );
  }
  return fail(`expected ${place} to ${message.replace(/^must /, '')}, got something else`);
}
