import { expect, it } from 'vitest';
import { isObject, isRecord, ownMembers } from '../../sdk/base/records.js';
import { polluted } from '../support/polluted.js';

it.each([
  { value: {}, object: true, record: true },
  { value: [], object: true, record: false },
  { value: null, object: false, record: false },
  { value: undefined, object: false, record: false },
  { value: 'text', object: false, record: false },
  { value: () => {}, object: false, record: false },
])('what has members, and is no list: $value', ({ value, object, record }) => {
  expect([isObject(value), isRecord(value)]).toEqual([object, record]);
});

it('own members are all that a record has itself', async () => {
  const members = await polluted({ b: 2 }, () => ownMembers<{ a: number; b?: number }>({ a: 1 }));
  expect([members.a, members.b, Object.getPrototypeOf(members)]).toEqual([1, undefined, null]);
  for (const value of [[1], null, undefined, 'text', 5]) expect(Object.keys(ownMembers(value))).toEqual([]);
  expect(Object.getPrototypeOf(ownMembers(null))).toBeNull();
});
