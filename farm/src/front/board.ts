import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { FastifyAdapter } from '@bull-board/fastify';
import type { Queue } from 'bullmq';
import type { FastifyInstance } from 'fastify';
import { PippinError } from 'pippin-prover';
import type { RouteContext } from './routes.js';

/**
 * Adds bull-board at a path: a read-only page that shows the queues to operators, with the API key as a password. It
 * shows the jobs of all owners, without inputs.
 */
export async function addBoard(app: FastifyInstance, { queue, callers }: RouteContext, path: string): Promise<void> {
  const queues = queue.bullmqQueues?.();
  if (queues === undefined) {
    throw new PippinError('INVALID_ARGUMENT', 'expected a queue with bullmqQueues for the board, got one without');
  }
  const serverAdapter = new FastifyAdapter();
  serverAdapter.setBasePath(path);
  const adapters = queues.map((each) => new BullMQAdapter(each as Queue, { readOnlyMode: true }));
  createBullBoard({ queues: adapters, serverAdapter });
  await app.register(
    async (scope) => {
      callers.requireOperator(scope, 'Basic');
      await scope.register(serverAdapter.registerPlugin());
    },
    { prefix: path },
  );
}
