import { describe, expect, it } from 'vitest';
import { expectProblem, openFront } from '../../support/front.js';

const NOTE = { circuit: 'note', inputs: { a: '1' } };
const UUID = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';

describe('a submission of inputs', () => {
  it('is taken, and tells where the job is', async () => {
    const { queue, submit } = await openFront({ alice: { highestPriority: 0 } });
    const deadline = Date.now() + 60_000;
    const { status, headers, body } = await submit({ ...NOTE, id: 'salary_1', priority: 7, deadline });
    expect(status).toBe(202);
    expect(headers.location).toBe('/v1/proofs/note.alice_salary_1');
    expect(body).toEqual({
      id: 'note.alice_salary_1',
      circuit: 'note',
      state: 'waiting',
      priority: 7,
      deadline,
      progress: 0,
      position: 0,
      submitted: 1_700_000_000_000,
      attempts: 0,
      created: true,
    });
    expect(queue.requests.get('note.alice_salary_1')).toEqual({
      ...NOTE,
      id: 'alice_salary_1',
      owner: 'alice',
      priority: 7,
      deadline,
    });
  });

  it('gets a random id where it has none', async () => {
    const { submit } = await openFront();
    const ids = [(await submit()).body.id, (await submit()).body.id];
    for (const id of ids) expect(id).toMatch(new RegExp(`^note\\.alice_${UUID}$`));
    expect(ids[0]).not.toBe(ids[1]);
  });

  it('gets the job that exists for an id that it has given before', async () => {
    const { queue, submit } = await openFront({ alice: { openJobs: 1 } });
    const body = { ...NOTE, id: 'x' };
    expect((await submit(body)).body.created).toBe(true);
    const again = await submit({ ...body, inputs: { a: '2' } });
    expect(again.status).toBe(202);
    expect(again.body).toMatchObject({ id: 'note.alice_x', created: false });
    expect(queue.requests.get('note.alice_x')?.inputs).toEqual({ a: '1' });
    queue.prove('note.alice_x');
    expect((await submit(body)).status).toBe(200);
  });

  it.each([
    { a: ['1', ['2', 3]], b: { x: '0x10' } },
    { a: '21888242871839275222246405745257275088548364400416034343698204186575808495616' },
    {},
  ])('takes %j', async (inputs) => {
    const { submit } = await openFront();
    expect((await submit({ circuit: 'note', inputs })).status).toBe(202);
  });

  it('refuses inputs without a value in its words', async () => {
    const { queue, submit } = await openFront();
    for (const [inputs, place] of [
      [{ a: 'x1f' }, 'a'],
      [{ a: ['1', '-1'] }, 'a[1]'],
      [{ a: '21888242871839275222246405745257275088548364400416034343698204186575808495617' }, 'a'],
      [{ b: { c: 1.5 } }, 'b.c'],
      [{ a: 2 ** 53 }, 'a'],
      [{ a: null }, 'a'],
      [{ a: '' }, 'a'],
    ]) {
      const response = await submit({ circuit: 'note', inputs });
      expectProblem(response, 422, 'INVALID_INPUT');
      expect(response.body.message).toContain(`expected ${place} `);
      expect(response.text).not.toMatch(/x1f|9007199254740992|1\.5|2188824/);
    }
    expect(queue.jobs.size).toBe(0);
  });

  it('refuses bodies of another form, and names the member', async () => {
    const { submit, queue } = await openFront();
    for (const [body, text] of [
      [{}, 'the body with the member circuit'],
      [{ circuit: 'note' }, 'the body with the member inputs'],
      [{ inputs: {} }, 'the body with the member circuit'],
      [{ ...NOTE, circuit: 5 }, 'circuit of the body'],
      [{ ...NOTE, inputs: ['1'] }, 'inputs of the body'],
      [{ ...NOTE, id: 'a.b' }, 'id of the body'],
      [{ ...NOTE, id: 'x'.repeat(41) }, 'id of the body'],
      [{ ...NOTE, priority: '7' }, 'priority of the body'],
      [{ ...NOTE, priority: -1 }, 'priority of the body'],
      [{ ...NOTE, priority: 1001 }, 'priority of the body'],
      [{ ...NOTE, priority: 1.5 }, 'priority of the body'],
      [{ ...NOTE, deadline: 'tomorrow' }, 'deadline of the body'],
      [{ ...NOTE, owner: 'bob' }, 'no other members'],
      [[NOTE], 'the body'],
    ] as const) {
      const response = await submit(body);
      expectProblem(response, 400, 'INVALID_ARGUMENT');
      expect(response.body.message).toContain(text);
    }
    expect(queue.jobs.size).toBe(0);
  });

  it('is refused without a body', async () => {
    const { send } = await openFront();
    expectProblem(await send({ method: 'POST', url: '/v1/proofs' }), 400, 'INVALID_ARGUMENT');
    expectProblem(await send({ method: 'POST', url: '/v1/proofs?circuit=note' }), 400, 'INVALID_ARGUMENT');
  });

  it('suggests the name that was probably meant', async () => {
    const { submit } = await openFront();
    expect((await submit({ ...NOTE, priorty: 1 })).body.hint).toBe('did you mean priority?');
    const response = await submit({ ...NOTE, circuit: 'notes' });
    expectProblem(response, 404, 'NOT_FOUND');
    expect(response.body.hint).toBe('did you mean note?');
  });

  it('refuses members in the query that belong in the body', async () => {
    const { submit } = await openFront();
    const response = await submit(NOTE, 'alice', '?priority=1');
    expectProblem(response, 400, 'INVALID_ARGUMENT');
    expect(response.body.message).toContain('priority in the body');
  });
});

describe('a submission of a witness', () => {
  const post = (query: string, payload: Buffer | string, type = 'application/octet-stream') => ({
    method: 'POST' as const,
    url: `/v1/proofs${query}`,
    payload,
    headers: { 'content-type': type },
  });

  it('takes its bytes, and the rest from the query', async () => {
    const { queue, send } = await openFront({ alice: { highestPriority: 0 } });
    const bytes = Buffer.from([0, 255, 10, 13, 0]);
    const { status, body } = await send(post('?circuit=witness-only&id=w&priority=3', bytes));
    expect(status).toBe(202);
    expect(body.id).toBe('witness-only.alice_w');
    const { witness, ...rest } = queue.requests.get(body.id)!;
    expect(witness).toEqual(bytes);
    expect(rest).toEqual({ circuit: 'witness-only', id: 'alice_w', priority: 3, owner: 'alice' });
  });

  it('refuses queries of another form', async () => {
    const { send, queue } = await openFront();
    const queries = ['', '?circuit=note&priority=x', '?circuit=note&wait=61', '?circuit=note&inputs=1'];
    for (const query of queries) expectProblem(await send(post(query, Buffer.alloc(4))), 400, 'INVALID_ARGUMENT');
    expectProblem(await send(post('?circuit=nothing', Buffer.alloc(4))), 404, 'NOT_FOUND');
    expect(queue.jobs.size).toBe(0);
  });

  it('has a limit of its own', async () => {
    const { send } = await openFront({}, { inputsLimit: 50, witnessLimit: 1000 });
    expect((await send(post('?circuit=note', Buffer.alloc(1000)))).status).toBe(202);
    expectProblem(await send(post('?circuit=note', Buffer.alloc(1001))), 413, 'TOO_LARGE');
    const json = JSON.stringify({ circuit: 'note', inputs: { a: '1' } });
    expect((await send(post('', json.padEnd(50), 'application/json'))).status).toBe(202);
    expectProblem(await send(post('', json.padEnd(51), 'application/json')), 413, 'TOO_LARGE');
  });

  it('is not taken as another kind of body', async () => {
    const { send } = await openFront();
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'image/png', 'nonsense']) {
      expectProblem(await send(post('?circuit=note', 'x', type)), 415, 'UNSUPPORTED_MEDIA_TYPE');
    }
  });

  it('what is no JSON is refused without being quoted', async () => {
    const { send } = await openFront();
    for (const text of [
      '',
      '{',
      '{"circuit":"note","inputs":{"secret":12',
      '{"__proto__":{"x":1},"circuit":"note","inputs":{}}',
      '['.repeat(50_000),
      '['.repeat(50_000) + ']'.repeat(50_000),
    ]) {
      const response = await send(post('', text, 'application/json'));
      expectProblem(response, 400, 'INVALID_ARGUMENT');
      expect(response.text).not.toContain('secret');
    }
  });
});
