import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { messageOf } from '../../../sdk/base/describe.js';
import type { JobStatus } from '../queue/types.js';
import type { FrontQueue } from './options.js';
import { type AddRoutes, ownJob, shownJob } from './routes.js';
import { API_KEY, jobPath, PROBLEMS } from './schemas.js';

/** The interval of comments on an idle stream, because proxies end connections that are silent for a minute. */
const PING_MS = 15_000;
/** The delay after which a client reconnects. */
const RECONNECT_MS = 2000;

/** `GET /v1/proofs/:id/events`: server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export const addEventsRoute: AddRoutes = (scope, context) => {
  const { callers, held, queue } = context;
  scope.get<{ Params: { readonly id: string } }>('/v1/proofs/:id/events', {
    schema: {
      operationId: 'followProof',
      security: API_KEY,
      summary: 'Follow a job by server-sent events',
      description:
        'An event named status at once and at each change, whose data is the job as JSON. The response ends after a final state. Earlier only when the server closes, or the queue fails; then connect again.',
      params: jobPath,
      produces: ['text/event-stream'],
      response: {
        200: { description: 'events', content: { 'text/event-stream': { schema: { type: 'string' } } } },
        ...PROBLEMS,
      },
    },
    handler: async (request, reply) => {
      const apiKey = callers.of(request);
      const job = await ownJob(context, apiKey, request.params.id);
      const { signal, release } = held.hold(apiKey, reply);
      const events = new PassThrough();
      follow(queue, job, events, signal)
        .catch((error: unknown) => {
          if (!signal.aborted) request.log.warn({ reason: messageOf(error) }, 'a job could not be followed');
        })
        .finally(() => {
          release();
          events.end();
        });
      return reply
        .header('Content-Type', 'text/event-stream; charset=utf-8')
        .header('X-Accel-Buffering', 'no')
        .send(events);
    },
  });
};

/** Writes events until the job has ended or the signal fires. A slow client misses none: writing waits for it. */
async function follow(queue: FrontQueue, { id }: JobStatus, events: PassThrough, signal: AbortSignal): Promise<void> {
  events.write(`retry: ${RECONNECT_MS}\n\n`);
  const ping = setInterval(() => {
    if (!events.writableNeedDrain) events.write(': nothing new\n\n');
  }, PING_MS);
  try {
    for await (const status of queue.watch(id, { signal })) {
      if (signal.aborted) return;
      const goesOn = events.write(`event: status\ndata: ${JSON.stringify(shownJob(status))}\n\n`);
      if (!goesOn) await once(events, 'drain', { signal });
    }
  } finally {
    clearInterval(ping);
  }
}
