import { expect, test } from 'vitest';
import { bodyFromJson, writeBody } from './json-body.ts';

const JSON_TEXT = '{"list":[{"name":"Ærø","1":2}],"total":1}';

test('a body that is JSON already is sent unchanged', () => {
  const body = bodyFromJson(JSON_TEXT, ['list', 'total']);
  expect(writeBody(body).toString()).toBe(JSON_TEXT);
});

test('such a body has the members of the JSON', () => {
  const body = bodyFromJson(JSON_TEXT, ['list', 'total']);
  expect({ ...body }).toEqual(JSON.parse(JSON_TEXT));
  expect(JSON.stringify(body)).toBe(JSON.stringify(JSON.parse(JSON_TEXT)));
});

test('a frozen body is written once, and another one as it is each time', () => {
  const frozen = Object.freeze({ name: 'Sword' });
  expect(writeBody(frozen)).toBe(writeBody(frozen));
  const body = { asked: 1 };
  expect(writeBody(body).toString()).toBe('{"asked":1}');
  body.asked = 2;
  expect(writeBody(body).toString()).toBe('{"asked":2}');
});

test.each([[null], [[1]], ['text'], [1]])('%j is written as JSON', (body) => {
  expect(writeBody(body).toString()).toBe(JSON.stringify(body));
});
