import type { Socket } from 'node:net';
import type {
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchemaValidationError,
} from 'fastify';
import { nearestName } from '../../../sdk/base/nearest-name.js';
import { isForCallers, PROBLEM_TYPE, type Problem, problemOf, RequestError, statusOf } from './problem.js';
import { SUBMISSION_NAMES } from './schemas.js';

/** Answers every error in the shape of a problem. `onProblem` gets the code of each. */
export function answerErrors(app: FastifyInstance, onProblem: (code: string) => void): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const known = knownError(error);
    const shown = known ?? new RequestError('INTERNAL', 'expected to answer, got an error of the server');
    if (statusOf(shown.code) >= 500) request.log.error({ err: error }, 'a request failed');
    onProblem(shown.code);
    return answerProblem(reply, shown);
  });
  app.setNotFoundHandler((_, reply) => {
    onProblem('NOT_FOUND');
    return answerProblem(
      reply,
      new RequestError('NOT_FOUND', 'expected a method and path of the API, got another', {
        hint: '/openapi.json lists them',
      }),
    );
  });
}

/** Answers requests whose URL the router cannot parse; an option of Fastify. */
export function frameworkErrors(_: FastifyError, __: FastifyRequest, reply: FastifyReply): void {
  answerProblem(reply, new RequestError('INVALID_ARGUMENT', 'expected a URL that can be read, got another'));
}

/** Answers connections that sent no valid HTTP request, or too slowly; an option of Fastify. */
export function clientErrorHandler(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, text, problem] = connectionProblem(error.code);
  const body = JSON.stringify(problem);
  const headers = `Content-Type: ${PROBLEM_TYPE}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close`;
  socket.end(`HTTP/1.1 ${status} ${text}\r\n${headers}\r\n\r\n${body}`, () => socket.destroy());
}

function connectionProblem(code: string | undefined): [status: number, text: string, problem: Problem] {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return [
      408,
      'Request Timeout',
      { code: 'TIMED_OUT', message: 'expected the whole request sooner, got a part of it' },
    ];
  }
  if (code === 'HPE_HEADER_OVERFLOW') {
    return [431, 'Request Header Fields Too Large', { code: 'TOO_LARGE', message: 'expected shorter headers' }];
  }
  return [400, 'Bad Request', { code: 'INVALID_ARGUMENT', message: 'expected a request of HTTP, got something else' }];
}

/** Answers an error that callers may see. */
export function answerProblem(reply: FastifyReply, error: Parameters<typeof problemOf>[0]): FastifyReply {
  const retryAfter = error instanceof RequestError ? error.retryAfter : undefined;
  if (retryAfter !== undefined) reply.header('Retry-After', retryAfter);
  return reply
    .code(statusOf(error.code))
    .header('Content-Type', PROBLEM_TYPE)
    .send(JSON.stringify(problemOf(error)));
}

/** An error in the form for callers, or undefined for an internal one. */
function knownError(error: FastifyError): Parameters<typeof problemOf>[0] | undefined {
  if (isForCallers(error)) return error;
  if (error.validation !== undefined) {
    return validationProblem(error.validation, error.validationContext ?? 'body', SUBMISSION_NAMES);
  }
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new RequestError('TOO_LARGE', 'expected a shorter body, got one beyond the limit of its kind', {
        hint: 'the operator can raise inputsLimit and witnessLimit',
      });
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new RequestError('UNSUPPORTED_MEDIA_TYPE', 'expected a body of JSON or a witness, got another kind', {
        hint: 'send Content-Type: application/json, or application/octet-stream for a .wtns file',
      });
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return new RequestError('INVALID_ARGUMENT', 'expected a body of JSON, got something else');
    default:
      // The framework's message for a rejected request. It may quote the request, so it is not passed on.
      return (error.statusCode ?? 500) < 500
        ? new RequestError('INVALID_ARGUMENT', 'expected a request that can be read, got another')
        : undefined;
  }
}

/** The name of a part of a request in messages. */
const PARTS: Readonly<Record<string, string>> = {
  body: 'the body',
  querystring: 'the query',
  params: 'the path',
  headers: 'the headers',
};

/**
 * A request rejected by its schema. The message names the member and the expected form, not the value, which may be
 * secret.
 */
function validationProblem(
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
