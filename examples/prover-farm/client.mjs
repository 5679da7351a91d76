/** How a service asks the farm for a proof. It needs nothing but `fetch`. */

/** Seconds that a request waits for its job; a longer job is asked for again. */
const WAIT = 30;
/** How often a request is sent again that the front could not take. */
const TRIES = 10;

/**
 * Asks for a proof and waits for it.
 *
 * @param {{ url: string, key: string }} front
 * @param {{ circuit: string, inputs: object, id: string }} request with an id of one's own, so that a request that is sent again makes no second job
 * @returns {Promise<any>} the job, which has been proved
 */
export async function prove(front, request) {
  let job = await send(front, 'POST', `/v1/proofs?wait=${WAIT}`, request);
  while (!['proved', 'failed', 'cancelled'].includes(job.state)) {
    job = await send(front, 'GET', `/v1/proofs/${job.id}?wait=${WAIT}`);
  }
  if (job.state === 'proved') return job;
  throw new Error(`${job.error.code}: ${job.error.message}`);
}

/**
 * @param {{ url: string, key: string }} front
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 */
async function send({ url, key }, method, path, body) {
  const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) };
  for (let tries = 1; ; tries++) {
    const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const answer = await response.json();
    if (response.ok) return answer;
    // A limit was reached, or the queue is away for a moment: the front says when to come again.
    const seconds = Number(response.headers.get('retry-after'));
    if (seconds === 0 || tries === TRIES) throw new Error(`${answer.code}: ${answer.message} (${answer.hint ?? ''})`);
    await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
  }
}
